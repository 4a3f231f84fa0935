import { STORED_FORMS } from '@docent/format/build/stored-forms.ts';
import { concatenate, decodeUtf8, encodeUtf8 } from '@docent/format/bytes.ts';
import { ByteLists } from './byte-lists.ts';

/**
 * A serialized index is UTF-8 text: one line of JSON with the byte lengths of the parts, then the
 * parts. Numbers are packed into printable characters, so that the whole fits into a JavaScript
 * string.
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

/**
 * The content of a part, which may be too much to be in memory at once. It can be read more than
 * once.
 */
export interface PartContent {
  readonly sizeBytes: number;
  /** A chunk may change when the next is asked for. */
  chunks(): Iterable<Uint8Array>;
}

/** Returns all of a content. */
export function wholeOf(content: PartContent): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(content.sizeBytes);
  let at = 0;
  for (const chunk of content.chunks()) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Joins the parts of an index, each in chunks, into one file. */
export function joinParts(parts: Record<PartName, readonly Uint8Array[]>): Uint8Array {
  const contents = PARTS.map((name) => [name, contentOf(parts[name])] as const);
  return wholeOf(inOrder(Object.fromEntries(contents) as Record<PartName, PartContent>));
}

/** The same for parts that are not in memory. */
export function inOrder(parts: Record<PartName, PartContent>): PartContent {
  const lengths = PARTS.map((name) => parts[name].sizeBytes);
  const header = encodeUtf8(`${JSON.stringify({ format: FORMAT, lengths })}\n`);
  return {
    sizeBytes: lengths.reduce((sum, length) => sum + length, header.length),
    *chunks() {
      yield header;
      for (const name of PARTS) yield* parts[name].chunks();
    },
  };
}

/** A part whose chunks are in memory. */
export function contentOf(chunks: readonly Uint8Array[]): PartContent {
  return { sizeBytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0), chunks: () => chunks };
}

/** A serialized index, in memory or in a file. */
export interface IndexBytes {
  readonly sizeBytes: number;
  /** Returns the bytes from `start` to before `end`; they are not changed. */
  read(start: number, end: number): Uint8Array;
}

