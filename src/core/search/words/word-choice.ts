/** How many words of the alphabet, from a prefix on, its completions are chosen from. */
export const MAX_PREFIXED = 2000;

/** Indexes of the shortest of some sorted words, those of the same length in their order. */
export function shortest(words: readonly string[], most: number): number[] {
  return words
    .map((_, index) => index)
    .sort((a, b) => (words[a] as string).length - (words[b] as string).length || a - b)
    .slice(0, most);
}
