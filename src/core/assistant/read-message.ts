import { decodeUtf8 } from '../bytes.ts';
import { DocentError, type FieldError } from '../errors.ts';

const { atob } = globalThis as unknown as { atob: (base64: string) => string };

/** Maximum length of an attachment: it supports the question, it is not a corpus. */
const MAX_TEXT_LENGTH = 64 * 1024;
const HEAD = /^data:(text\/[\w.+-]+|application\/json|application\/(?:x-)?yaml)?(?:;[\w-]+=[^;,]{0,100}){0,4}(;base64)?$/i;

/** Maximum Base64 characters of an image: what fits into a request beside its question. */
const MAX_IMAGE_CHARACTERS = 3_500_000;
const IMAGE_HEAD = /^data:(image\/(?:png|jpeg|gif|webp));base64$/i;

/** An image attached to a question, in a format that every multimodal model reads. */
export interface ImageFile {
  mediaType: string;
  base64: string;
}

/** Returns the image in a `data:` URL of PNG, JPEG, GIF or WebP; `undefined` for anything else and for one that is too large. */
export function imageOfDataUrl(url: string): ImageFile | undefined {
  const comma = url.slice(0, 100).indexOf(',');
  const mediaType = IMAGE_HEAD.exec(url.slice(0, Math.max(0, comma)))?.[1]?.toLowerCase();
  const base64 = url.slice(comma + 1);
  if (mediaType === undefined || base64.length > MAX_IMAGE_CHARACTERS) return undefined;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? { mediaType, base64 } : undefined;
}

/**
 * Returns the text in a `data:` URL (RFC 2397) of a text type. Returns `undefined` for other addresses and types, and for data
 * that is too long or damaged.
 */
export function textOfDataUrl(url: string): string | undefined {
  const comma = url.slice(0, 500).indexOf(',');
  if (comma < 0 || url.length > MAX_TEXT_LENGTH * 2) return undefined;
  const head = HEAD.exec(url.slice(0, comma));
  if (head === null) return undefined;
  try {
    const data = url.slice(comma + 1);
    const text = head[2] === undefined ? decodeURIComponent(data) : decodeBase64(data);
    return text.length > MAX_TEXT_LENGTH ? undefined : text;
  } catch {
    // Damaged escapes or Base64: an unreadable file is ignored.
    return undefined;
  }
}

function decodeBase64(data: string): string {
  const binary = atob(decodeURIComponent(data));
  return decodeUtf8(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}

const MAX_ERRORS = 20;

/**
 * Reads an untrusted JSON value and collects errors. `null` counts as absent. Only own properties are read, so `__proto__` is an
 * ordinary key.
 */
export class BodyReader {
  private readonly errors: FieldError[] = [];

  fail(path: string, message: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ path, message });
  }

  object(value: unknown, path: string): Record<string, unknown> | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    this.fail(path, `Must be an object, not ${nameOfType(value)}.`);
    return undefined;
  }

  optionalObject(parent: Record<string, unknown>, key: string, path: string): Record<string, unknown> | undefined {
    const value = property(parent, key);
    return value === undefined ? undefined : this.object(value, `${path}/${key}`);
  }

  optionalArray(parent: Record<string, unknown>, key: string, path: string): unknown[] | undefined {
    const value = property(parent, key);
    if (value === undefined || Array.isArray(value)) return value;
    this.fail(`${path}/${key}`, `Must be an array, not ${nameOfType(value)}.`);
    return undefined;
  }

  optionalString(parent: Record<string, unknown>, key: string, path: string): string | undefined {
    const value = property(parent, key);
    if (value === undefined || typeof value === 'string') return value;
    this.fail(`${path}/${key}`, `Must be a string, not ${nameOfType(value)}.`);
    return undefined;
  }

  requiredString(parent: Record<string, unknown>, key: string, path: string): string | undefined {
    if (property(parent, key) === undefined) this.fail(`${path}/${key}`, 'Is required.');
    return this.optionalString(parent, key, path);
  }

  optionalNumber(parent: Record<string, unknown>, key: string, path: string): number | undefined {
    const value = property(parent, key);
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
    this.fail(`${path}/${key}`, `Must be a number, not ${nameOfType(value)}.`);
    return undefined;
  }

  /** @throws DocentError `invalid_request` if there were errors */
  throwIfFailed(): void {
    const [first] = this.errors;
    if (first === undefined) return;
    const place = first.path === '' ? 'the body' : first.path;
    throw new DocentError('invalid_request', `The request body is not valid at ${place}: ${first.message}`, {
      errors: this.errors,
    });
  }
}

