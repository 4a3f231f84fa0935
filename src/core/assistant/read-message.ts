import { type BodyReader, property } from './body-reader.ts';
import { type ImageFile, imageOfDataUrl, textOfDataUrl } from './data-url.ts';

const ROLES = ['system', 'assistant', 'data', 'user'] as const;

/** A chat message of either protocol, reduced to what an answer depends on. */
export interface ReadMessage {
  role: (typeof ROLES)[number];
  id?: string;
  text: string;
  /** Whether it has neither content nor parts. */
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
  const fromParts = readParts(reader, parts, `${path}/parts`);
  const files = [...attached, ...fromParts.files];
  const read: ReadMessage = {
    role: known,
    text: fromParts.text === '' ? content : fromParts.text,
    isEmpty: content.trim() === '' && parts.length === 0,
    attachments: files.flatMap((file) => ofAttachment(file, textOfDataUrl)),
    images: files.flatMap((file) => ofAttachment(file, imageOfDataUrl)),
  };
  if (id !== undefined && id !== '') read.id = id;
  const threadId = threadIdOf(reader, message, path);
  if (threadId !== undefined) read.threadId = threadId;
  return read;
}

function readParts(reader: BodyReader, parts: readonly unknown[], path: string): { text: string; files: unknown[] } {
  const texts: string[] = [];
  const files: unknown[] = [];
  parts.forEach((value, index) => {
    const part = reader.object(value, `${path}/${index}`);
    if (part === undefined) return;
    const type = reader.optionalString(part, 'type', `${path}/${index}`);
    if (type === 'text') texts.push(reader.optionalString(part, 'text', `${path}/${index}`) ?? '');
    if (type === 'file') files.push(part);
  });
  return { text: texts.join('\n').trim(), files };
}

/** Uses only data within the request: a server that fetched a caller's URL could be used against its own network. */
function ofAttachment<T>(value: unknown, read: (url: string) => T | undefined): T[] {
  if (typeof value !== 'object' || value === null) return [];
  const url = property(value as Record<string, unknown>, 'url');
  const content = typeof url === 'string' ? read(url) : undefined;
  return content === undefined ? [] : [content];
}

/** Earlier answers carry their thread in `annotations` (v1) or `metadata` (v2), and clients send them back. */
function threadIdOf(reader: BodyReader, message: Record<string, unknown>, path: string): string | undefined {
  const metadata = property(message, 'metadata');
  const annotations = reader.optionalArray(message, 'annotations', path) ?? [];
  for (const carrier of [metadata, ...annotations]) {
    if (typeof carrier !== 'object' || carrier === null) continue;
    const threadId = property(carrier as Record<string, unknown>, 'threadId');
    if (typeof threadId === 'string' && threadId !== '') return threadId;
  }
  return undefined;
}
