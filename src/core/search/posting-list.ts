import { type NumberPacker, NumberReader } from './packed-numbers.ts';

/** Where on a page, outside its sections, a term stands; one bit each. */
export const PageField = { title: 1, path: 2, description: 4, operation: 8 } as const;

const MOST_PROSE = 7;
const MOST_CODE = 3;

/** Collects the occurrences of one term while an index is built; sections and pages must come in rising order. */
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
    // Most terms stand once in the prose of a section: that case takes one number instead of two.
    if (heading === 0 && prose === 1 && code === 0) this.sections.push(gap * 2);
    else {
      const counts = Math.min(heading, 1) | (Math.min(prose, MOST_PROSE) << 1) | (Math.min(code, MOST_CODE) << 4);
      this.sections.push(gap * 2 + 1, counts);
    }
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

/** Receives the occurrences of a term. */
export interface PostingVisitor {
  section(section: number, heading: number, prose: number, code: number): void;
  page(page: number, fields: number): void;
}

/** Walks through the packed list of one term. */
export function visitPostings(bytes: Uint8Array, start: number, end: number, visitor: PostingVisitor): void {
  const reader = new NumberReader(bytes, start, end);
  let section = -1;
  for (let left = reader.next(); left > 0; left--) {
    const first = reader.next();
    section += Math.floor(first / 2) + 1;
    if (first % 2 === 0) visitor.section(section, 0, 1, 0);
    else {
      const counts = reader.next();
      visitor.section(section, counts & 1, (counts >> 1) & MOST_PROSE, counts >> 4);
    }
  }
  let page = -1;
  for (let left = reader.next(); left > 0; left--) {
    page += reader.next() + 1;
    visitor.page(page, reader.next());
  }
}