/** Returns an own property; `undefined` if it is absent or `null`. */
export function property(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

function nameOfType(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const ROLES = ['system', 'assistant', 'data', 'user'] as const;

/** A chat message of either protocol, reduced to what an answer depends on. */
export interface ReadMessage {
  role: (typeof ROLES)[number];
  id?: string;
  text: string;
  /** Whether it has neither content nor parts that say anything. */
  isEmpty: boolean;
  /** Texts of attached files. */
  attachments: string[];
  /** Attached pictures. */
  images: ImageFile[];
  /** Thread that the message belongs to, as stated by the client. */
  threadId?: string;
}

/**
 * Parses one chat message leniently: parts, content, ids and dates may be missing, unknown parts and keys are ignored. Reports a
 * wrong role or a value of the wrong type.
 */
export function readMessage(reader: BodyReader, value: unknown, path: string): ReadMessage | undefined {
  const message = reader.object(value, path);
  if (message === undefined) return undefined;
  const role = reader.optionalString(message, 'role', path);
  const known = ROLES.find((one) => one === role);
  if (known === undefined) {
    reader.fail(`${path}/role`, `Must be one of ${ROLES.join(', ')}.`);
    return undefined;
  }
  const content = reader.optionalString(message, 'content', path) ?? '';
  const parts = reader.optionalArray(message, 'parts', path) ?? [];
  const attached = reader.optionalArray(message, 'experimental_attachments', path) ?? [];
  const id = reader.optionalString(message, 'id', path);
  reader.optionalString(message, 'createdAt', path);
  const fromParts = readParts(reader, parts, `${path}/parts`);
  const files = [...readAttachments(reader, attached, `${path}/experimental_attachments`), ...fromParts.files];
  const read: ReadMessage = {
    role: known,
    text: fromParts.text === '' ? content : fromParts.text,
    isEmpty: content.trim() === '' && !fromParts.saysAnything,
    attachments: ofUrls(files, textOfDataUrl),
    images: ofUrls(files, imageOfDataUrl),
  };
  if (id !== undefined && id !== '') read.id = id;
  const threadId = threadIdOf(reader, message, path);
  if (threadId !== undefined) read.threadId = threadId;
  return read;
}

/** The fields of the parts that both protocols define, by their JSON type. Parts of other types are dropped. */
const PART_FIELDS = new Map<unknown, { strings?: readonly string[]; objects?: readonly string[]; arrays?: readonly string[] }>([
  ['text', { strings: ['text'] }],
  ['reasoning', { strings: ['reasoning', 'text'], arrays: ['details'] }],
  ['source', { objects: ['source'] }],
  ['source-url', { strings: ['sourceId', 'url', 'title'] }],
  ['source-document', { strings: ['sourceId', 'mediaType', 'title'] }],
  ['tool-invocation', { objects: ['toolInvocation'] }],
  ['file', { strings: ['url', 'mediaType', 'filename'] }],
]);

interface ReadParts {
  text: string;
  /** Addresses of the files. */
  files: string[];
  saysAnything: boolean;
}

function readParts(reader: BodyReader, parts: readonly unknown[], path: string): ReadParts {
  const texts: string[] = [];
  const files: string[] = [];
  let saysAnything = false;
  parts.forEach((value, index) => {
    const at = `${path}/${index}`;
    const part = reader.object(value, at);
    if (part === undefined) return;
    const type = reader.optionalString(part, 'type', at);
    const { strings = [], objects = [], arrays = [] } = PART_FIELDS.get(type) ?? {};
    for (const key of strings) reader.optionalString(part, key, at);
    for (const key of objects) reader.optionalObject(part, key, at);
    for (const key of arrays) reader.optionalArray(part, key, at);
    if (type === 'text') texts.push(stringIn(part, 'text') ?? '');
    if (type === 'file') files.push(stringIn(part, 'url') ?? '');
    saysAnything ||= type !== 'text' || texts.at(-1)?.trim() !== '';
  });
  return { text: texts.join('\n').trim(), files, saysAnything };
}

/** Returns the addresses of attached files. */
function readAttachments(reader: BodyReader, values: readonly unknown[], path: string): string[] {
  return values.flatMap((value, index) => {
    const attachment = reader.object(value, `${path}/${index}`);
    if (attachment === undefined) return [];
    for (const key of ['name', 'contentType']) reader.optionalString(attachment, key, `${path}/${index}`);
    return reader.optionalString(attachment, 'url', `${path}/${index}`) ?? [];
  });
}

function stringIn(object: Record<string, unknown>, key: string): string | undefined {
  const value = property(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** Uses only data within the request: a server that fetched a caller's URL could be used against its own network. */
function ofUrls<T>(urls: readonly string[], read: (url: string) => T | undefined): T[] {
  return urls.flatMap((url) => read(url) ?? []);
}

/** Earlier answers carry their thread in `annotations` (v1) or `metadata` (v2), and clients send them back. */
function threadIdOf(reader: BodyReader, message: Record<string, unknown>, path: string): string | undefined {
  const metadata = property(message, 'metadata');
  const annotations = reader.optionalArray(message, 'annotations', path) ?? [];
  for (const carrier of [metadata, ...annotations]) {
    if (typeof carrier !== 'object' || carrier === null) continue;
    const threadId = stringIn(carrier as Record<string, unknown>, 'threadId');
    if (threadId) return threadId;
  }
  return undefined;
}
