import { type BitCoder, BitModel } from './bit-coder.ts';
import { codeNumber, codeTree, NUMBER_SIZE, treeSize } from './code-numbers.ts';

/** Where one term stands, as `readPostings` gives it but with arrays of just the right length. */
export interface TermPostings {
  sections: Uint32Array;
  /** As `packCounts` gives them. */
  counts: Uint8Array;
  pages: Uint32Array;
  fields: Uint8Array;
}

/** How many sections and pages an index has. */
export interface IndexSize {
  sectionCount: number;
  pageCount: number;
}

const RARITIES = 17;
const GAP_KINDS = 3;
const COUNT_KINDS = 5;
const COUNT_BITS = 6;
const FIELD_BITS = 5;

const GAPS = 0;
const COUNTS = GAPS + RARITIES * GAP_KINDS * NUMBER_SIZE;
const PAGE_GAPS = COUNTS + COUNT_KINDS * treeSize(COUNT_BITS);
const FIELDS = PAGE_GAPS + RARITIES * NUMBER_SIZE;
const SECTION_NUMBER = FIELDS + treeSize(FIELD_BITS);
const PAGE_NUMBER = SECTION_NUMBER + NUMBER_SIZE;

export function postingModel(): BitModel {
  return new BitModel(PAGE_NUMBER + NUMBER_SIZE);
}

/** How many of how many, in powers of two. */
function rarity(count: number, total: number): number {
  return Math.min(RARITIES - 1, 31 - Math.clz32(Math.max(1, Math.floor(total / count))));
}

/** Terms stand in clusters: after a near place the next is near too. */
function kindOfGap(gap: number): number {
  return gap === 0 ? 0 : gap < 8 ? 1 : 2;
}

/** Counts come in runs as well: only prose, a heading, code beside prose, only code, much prose. */
function kindOfCounts(counts: number): number {
  if (counts === 2) return 0;
  if (counts & 1) return 1;
  if (counts < 16) return 4;
  return counts & 14 ? 2 : 3;
}

/**
 * Codes the postings of one term.
 * @param size how many sections and pages the index has
 * @param postings none for the reader
 */
export function codePostings(coder: BitCoder, model: BitModel, size: IndexSize, postings?: TermPostings): TermPostings {
  const sectionCount = Math.min(codeNumber(coder, model, SECTION_NUMBER, postings?.sections.length ?? 0), size.sectionCount);
  const pageCount = Math.min(codeNumber(coder, model, PAGE_NUMBER, postings?.pages.length ?? 0), size.pageCount);
  const coded = postings ?? {
    sections: new Uint32Array(sectionCount),
    counts: new Uint8Array(sectionCount),
    pages: new Uint32Array(pageCount),
    fields: new Uint8Array(pageCount),
  };
  codeSections(coder, model, rarity(sectionCount, size.sectionCount), coded);
  codePages(coder, model, rarity(pageCount, size.pageCount), coded);
  return coded;
}

function codeSections(coder: BitCoder, model: BitModel, rarity: number, { sections, counts }: TermPostings): void {
  let next = 0;
  let gapKind = GAP_KINDS - 1;
  let countKind = 0;
  for (let i = 0; i < sections.length; i++) {
    const gap = codeNumber(coder, model, GAPS + (rarity * GAP_KINDS + gapKind) * NUMBER_SIZE, (sections[i] as number) - next);
    sections[i] = next + gap;
    next += gap + 1;
    gapKind = kindOfGap(gap);
    counts[i] = codeTree(coder, model, COUNTS + countKind * treeSize(COUNT_BITS), COUNT_BITS, counts[i] as number);
    countKind = kindOfCounts(counts[i] as number);
  }
}

function codePages(coder: BitCoder, model: BitModel, rarity: number, { pages, fields }: TermPostings): void {
  let next = 0;
  for (let i = 0; i < pages.length; i++) {
    pages[i] = next + codeNumber(coder, model, PAGE_GAPS + rarity * NUMBER_SIZE, (pages[i] as number) - next);
    next = (pages[i] as number) + 1;
    fields[i] = codeTree(coder, model, FIELDS, FIELD_BITS, fields[i] as number);
  }
}
