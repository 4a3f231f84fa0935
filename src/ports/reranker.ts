/** Reads passages together with a question, and says how well each answers it. */
export interface Reranker {
  /** For messages. */
  readonly name: string;
  /**
   * One score for each passage, in their order: 0–1, more is better.
   * @throws ProviderFault, also for an answer that is not such scores; the signal's reason where it was aborted
   */
  rerank(query: string, passages: readonly string[], signal: AbortSignal): Promise<number[]>;
}
