/** What training found: how much each column tells, per unit of its value. */
export interface SecondStageWeights {
  /** Of everything that the columns depend on, so that a change of it is noticed. */
  fingerprint: string;
  /** What the facts of an ordinary page are, in the order of `PAGE_COLUMNS`. */
  pageMeans: readonly number[];
  page: readonly number[];
  /** In the order of `QUERY_COLUMNS`. */
  query: readonly number[];
}
