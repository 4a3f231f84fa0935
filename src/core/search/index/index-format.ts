import { decodeUtf8, encodeUtf8 } from '../../bytes.ts';

/**
 * A serialized index is UTF-8 text: one line of JSON with the byte lengths of the parts, then the parts. Numbers are packed into
 * printable characters, so that the whole fits into a JavaScript string.
 */
const FORMAT = 'docent-search-2';
/** An index from before this field works without links. */
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
 * Splits a serialized index without copying it.
 * @throws Error if the bytes are not a complete index of this version
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
    // If it is not JSON, the check below rejects it.
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