/** @returns the bytes as `IndexBytes`, which copies nothing */
export function bytesInMemory(bytes: Uint8Array): IndexBytes {
  return { sizeBytes: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

const MAX_HEADER_BYTES = 1000;
const NEWLINE = 10;

/**
 * Splits a serialized index without copying it.
 * @throws Error if the bytes are not a complete index of this version
 */
export function splitParts(bytes: Uint8Array): Parts {
  const places = placesOfParts(bytesInMemory(bytes));
  return Object.fromEntries(
    PARTS.map((name) => [name, bytes.subarray(places[name].start, places[name].end)]),
  ) as Parts;
}

/**
 * Returns where the parts of a serialized index are; `end` is the first byte after a part. @throws
 * Error like `splitParts`
 */
export function placesOfParts(bytes: IndexBytes): Record<PartName, { start: number; end: number }> {
  const head = bytes.read(0, Math.min(MAX_HEADER_BYTES, bytes.sizeBytes));
  const headerEnd = head.indexOf(NEWLINE);
  const lengths = readHeader(head.subarray(0, Math.max(headerEnd, 0)));
  let at = headerEnd + 1;
  const places = PARTS.map((name, index) => {
    const start = at;
    at += lengths[index] ?? 0;
    return [name, { start, end: at }];
  });
  if (at !== bytes.sizeBytes)
    throw new Error('The search index is cut short or damaged; build the site again.');
  return Object.fromEntries(places) as Record<PartName, { start: number; end: number }>;
}

function readHeader(head: Uint8Array): number[] {
  let header: { format?: unknown; lengths?: unknown } = {};
  try {
    header = JSON.parse(decodeUtf8(head));
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
 * Encodes whole numbers ≥ 0 as printable ASCII: five bits per character, the sixth says that more
 * follow. The 64 characters from
 * `#` on skip the backslash, because a string literal would double it.
 */
export function packNumbers(values: Iterable<number>): Uint8Array {
  const bytes: number[] = [];
  for (const value of values) packNumber(value, (byte) => bytes.push(byte));
  return new Uint8Array(bytes);
}

/** Passes on the bytes of one packed number. */
function packNumber(value: number, put: (byte: number) => void): void {
  let rest = value;
  for (; rest >= 32; rest = Math.floor(rest / 32)) put(characterOf((rest & 31) | 32));
  put(characterOf(rest));
}

function sizeOfNumber(value: number): number {
  let sizeBytes = 1;
  for (let rest = value; rest >= 32; rest = Math.floor(rest / 32)) sizeBytes++;
  return sizeBytes;
}

function characterOf(six: number): number {
  return six + FIRST < BACKSLASH ? six + FIRST : six + FIRST + 1;
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

  /** Where the next number begins. */
  get place(): number {
    return this.at;
  }

  next(): number {
    const { bytes } = this;
    let { at } = this;
    let value = 0;
    // Numbers below 2^30 use integer arithmetic; larger ones (lengths of a huge site) the slower
    // way.
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

/**
 * Converts lengths to offsets; one more than there are lengths, the last being the end. @param
 * first the first offset
 */
export function startsOf(lengths: Uint32Array, first = 0): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  starts[0] = first;
  for (let i = 0; i < lengths.length; i++)
    starts[i + 1] = (starts[i] as number) + (lengths[i] as number);
  return starts;
}

/** Where on a page, outside its sections, a term occurs; one bit each. */
export const PageField = { title: 1, path: 2, description: 4, operation: 8, trail: 16 } as const;

/**
 * How often a term occurs in the heading, the prose and the code of a section, packed into one
 * small number: one, three and two bits. Beyond a few, more occurrences are not informative.
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

const TERMS_AT_A_TIME = 1000;

/** The occurrences of terms on some of the pages of an index; their numbers begin with 0. */
export interface PackedLists {
  /**
   * For each term the list of its sections, then that of its pages: how many entries, the number
   * that the first begins with, the last entry, and how many bytes follow that number.
   */
  heads: Uint32Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
}

const LIST_HEAD = 4;

/**
 * Collects the occurrences of terms while building an index; sections and pages must be in
 * ascending order for each term.
 */
export class PostingLists {
  /** The sections of each term, then its pages, each as packed numbers. */
  readonly #lists = new ByteLists();
  readonly #counts: number[] = [];
  readonly #last: number[] = [];

  /** @param counts as returned by `packCounts` */
  addSection(term: number, section: number, counts: number): void {
    const list = term * 2;
    const gap = this.#gap(list, section);
    // Most terms occur once in the prose of a section: that case takes one number instead of two.
    this.#put(list, gap * 2 + (counts === ONCE_IN_PROSE ? 0 : 1));
    if (counts !== ONCE_IN_PROSE) this.#put(list, counts);
  }

  addPage(term: number, page: number, fields: number): void {
    const list = term * 2 + 1;
    this.#put(list, this.#gap(list, page));
    this.#put(list, fields);
  }

  #put(list: number, value: number): void {
    // Nearly all numbers.
    if (value < 32) this.#lists.add(list, characterOf(value));
    else packNumber(value, (byte) => this.#lists.add(list, byte));
  }

  /** Counts an entry. @returns how many were skipped before it */
  #gap(list: number, entry: number): number {
    const gap = entry - (this.#last[list] ?? -1) - 1;
    this.#last[list] = entry;
    this.#counts[list] = (this.#counts[list] ?? 0) + 1;
    return gap;
  }

  /** Returns the lists of these terms, in this order. */
  packed(terms: readonly number[]): PackedLists {
    const heads = new Uint32Array(terms.length * 2 * LIST_HEAD);
    const rests: Uint8Array[] = [];
    for (let place = 0; place < terms.length * 2; place++) {
      const list = (terms[place >> 1] as number) * 2 + (place & 1);
      const count = this.#counts[list];
      if (count === undefined) continue;
      const bytes = this.#lists.read(list);
      const reader = new NumberReader(bytes);
      const first = reader.next();
      const rest = bytes.subarray(reader.place);
      heads.set([count, first, this.#last[list] as number, rest.length], place * LIST_HEAD);
      rests.push(rest);
    }
    return { heads, bytes: concatenate(rests) };
  }

  /**
   * Adds the lists of pages that come next.
   * @param terms those of the lists, in their order
   * @param start how many sections and pages come before
   */
  addPacked(
    terms: readonly number[],
    { heads, bytes }: PackedLists,
    start: { section: number; page: number },
  ): void {
    let at = 0;
    for (let head = 0; head < heads.length; head += LIST_HEAD) {
      const count = heads[head] as number;
      if (count === 0) continue;
      const first = heads[head + 1] as number;
      const kind = (head / LIST_HEAD) % 2;
      const list = (terms[Math.floor(head / LIST_HEAD / 2)] as number) * 2 + kind;
      const before = kind === 0 ? start.section : start.page;
      const skipped = before - (this.#last[list] ?? -1) - 1;
      // Of a section the number also says whether another follows.
      this.#put(list, first + (kind === 0 ? skipped * 2 : skipped));
      const end = at + (heads[head + 3] as number);
      this.#lists.addAll(list, bytes, at, end);
      at = end;
      this.#last[list] = before + (heads[head + 2] as number);
      this.#counts[list] = (this.#counts[list] ?? 0) + count;
    }
  }

  /** Returns the bytes of the occurrences of a term. */
  bytesOf(term: number): Uint8Array {
    const bytes = new Uint8Array(this.sizeOf(term));
    this.#write(term, bytes, 0);
    return bytes;
  }

  sizeOf(term: number): number {
    return this.#sizeOf(term * 2) + this.#sizeOf(term * 2 + 1);
  }

  #sizeOf(list: number): number {
    return this.#lists.sizeOf(list) + sizeOfNumber(this.#counts[list] ?? 0);
  }

  /** Writes what `bytesOf` returns. @returns where it ends */
  #write(term: number, to: Uint8Array, start: number): number {
    let at = start;
    for (const list of [term * 2, term * 2 + 1]) {
      packNumber(this.#counts[list] ?? 0, (byte) => {
        to[at++] = byte;
      });
      at = this.#lists.copy(list, to, at);
    }
    return at;
  }

  /** Returns the occurrences of terms, in this order. */
  contentOf(terms: readonly number[]): PartContent {
    const groups = Array.from(
      { length: Math.ceil(terms.length / TERMS_AT_A_TIME) },
      (_, group) => group * TERMS_AT_A_TIME,
    );
    const sizeOf = (some: readonly number[]) =>
      some.reduce((sum, term) => sum + this.sizeOf(term), 0);
    const chunkOf = (from: number) => {
      const some = terms.slice(from, from + TERMS_AT_A_TIME);
      const chunk = new Uint8Array(sizeOf(some));
      some.reduce((at, term) => this.#write(term, chunk, at), 0);
      return chunk;
    };
    return {
      sizeBytes: sizeOf(terms),
      *chunks() {
        for (const from of groups) yield chunkOf(from);
      },
    };
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

/**
 * Returns the occurrences of one term: the sections with `packCounts`, the pages with bits of
 * `PageField`.
 */
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
