import { type Postings, unpackCounts } from '../index/posting-list.ts';
import type { SearchData } from '../index/search-data.ts';
import { lowerBoundOf } from '../index/search-data.ts';
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

const COUNTS = Array.from({ length: 64 }, (_, packed) => unpackCounts(packed));

/** Looks up the occurrences of a query's words in some pages. */
export function queryEvidence(
  data: SearchData,
  groups: readonly QueryGroup[],
  pages: readonly number[],
  postings: Postings,
): QueryEvidence {
  const found = pages.map((page): PageEvidence => {
    const sectionCount = (data.firstSection[page + 1] as number) - (data.firstSection[page] as number);
    const size = groups.length * sectionCount;
    const [heading, prose, code] = [new Float32Array(size), new Float32Array(size), new Float32Array(size)];
    return { page, sectionCount, heading, prose, code, fields: new Uint8Array(groups.length) };
  });
  const weights = Float64Array.from(groups, ({ importance, variants }, group) => {
    let frequency = -1;
    for (const [term, variant] of variants) {
      if (variant < SAME_WORD) continue;
      data.readPostings(term, postings);
      frequency = Math.max(frequency, postings.sectionCount * variant);
      for (const page of found) add(data, postings, page, group, variant);
    }
    return frequency < 0 ? 0 : importance * Math.log(1 + (data.sectionCount + 0.5) / (frequency + 0.5));
  });
  return { weights, total: weights.reduce((sum, weight) => sum + weight, 0) || 1, pages: found };
}

function add(data: SearchData, postings: Postings, into: PageEvidence, group: number, variant: number): void {
  const { page, sectionCount, heading, prose, code, fields } = into;
  const first = data.firstSection[page] as number;
  const base = group * sectionCount - first;
  const end = first + sectionCount;
  for (let i = lowerBoundOf(postings.sections, first, postings.sectionCount); i < postings.sectionCount; i++) {
    const section = postings.sections[i] as number;
    if (section >= end) break;
    const counts = COUNTS[postings.counts[i] as number] as ReturnType<typeof unpackCounts>;
    const at = base + section;
    heading[at] = Math.max(heading[at] as number, counts.heading * variant);
    (prose[at] as number) += counts.prose * variant;
    (code[at] as number) += counts.code * variant;
  }
  const at = lowerBoundOf(postings.pages, page, postings.pageCount);
  if (at < postings.pageCount && postings.pages[at] === page) (fields[group] as number) |= postings.fields[at] as number;
}
