import { decodeUtf8, encodeUtf8 } from './utf8.ts';

/**
 * A serialised index is UTF-8 text: one line of JSON with the byte lengths of the parts, then the parts. Numbers are
 * packed into printable characters, so that the whole also survives inside a JavaScript string.
 */
const FORMAT = 'docent-search-2';
/** An index that was made before there were links is as good without. */
const PARTS_WITHOUT_LINKS = 8;

export const PARTS = [
  'pages',
  'words',
  'wordTerms',
  'terms',
  'postingLengths',
  'postings',
  'sections',
  'records',
  'links',
] as const;
export type PartName = (typeof PARTS)[number];
export type Parts = Record<PartName, Uint8Array>;

/** Joins the parts of an index into one file. */
export function joinParts(parts: Parts): Uint8Array {
  const header = encodeUtf8(`${JSON.stringify({ format: FORMAT, lengths: PARTS.map((name) => parts[name].length) })}\n`);
  const bytes = new Uint8Array(PARTS.reduce((sum, name) => sum + parts[name].length, header.length));
  bytes.set(header);
  let at = header.length;
  for (const name of PARTS) {
    bytes.set(parts[name], at);
    at += parts[name].length;
  }
  return bytes;
}

/**
 * Takes a serialised index apart without copying it.
 * @throws Error where the bytes are not an index of this version, or not all of it
 */
export function splitParts(bytes: Uint8Array): Parts {
  const lengths = readHeader(bytes);
  let at = bytes.indexOf(10) + 1;
  const parts: Partial<Parts> = {};
  PARTS.forEach((name, index) => {
    const end = at + (lengths[index] ?? 0);
    parts[name] = bytes.subarray(at, end);
    at = end;
  });
  if (at !== bytes.length) throw new Error('The search index is cut short or damaged; build the site again.');
  return parts as Parts;
}

function readHeader(bytes: Uint8Array): number[] {
  const end = bytes.subarray(0, 1000).indexOf(10);
  let header: { format?: unknown; lengths?: unknown } = {};
  try {
    header = JSON.parse(decodeUtf8(bytes.subarray(0, Math.max(end, 0))));
  } catch {
    // What is no JSON is no index of ours, which the check below says.
  }
  if (
    header?.format !== FORMAT ||
    !Array.isArray(header.lengths) ||
    ![PARTS.length, PARTS_WITHOUT_LINKS].includes(header.lengths.length)
  ) {
    throw new Error('This is not a search index of this version; build the site again.');
  }
  return header.lengths;
}
