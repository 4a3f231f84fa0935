import { decodeUtf8 } from '@docent/format/bytes.ts';
import { DocentError, type FieldError } from '@docent/format/errors.ts';
import { valueAt } from '@docent/format/json-value.ts';

const { atob } = globalThis as unknown as { atob: (base64: string) => string };

/** Maximum length of an attachment: it supports the question, it is not a corpus. */
const MAX_TEXT_LENGTH = 64 * 1024;
const HEAD =
  /^data:(text\/[\w.+-]+|application\/json|application\/(?:x-)?yaml)?(?:;[\w-]+=[^;,]{0,100}){0,4}(;base64)?$/i;

/** Maximum Base64 characters of an image: what fits into a request beside its question. */
const MAX_IMAGE_CHARACTERS = 3_500_000;
const IMAGE_HEAD = /^data:(image\/(?:png|jpeg|gif|webp));base64$/i;

/** An image attached to a question, in a format that every multimodal model reads. */
export interface ImageFile {
  mediaType: string;
  base64: string;
}

/**
 * Returns the image in a `data:` URL of PNG, JPEG, GIF or WebP; `undefined` for anything else and
 * for one that is too large.
 */
function imageOfDataUrl(url: string): ImageFile | undefined {
  const comma = url.slice(0, 100).indexOf(',');
  const mediaType = IMAGE_HEAD.exec(url.slice(0, Math.max(0, comma)))?.[1]?.toLowerCase();
  const base64 = url.slice(comma + 1);
  if (mediaType === undefined || base64.length > MAX_IMAGE_CHARACTERS) return undefined;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? { mediaType, base64 } : undefined;
}

/**
 * Returns the text in a `data:` URL (RFC 2397) of a text type. Returns `undefined` for other
 * addresses and types, and for data that is too long or damaged.
 */
function textOfDataUrl(url: string): string | undefined {
  const comma = url.slice(0, 500).indexOf(',');
  if (comma < 0 || url.length > MAX_TEXT_LENGTH * 2) return undefined;
  const head = HEAD.exec(url.slice(0, comma));
  if (head === null) return undefined;
  try {
    const data = decodeURIComponent(url.slice(comma + 1));
    const text =
      head[2] === undefined
        ? data
        : decodeUtf8(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
    return text.length > MAX_TEXT_LENGTH ? undefined : text;
  } catch {
    // Damaged escapes or Base64: an unreadable file is ignored.
    return undefined;
  }
}

const MAX_ERRORS = 20;

/** The types of JSON values. */
interface Types {
  string: string;
  number: number;
  array: unknown[];
  object: Record<string, unknown>;
}

/** The types of some fields of an object. */
type FieldTypes = Readonly<Record<string, keyof Types>>;

/**
 * Reads an untrusted JSON value and collects errors. `null` counts as absent. Only own properties
 * are read, so `__proto__` is an ordinary key.
 */
export class BodyReader {
  private readonly errors: FieldError[] = [];

  fail(path: string, message: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ path, message });
  }

  object(value: unknown, path: string): Types['object'] | undefined {
    return this.value('object', value, path);
  }

  /**
   * Returns fields of an object. Fields of a wrong type are reported and absent.
   * @param required the messages for required fields
   */
  fields<Fields extends FieldTypes>(
    object: Types['object'],
    path: string,
    types: Fields,
    required: { [Name in keyof Fields]?: string } = {},
  ): { [Name in keyof Fields]?: Types[Fields[Name]] } {
    const read: { [Name in keyof Fields]?: Types[Fields[Name]] } = {};
    for (const name of Object.keys(types) as (keyof Fields & string)[]) {
      const value = valueAt(object, name) ?? undefined;
      if (value !== undefined)
        read[name] = this.value(types[name] as Fields[typeof name], value, `${path}/${name}`);
      else if (required[name] !== undefined) this.fail(`${path}/${name}`, required[name]);
    }
    return read;
  }

  /** @throws DocentError `invalid_request` if there were errors */
  throwIfFailed(): void {
    const [first] = this.errors;
    if (first === undefined) return;
    const place = first.path === '' ? 'the body' : first.path;
    throw new DocentError(
      'invalid_request',
      `The request body is not valid at ${place}: ${first.message}`,
      {
        errors: this.errors,
      },
    );
  }

  private value<Type extends keyof Types>(
    type: Type,
    value: unknown,
    path: string,
  ): Types[Type] | undefined {
    const actualType = typeOf(value);
    if (actualType === type) return value as Types[Type];
    this.fail(path, `Must be ${named(type)}, not ${named(actualType)}.`);
    return undefined;
  }
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'array' : typeof value;
}

