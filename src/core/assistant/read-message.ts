import { type BodyReader, property } from './body-reader.ts';
import { type ImageFile, imageOfDataUrl, textOfDataUrl } from './data-url.ts';

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
