/** Limits for an author's code while a site is built. */
export const islandLimits = {
  /** CPU time of one component, and of the module code of one page. */
  cpuMs: 50,
  /**
   * Wall clock time after which a thread that does not answer is terminated: some loops inside the engine cannot be interrupted.
   * Long enough for a busy machine, on which a component would otherwise be missing from the page.
   */
  silenceMs: 8000,
  memoryBytes: 64 * 1024 * 1024,
  /** A higher value would overflow the host's stack before the engine's. */
  stackBytes: 256 * 1024,
  /** Maximum characters of JSON that one component renders. */
  outputLength: 1_000_000,
  /** Maximum characters of code that the components of one page import. */
  codeLength: 1_000_000,
  /** Maximum islands rendered per page; the others get placeholders. */
  perPage: 1000,
  /** CPU time of all components of one page, after which the others get placeholders. */
  pageMs: 10_000,
};
