/** What the code of an author may use while a site is built. */
export const islandLimits = {
  /** CPU time of one component, and of the code around the components of one page. */
  cpuMs: 50,
  /** Wall clock after which a thread that does not answer is ended: some loops inside the engine cannot be interrupted. */
  silenceMs: 3000,
  memoryBytes: 64 * 1024 * 1024,
  /** More would overflow the stack of the host before that of the engine. */
  stackBytes: 256 * 1024,
  /** Characters of what one component renders, as JSON. */
  outputLength: 1_000_000,
  /** Characters of all code that the components of one page import. */
  codeLength: 1_000_000,
  /** Islands of one page that are rendered; further ones have placeholders. */
  perPage: 200,
};
