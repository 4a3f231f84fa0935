import { foldWord } from './words/fold-word.ts';

/** No term of a text contains this character, so that one index can contain both names and words. */
export const NAME_MARK = '=';
/** Longer names are equal if they start alike. */
const MAX_NAME_LENGTH = 200;
const MAX_KEY_LENGTH = 80;
/** `C++` and `C#` are not C. */
const NAME_PARTS = /[\p{L}\p{N}]+(?:[+#]+(?![\p{L}\p{N}]))?/gu;

/**
 * Returns the term under which a name is indexed: its letters and digits without case, accents, spaces and punctuation, so that
 * `Custom domain`, `custom-domain` and `CustomDomain` are one name.
 * @returns an empty text if the name has neither letters nor digits
 */
export function nameTerm(name: string): string {
  const parts = foldWord(name.slice(0, MAX_NAME_LENGTH)).match(NAME_PARTS);
  return parts === null ? '' : NAME_MARK + parts.join('').slice(0, MAX_KEY_LENGTH);
}

/** Returns the terms of the same name in the singular and the plural. */
export function otherNumber(term: string): string[] {
  if (!/[a-z]{3}$/.test(term)) return [];
  if (term.endsWith('ies')) return [`${term.slice(0, -3)}y`, term.slice(0, -1)];
  if (/(?:s|x|ch|sh)es$/.test(term)) return [term.slice(0, -2), term.slice(0, -1)];
  if (/[^s]s$/.test(term)) return [term.slice(0, -1)];
  if (/[^aeiou]y$/.test(term)) return [`${term.slice(0, -1)}ies`];
  return /(?:s|x|ch|sh)$/.test(term) ? [`${term}es`] : [`${term}s`];
}
