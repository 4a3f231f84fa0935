import { LRUCache } from 'lru-cache';
import type { HighlightedToken } from '../../core/content/page-renderer.ts';

/** Characters of code that a thread keeps the tokens of. Tokens take some twenty times the memory of their text. */
const MAX_CHARACTERS = 1_000_000;

/** Keeps the tokens of the blocks used last: the same code stands on the pages of every language and version of a site. */
export const createTokenCache = () =>
  new LRUCache<string, HighlightedToken[][]>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_lines, key) => Math.max(1, key.length),
  });
