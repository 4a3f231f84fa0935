/** The result of training: the weight of each column, per unit of its value. */
export interface SecondStageWeights {
  /** Hash of everything that the columns depend on, to detect changes. */
  fingerprint: string;
  /** The facts of an average page, in the order of `PAGE_COLUMNS`. */
  pageMeans: readonly number[];
  page: readonly number[];
  /** In the order of `QUERY_COLUMNS`. */
  query: readonly number[];
}