function named(type: string): string {
  return type === 'nothing' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

const ROLES = ['system', 'assistant', 'data', 'user'] as const;

/** A chat message of either protocol, reduced to what an answer depends on. */
export type ReadMessage = NonNullable<ReturnType<typeof readMessage>>;

/** The fields of the parts that both protocols define. Parts of other types are dropped. */
const PART_FIELDS = new Map<unknown, FieldTypes>([
  ['text', { text: 'string' }],
  ['reasoning', { reasoning: 'string', text: 'string', details: 'array' }],
  ['source', { source: 'object' }],
  ['source-url', { sourceId: 'string', url: 'string', title: 'string' }],
  ['source-document', { sourceId: 'string', mediaType: 'string', title: 'string' }],
  ['tool-invocation', { toolInvocation: 'object' }],
  ['file', { url: 'string', mediaType: 'string', filename: 'string' }],
]);

/**
 * Parses one chat message leniently: parts, content, ids and dates may be missing, unknown parts
 * and keys are ignored. Reports a wrong role or a value of the wrong type.
 * @returns `isEmpty` if neither content nor parts say anything; the texts and pictures of attached
 *   files; the thread that the message belongs to, as stated by the client
 */
export function readMessage(reader: BodyReader, value: unknown, path: string) {
  const message = reader.object(value, path);
  if (message === undefined) return undefined;
  const fields = reader.fields(message, path, {
    role: 'string',
    content: 'string',
    id: 'string',
    createdAt: 'string',
    parts: 'array',
    experimental_attachments: 'array',
    annotations: 'array',
  });
  const role = ROLES.find((candidate) => candidate === fields.role);
  if (role === undefined) {
    reader.fail(`${path}/role`, `Must be one of ${ROLES.join(', ')}.`);
    return undefined;
  }
  const {
    content = '',
    id,
    parts = [],
    experimental_attachments: attached = [],
    annotations = [],
  } = fields;
  const texts: string[] = [];
  let saysAnything = content.trim() !== '';
  const files = attached.map((file, index) => {
    const at = `${path}/experimental_attachments/${index}`;
    return reader.fields(reader.object(file, at) ?? {}, at, {
      name: 'string',
      contentType: 'string',
      url: 'string',
    }).url;
  });
  for (const [index, given] of parts.entries()) {
    const at = `${path}/parts/${index}`;
    const part = reader.object(given, at);
    if (part === undefined) continue;
    const { type } = reader.fields(part, at, { type: 'string' });
    reader.fields(part, at, PART_FIELDS.get(type) ?? {});
    if (type === 'text') texts.push(stringIn(part, 'text') ?? '');
    if (type === 'file') files.push(stringIn(part, 'url'));
    saysAnything ||= type !== 'text' || texts.at(-1)?.trim() !== '';
  }
  // Only data within the request: a server that fetched a caller's URL could be used against its
  // own network.
  const urls = files.filter((url) => url !== undefined);
  return {
    role,
    id: id || undefined,
    text: texts.join('\n').trim() || content,
    isEmpty: !saysAnything,
    attachments: urls.flatMap((url) => textOfDataUrl(url) ?? []),
    images: urls.flatMap((url) => imageOfDataUrl(url) ?? []),
    threadId: threadIdOf([valueAt(message, 'metadata'), ...annotations]),
  };
}

function stringIn(object: unknown, key: string): string | undefined {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Earlier answers carry their thread in `annotations` (v1) or `metadata` (v2), and clients send
 * them back.
 */
function threadIdOf(carriers: readonly unknown[]): string | undefined {
  return carriers.map((carrier) => stringIn(carrier, 'threadId')).find((threadId) => threadId);
}
