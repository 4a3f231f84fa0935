import { type NumberPacker, NumberReader } from './packed-numbers.ts';

/** Where on a page, outside its sections, a term occurs; one bit each. */
export const PageField = { title: 1, path: 2, description: 4, operation: 8, trail: 16 } as const;

const MAX_PROSE = 7;
const MAX_CODE = 3;

/** Packs how often a term occurs in a section into one small number. Beyond a few, more occurrences are not informative. */
export function packCounts(heading: number, prose: number, code: number): number {
  return Math.min(heading, 1) | (Math.min(prose, MAX_PROSE) << 1) | (Math.min(code, MAX_CODE) << 4);
}

export function unpackCounts(counts: number): { heading: number; prose: number; code: number } {
  return { heading: counts & 1, prose: (counts >> 1) & MAX_PROSE, code: counts >> 4 };
}

/** The unpacked counts, by the results of `packCounts`. */
export const UNPACKED_COUNTS = Array.from({ length: 64 }, (_, packed) => unpackCounts(packed));

const ONCE_IN_PROSE = packCounts(0, 1, 0);

/** Collects the occurrences of one term while building an index; sections and pages must be in ascending order. */
export class PostingListBuilder {
  private readonly sections: number[] = [];
  private readonly pages: number[] = [];
  private sectionCount = 0;
  private pageCount = 0;
  private lastSection = -1;
  private lastPage = -1;

  addSection(section: number, heading: number, prose: number, code: number): void {
    const gap = section - this.lastSection - 1;
    this.lastSection = section;
    this.sectionCount++;
    const counts = packCounts(heading, prose, code);
    // Most terms occur once in the prose of a section: that case takes one number instead of two.
    if (counts === ONCE_IN_PROSE) this.sections.push(gap * 2);
    else this.sections.push(gap * 2 + 1, counts);
  }

  addPage(page: number, fields: number): void {
    this.pages.push(page - this.lastPage - 1, fields);
    this.lastPage = page;
    this.pageCount++;
  }

  writeTo(packer: NumberPacker): void {
    packer.push(this.sectionCount);
    for (const value of this.sections) packer.push(value);
    packer.push(this.pageCount);
    for (const value of this.pages) packer.push(value);
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

/** The unpacked occurrences of one term; the arrays may be longer than their contents. */
export interface Postings {
  sectionCount: number;
  sections: Uint32Array;
  /** As returned by `packCounts`. */
  counts: Uint8Array;
  pageCount: number;
  pages: Uint32Array;
  /** Bits of `PageField`. */
  fields: Uint8Array;
}

/** Capacity for the postings of any term of an index. */
export function emptyPostings(sectionCount: number, pageCount: number): Postings {
  return {
    sectionCount: 0,
    sections: new Uint32Array(sectionCount),
    counts: new Uint8Array(sectionCount),
    pageCount: 0,
    pages: new Uint32Array(pageCount),
    fields: new Uint8Array(pageCount),
  };
}

/** Unpacks the list of one term into reused arrays. */
export function readPostings(bytes: Uint8Array, into: Postings): void {
  const reader = new NumberReader(bytes);
  const { sections, counts, pages, fields } = into;
  into.sectionCount = Math.min(reader.next(), sections.length);
  let section = -1;
  for (let i = 0; i < into.sectionCount; i++) {
    const first = reader.next();
    section += gapOf(first);
    sections[i] = section;
    counts[i] = countsOf(first, reader);
  }
  into.pageCount = Math.min(reader.next(), pages.length);
  let page = -1;
  for (let i = 0; i < into.pageCount; i++) {
    page += reader.next() + 1;
    pages[i] = page;
    fields[i] = reader.next();
  }
}
