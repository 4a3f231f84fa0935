import { lowerBound } from '../index/search-data.ts';

const MAX_FOUND = 8;

/**
 * Returns the indexes of the words that differ from `typed` by one typo: a letter inserted, missing, replaced, or two adjacent
 * letters swapped. Assumes that the first letter is correct, because it nearly always is.
 * @param words sorted
 */
export function similarWords(words: readonly string[], typed: string): number[] {
  const found: number[] = [];
  const first = typed.charAt(0);
  for (let i = lowerBound(words, first); i < words.length && found.length < MAX_FOUND; i++) {
    const word = words[i] as string;
    if (word.charAt(0) !== first) break;
    if (Math.abs(word.length - typed.length) <= 1 && isOneEditApart(word, typed)) found.push(i);
  }
  return found;
}

function isOneEditApart(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && a.charCodeAt(a.length - 1 - suffix) === b.charCodeAt(b.length - 1 - suffix)) suffix++;
  const [leftInA, leftInB] = [a.length - prefix - suffix, b.length - prefix - suffix];
  if (leftInA <= 1 && leftInB <= 1) return true;
  return leftInA === 2 && leftInB === 2 && a[prefix] === b[prefix + 1] && a[prefix + 1] === b[prefix];
}
