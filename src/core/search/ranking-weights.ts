import type { VariantWeights } from './query-groups.ts';

/**
 * Every number that ranking depends on. They were set by measurement (`bench/retrieval.ts`) and by care that none sits
 * on a peak: the result must not hang on the second digit.
 */
export interface RankingWeights {
  variants: VariantWeights;
  /** Weight of one occurrence, by where it stands. */
  title: number;
  path: number;
  description: number;
  operation: number;
  heading: number;
  prose: number;
  code: number;
  /** Saturation of BM25: at this many weighted occurrences a term has given half of what it can. */
  sectionSaturation: number;
  pageSaturation: number;
  /** How far length counts against a text, 0–1. */
  sectionLength: number;
  pageLength: number;
  titleLength: number;
  /** Share of the page's title and description in the score of its sections. */
  titleInSection: number;
  /** Share of the whole page in a section's score; the rest is the section itself. */
  pageShare: number;
  /** Largest gain for words that stand near each other as in the query. */
  proximity: number;
  /** Gain in the folder of the page that the reader is on. */
  neighbourhood: number;
  /** What a page keeps of its score where the reader prefers another language. */
  otherLanguage: number;
  /** Authors' boosts are taken to this power: ×3 on a whole folder must not bury every other page. */
  boostPower: number;
  /** Gain of a page whose name begins with what was typed so far, by how much of it that is. */
  begunName: number;
  /** Loss for each doubling of the pages of a folder: of many alike, few are what is looked for. */
  folderSize: number;
  /** What a page of an API operation keeps of its score. */
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
