/** What a text is: some models place a question elsewhere than the passage that answers it. */
export type EmbeddedAs = 'document' | 'query';

/** Turns texts into vectors: texts of a similar meaning come to lie near each other. */
export interface Embedder {
  /** Names the model and all that changes its vectors; only vectors of one name can be compared. */
  readonly name: string;
  /**
   * What of a site is embedded: the text of each section, found by its nearness alone; or title and description of each page,
   * whose nearness the second stage of search weighs beside what it knows.
   */
  readonly embeds: 'sections' | 'pages';
  /** Most texts of one call. */
  readonly maxTexts: number;
  /** Most calls at a time. */
  readonly maxCalls: number;
  /**
   * One vector for each text, in their order, all of one length and of finite numbers. One call is one request: who calls
   * decides whether to try again.
   * @throws ProviderFault, also for an answer that is not such vectors; the signal's reason where it was aborted
   */
  embed(texts: readonly string[], as: EmbeddedAs, signal: AbortSignal): Promise<Float32Array[]>;
}
