import { STORED_FORMS } from '@docent/format/build/stored-forms.ts';
import { concatenate, decodeUtf8, encodeUtf8 } from '@docent/format/bytes.ts';

/**
 * A serialized index is UTF-8 text: one line of JSON with the byte lengths of the parts, then the parts. Numbers are packed into
 * printable characters, so that the whole fits into a JavaScript string.
 */
const INDEX_FORM = STORED_FORMS.searchIndex.writes;
const FORMAT = `docent-search-${INDEX_FORM}`;
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

/** Joins the parts of an index, each in chunks, into one file. */
export function joinParts(parts: Record<PartName, readonly Uint8Array[]>): Uint8Array {
  const lengths = PARTS.map((name) => parts[name].reduce((sum, chunk) => sum + chunk.length, 0));
  const header = encodeUtf8(`${JSON.stringify({ format: FORMAT, lengths })}\n`);
  return concatenate([header, ...PARTS.flatMap((name) => parts[name])]);
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
    throw new Error('This is not a search index that this version reads; build the site again.');
  }
  return header.lengths;
}

const FIRST = 35;
const BACKSLASH = 92;

/**
 * Encodes whole numbers ≥ 0 as printable ASCII: five bits per character, the sixth says that more follow. The 64 characters from
 * `#` on skip the backslash, because a string literal would double it.
 */
export function packNumbers(values: Iterable<number>): Uint8Array {
  const bytes: number[] = [];
  const put = (six: number) => bytes.push(six + FIRST < BACKSLASH ? six + FIRST : six + FIRST + 1);
  for (const value of values) {
    let rest = value;
    for (; rest >= 32; rest = Math.floor(rest / 32)) put((rest & 31) | 32);
    put(rest);
  }
  return new Uint8Array(bytes);
}

/** Reads packed numbers one by one. */
export class NumberReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  next(): number {
    const { bytes } = this;
    let { at } = this;
    let value = 0;
    // Numbers below 2^30 use integer arithmetic; larger ones (lengths of a huge site) the slower way.
    for (let shift = 0; at < bytes.length; shift += 5) {
      const code = bytes[at++] as number;
      const six = code > BACKSLASH ? code - FIRST - 1 : code - FIRST;
      value = shift < 30 ? value | ((six & 31) << shift) : value + (six & 31) * 2 ** shift;
      if (six < 32) break;
    }
    this.at = at;
    return value;
  }
}

/** Returns all numbers that `packNumbers` packed. */
export function readNumbers(bytes: Uint8Array): Uint32Array {
  const reader = new NumberReader(bytes);
  // Each number takes at least one byte.
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  while (!reader.done) numbers[count++] = reader.next();
  return numbers.slice(0, count);
}

/** Converts lengths to offsets; one more than there are lengths, the last being the end. */
export function startsOf(lengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] as number) + (lengths[i] as number);
  return starts;
}

/** Where on a page, outside its sections, a term occurs; one bit each. */
export const PageField = { title: 1, path: 2, description: 4, operation: 8, trail: 16 } as const;

/**
 * How often a term occurs in the heading, the prose and the code of a section, packed into one small number: one, three and two
 * bits. Beyond a few, more occurrences are not informative.
 */
export const PackedCounts = {
  inHeading: (counts: number): number => counts | 1,
  inProse: (counts: number): number => ((counts & 14) === 14 ? counts : counts + 2),
  inCode: (counts: number): number => ((counts & 48) === 48 ? counts : counts + 16),
};

/** The unpacked counts, by the packed ones. */
export const UNPACKED_COUNTS = Array.from({ length: 64 }, (_, packed) => ({
  heading: packed & 1,
  prose: (packed >> 1) & 7,
  code: packed >> 4,
}));

const ONCE_IN_PROSE = PackedCounts.inProse(0);

/** An array takes eight bytes for each number, a packed one little more than one. */
const MAX_UNPACKED = 256;

/** Numbers to be packed, which take little memory meanwhile. */
class NumberList {
  private readonly packed: Uint8Array[] = [];
  private rest: number[] = [];

  add(...numbers: number[]): void {
    this.rest.push(...numbers);
    if (this.rest.length < MAX_UNPACKED) return;
    this.packed.push(packNumbers(this.rest));
    this.rest = [];
  }

  toChunks(): Uint8Array[] {
    return [...this.packed, packNumbers(this.rest)];
  }
}

/** Collects the occurrences of one term while building an index; sections and pages must be in ascending order. */
export class PostingListBuilder {
  private readonly sections = new NumberList();
  private readonly pages = new NumberList();
  private sectionCount = 0;
  private pageCount = 0;
  private lastSection = -1;
  private lastPage = -1;

  /** @param counts as returned by `packCounts` */
  addSection(section: number, counts: number): void {
    const gap = section - this.lastSection - 1;
    this.lastSection = section;
    this.sectionCount++;
    // Most terms occur once in the prose of a section: that case takes one number instead of two.
    if (counts === ONCE_IN_PROSE) this.sections.add(gap * 2);
    else this.sections.add(gap * 2 + 1, counts);
  }

  addPage(page: number, fields: number): void {
    this.pages.add(page - this.lastPage - 1, fields);
    this.lastPage = page;
    this.pageCount++;
  }

  toBytes(): Uint8Array {
    const sections = [packNumbers([this.sectionCount]), ...this.sections.toChunks()];
    return concatenate([...sections, packNumbers([this.pageCount]), ...this.pages.toChunks()]);
  }
}

/** The gap to the next section, from the first number of an entry. */
export function gapOf(first: number): number {
  return (first >> 1) + 1;
}

/** The packed counts of an entry, from its first number and perhaps the next one. */
export function countsOf(first: number, reader: NumberReader): number {
  return (first & 1) === 0 ? ONCE_IN_PROSE : reader.next();
}

/** Returns the occurrences of one term: the sections with `packCounts`, the pages with bits of `PageField`. */
export function readPostings(bytes: Uint8Array) {
  const reader = new NumberReader(bytes);
  const sections: { section: number; counts: number }[] = [];
  let section = -1;
  for (let left = reader.next(); left > 0 && !reader.done; left--) {
    const first = reader.next();
    section += gapOf(first);
    sections.push({ section, counts: countsOf(first, reader) });
  }
  const pages: { page: number; fields: number }[] = [];
  let page = -1;
  for (let left = reader.next(); left > 0 && !reader.done; left--) {
    page += reader.next() + 1;
    pages.push({ page, fields: reader.next() });
  }
  return { sections, pages };
}
