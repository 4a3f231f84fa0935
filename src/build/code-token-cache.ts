import type { HighlightedToken } from '../core/content/page-renderer.ts';

/** Characters of code that a thread keeps the tokens of. Tokens take some twenty times the memory of their text. */
const CAPACITY = 1_000_000;

export interface TokenCache {
  get(key: string): HighlightedToken[][] | undefined;
  set(key: string, lines: HighlightedToken[][]): void;
}

/** Keeps the tokens of the blocks used last: the same code stands on the pages of every language and version of a site. */
export function createTokenCache(capacity = CAPACITY): TokenCache {
  const entries = new Map<string, HighlightedToken[][]>();
  let size = 0;
  return {
    get(key) {
      const lines = entries.get(key);
      if (lines) {
        entries.delete(key);
        entries.set(key, lines);
      }
      return lines;
    },
    set(key, lines) {
      if (entries.has(key)) size -= key.length;
      entries.delete(key);
      entries.set(key, lines);
      size += key.length;
      for (const oldest of entries.keys()) {
        if (size <= capacity) break;
        entries.delete(oldest);
        size -= oldest.length;
      }
    },
  };
}
