/**
 * All constants of the ranking. They were tuned by measurement (`bench/retrieval.ts`), avoiding
 * sharp peaks: the result must not depend on the second digit.
 */
export const rankingWeights = {
  /** How well a variant matches the typed word. */
  variants: {
    part: 0.5,
    joined: 0.8,
    synonym: 0.25,
    /** The owners of the site say that it means the same. */
    siteSynonym: 0.9,
    similar: 0.6,
    prefix: 0.6,
    stopWord: 0.05,
    commonWord: 0.3,
    /** A code identifier matches only itself. */
    identifier: 1.6,
  },
  /** Weight of one occurrence, by its place. */
  title: 4,
  path: 3,
  description: 4,
  operation: 3,
  heading: 2,
  prose: 1,
  code: 0.3,
  /**
   * Saturation of BM25: with this many weighted occurrences, a term reaches half of its maximum.
   */
  sectionSaturation: 2.5,
  pageSaturation: 5,
  /** Penalty for length, 0–1. */
  sectionLength: 0.4,
  pageLength: 0.8,
  titleLength: 0.5,
  /** Share of the page's title and description in the score of its sections. */
  titleInSection: 0.8,
  /** Share of the whole page in a section's score; the rest is the section itself. */
  pageShare: 0.55,
  /** Maximum gain for words that are as close as in the query. */
  proximity: 0.12,
  /** Gain in the folder of the reader's current page. */
  neighbourhood: 0.1,
  /** Factor for pages in another language than the reader prefers. */
  otherLanguage: 0.8,
  /** Exponent of authors' boosts: ×3 on a whole folder must not bury every other page. */
  boostPower: 0.25,
  /** Gain of a page whose name starts with the typed text, by the typed share. */
  begunName: 2,
  /** Loss for each doubling of the pages of a folder: few of many similar pages are relevant. */
  folderSize: 0.03,
  /** Factor for pages of API operations. */
  operationPage: 0.8,
};
