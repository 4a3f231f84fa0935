const MARKS = /\p{M}/gu;
const LETTERS_WITHOUT_DECOMPOSITION = /[ßøæœłđðþı]/g;
const REPLACEMENTS = new Map([
  ['ß', 'ss'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
]);
const NOT_ASCII = /[^\u0000-\u007f]/;

/** Returns a word in lower case without diacritics: `Crème` → `creme`. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(LETTERS_WITHOUT_DECOMPOSITION, (letter) => REPLACEMENTS.get(letter) as string);
}
