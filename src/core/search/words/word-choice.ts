/** How many words, in alphabetical order from a prefix on, completions are chosen from. */
export const MAX_PREFIXED = 2000;

/** Returns the indexes of the shortest of some sorted words; equally long ones in their order. */
export function shortest(words: readonly string[], most: number): number[] {
  return words
    .map((_, index) => index)
    .sort((a, b) => (words[a] as string).length - (words[b] as string).length || a - b)
    .slice(0, most);
}
