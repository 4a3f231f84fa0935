/** Reads passages together with a question, and scores how well each answers it. */
export interface Reranker {
  /** For messages. */
  readonly name: string;
  /** Input limits; defaults to thirty passages of about five hundred tokens. */
  readonly reads?: { maxPassages: number; maxCharacters: number };
  /**
   * Returns one score per passage, in order: 0–1, higher is better.
   * @throws ProviderFault, also for a response that does not contain such scores; the signal's
   *   reason if it was aborted
   * @param traceparent W3C trace context of the call, for the model's server
   */
  rerank(
    query: string,
    passages: readonly string[],
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<number[]>;
}
