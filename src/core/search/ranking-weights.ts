import type { VariantWeights } from './query-groups.ts';

/**
 * All constants of the ranking. They were tuned by measurement (`bench/retrieval.ts`), avoiding sharp peaks: the result must not
 * depend on the second digit.
 */
export interface RankingWeights {
  variants: VariantWeights;
  /** Weight of one occurrence, by its place. */
  title: number;
  path: number;
  description: number;
  operation: number;
  heading: number;
  prose: number;
  code: number;
  /** Saturation of BM25: with this many weighted occurrences, a term reaches half of its maximum. */
  sectionSaturation: number;
  pageSaturation: number;
  /** Penalty for length, 0–1. */
  sectionLength: number;
  pageLength: number;
  titleLength: number;
  /** Share of the page's title and description in the score of its sections. */
  titleInSection: number;
  /** Share of the whole page in a section's score; the rest is the section itself. */
  pageShare: number;
  /** Maximum gain for words that are as close as in the query. */
  proximity: number;
  /** Gain in the folder of the reader's current page. */
  neighbourhood: number;
  /** Factor for pages in another language than the reader prefers. */
  otherLanguage: number;
  /** Exponent of authors' boosts: ×3 on a whole folder must not bury every other page. */
  boostPower: number;
  /** Gain of a page whose name starts with the typed text, by the typed share. */
  begunName: number;
  /** Loss for each doubling of the pages of a folder: few of many similar pages are relevant. */
  folderSize: number;
  /** Factor for pages of API operations. */
  operationPage: number;
}

export const rankingWeights: RankingWeights = {
  variants: {
    part: 0.5,
    joined: 0.8,
    synonym: 0.25,
    similar: 0.6,
    prefix: 0.6,
    stopWord: 0.05,
    commonWord: 0.3,
    identifier: 1.6,
  },
  title: 4,
  path: 3,
  description: 4,
  operation: 3,
  heading: 2,
  prose: 1,
  code: 0.3,
  sectionSaturation: 2.5,
  pageSaturation: 5,
  sectionLength: 0.4,
  pageLength: 0.8,
  titleLength: 0.5,
  titleInSection: 0.8,
  pageShare: 0.55,
  proximity: 0.12,
  neighbourhood: 0.1,
  otherLanguage: 0.8,
  boostPower: 0.25,
  begunName: 2,
  folderSize: 0.03,
  operationPage: 0.8,
};
