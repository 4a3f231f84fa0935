import { NumberReader } from '../index/packed-numbers.ts';
import { countsOf, gapOf, UNPACKED_COUNTS } from '../index/posting-list.ts';
import type { SearchData } from '../index/search-data.ts';
import type { QueryGroup } from '../query-groups.ts';

/** A variant with at least this match is another spelling of the word; a synonym is not. */
const SAME_WORD = 0.3;

/**
 * How often each word of a query occurs in a page: in the headings, the prose and the code of each section, and in the page
 * fields.
 */
export interface PageEvidence {
  page: number;
  sectionCount: number;
  /** By word, then by section. */
  heading: Float32Array;
  prose: Float32Array;
  code: Float32Array;
  /** Bits of `PageField`, by word. */
  fields: Uint8Array;
}

/** The words of a query and their weights. */
export interface QueryEvidence {
  /** Importance times rarity; 0 for a word that the index lacks. */
  weights: Float64Array;
  total: number;
  pages: PageEvidence[];
}

/** Looks up the occurrences of a query's words in some pages. */
export function queryEvidence(data: SearchData, groups: readonly QueryGroup[], pages: readonly number[]): QueryEvidence {
  const found = pages.map((page): PageEvidence => {
    const sectionCount = (data.firstSection[page + 1] as number) - (data.firstSection[page] as number);
    const size = groups.length * sectionCount;
    const [heading, prose, code] = [new Float32Array(size), new Float32Array(size), new Float32Array(size)];
    return { page, sectionCount, heading, prose, code, fields: new Uint8Array(groups.length) };
  });
  const inOrder = [...found].sort((a, b) => a.page - b.page);
  const weights = Float64Array.from(groups, ({ importance, variants }, group) => {
    let frequency = -1;
    for (const [term, variant] of variants) {
      if (variant < SAME_WORD) continue;
      const postings = new NumberReader(data.packedPostings(term));
      frequency = Math.max(frequency, addSections(data, postings, inOrder, group, variant) * variant);
      addFields(data, postings, inOrder, group);
    }
    return frequency < 0 ? 0 : importance * Math.log(1 + (data.sectionCount + 0.5) / (frequency + 0.5));
  });
  return { weights, total: weights.reduce((sum, weight) => sum + weight, 0) || 1, pages: found };
}

/** Adds the occurrences in the sections of some pages, which come in ascending order. Returns the number of all sections. */
function addSections(
  { firstSection, sectionCount }: SearchData,
  postings: NumberReader,
  pages: readonly PageEvidence[],
  group: number,
  variant: number,
): number {
  const count = Math.min(postings.next(), sectionCount);
  let at = 0;
  let [first, end] = bounds(pages[at], firstSection);
  let section = -1;
  for (let left = count; left > 0; left--) {
    const number = postings.next();
    section += gapOf(number);
    const packed = countsOf(number, postings);
    while (section >= end) [first, end] = bounds(pages[++at], firstSection);
    if (section < first) continue;
    const into = pages[at] as PageEvidence;
    const place = group * into.sectionCount + section - first;
    const counts = UNPACKED_COUNTS[packed] as (typeof UNPACKED_COUNTS)[number];
    into.heading[place] = Math.max(into.heading[place] as number, counts.heading * variant);
    (into.prose[place] as number) += counts.prose * variant;
    (into.code[place] as number) += counts.code * variant;
  }
  return count;
}

/** The first section of a page and the one after its last; without a page, there is no section between. */
function bounds(of: PageEvidence | undefined, firstSection: Uint32Array): [number, number] {
  if (of === undefined) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const first = firstSection[of.page] as number;
  return [first, first + of.sectionCount];
}

function addFields({ pages: all }: SearchData, postings: NumberReader, pages: readonly PageEvidence[], group: number): void {
  let at = 0;
  let page = -1;
  for (let left = Math.min(postings.next(), all.length); left > 0; left--) {
    page += postings.next() + 1;
    const fields = postings.next();
    while (at < pages.length && (pages[at] as PageEvidence).page < page) at++;
    const into = pages[at];
    if (into === undefined) return;
    if (into.page === page) (into.fields[group] as number) |= fields;
  }
}
