import { LRUCache } from 'lru-cache';
import type { HighlightedToken } from '../../core/content/page-renderer.ts';

/** Characters of code whose tokens a thread caches. Tokens take about twenty times the memory of their text. */
const MAX_CHARACTERS = 1_000_000;

/** Caches the tokens of the most recently used blocks: the same code is on the pages of every language and version of a site. */
export const createTokenCache = () =>
  new LRUCache<string, HighlightedToken[][]>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_lines, key) => Math.max(1, key.length),
  });
