import type { StreamedFile } from './bundle-file.ts';

const CHUNK_CHARACTERS = 64 * 1024;
/** A longer text is made twice. */
const MAX_HELD_LENGTH = 1024 * 1024;

/**
 * Returns a file with the text of `JSON.stringify(value, null, 1)` and a line break. The text is
 * made as it is read: the lists of a manifest of 10,000 pages have nine megabytes, which would be
 * in memory three times.
 */
export function jsonFile(path: string, value: object): StreamedFile {
  const pieces: string[] = [];
  let [sizeBytes, length] = [0, 0];
  for (const text of jsonText(value)) {
    sizeBytes += Buffer.byteLength(text);
    length += text.length;
    if (length <= MAX_HELD_LENGTH) pieces.push(text);
  }
  const held = length <= MAX_HELD_LENGTH ? pieces : undefined;
  return { path, sizeBytes, chunks: inChunks(held ?? jsonText(value)) };
}

/** Each item of a list is a piece. */
function* jsonText(value: object): Generator<string> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  yield '{';
  for (const [place, [name, field]] of fields.entries()) {
    yield `${place === 0 ? '' : ','}\n ${JSON.stringify(name)}: `;
    if (Array.isArray(field) && field.length > 0) yield* listText(field);
    else yield indented(field, ' ');
  }
  yield fields.length === 0 ? '}\n' : '\n}\n';
}

function* listText(items: readonly unknown[]): Generator<string> {
  for (const [place, item] of items.entries())
    yield `${place === 0 ? '[' : ','}\n  ${indented(item, '  ')}`;
  yield '\n ]';
}

function indented(value: unknown, spaces: string): string {
  // Much faster for the files of a manifest, of which there are thousands.
  if (isFlat(value)) {
    const fields = Object.entries(value).map(
      ([name, field]) => `\n${spaces} ${JSON.stringify(name)}: ${JSON.stringify(field)}`,
    );
    return `{${fields.join()}\n${spaces}}`;
  }
  return JSON.stringify(value, null, 1).replaceAll('\n', `\n${spaces}`);
}

function isFlat(value: unknown): value is Record<string, string | number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = Object.values(value);
  return fields.length > 0 && fields.every((field) => /^(?:string|number)$/.test(typeof field));
}

async function* inChunks(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
