/**
 * The role of a text: some models embed questions differently from the passages that answer them.
 */
export type EmbeddedAs = 'document' | 'query';

/** Turns texts into vectors: texts of similar meaning are close to each other. */
export interface Embedder {
  /**
   * Identifies the model and everything that changes its vectors; only vectors with the same name
   * can be compared.
   */
  readonly name: string;
  /** Maximum texts per call. */
  readonly maxTexts: number;
  /** Maximum concurrent calls. */
  readonly maxCalls: number;
  /**
   * Returns one vector per text, in order, all of the same length and of finite numbers. One call
   * is one request: the caller decides whether to retry.
   * @throws ProviderFault, also for a response that does not contain such vectors; the signal's
   *   reason if it was aborted
   * @param traceparent W3C trace context of the call, for the model's server
   */
  embed(
    texts: readonly string[],
    as: EmbeddedAs,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<Float32Array[]>;
}
