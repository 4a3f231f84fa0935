import { type ApiWord, isSymbolWord } from '../../core/api-reference/markup/words.ts';
import type { Locale } from './locale.ts';
import { TRANSLATIONS } from './translations.ts';

/**
 * Returns the translator for the words of API pages. The page contains the English ones.
 * @returns takes a word and its form in the page
 */
export function apiWords({ tag, code, messages }: Locale): (word: ApiWord, english: string) => string {
  if (code === 'en') return (_, english) => english;
  const { playground: texts, symbols } = TRANSLATIONS[code];
  return (word, english) => {
    if (word === 'ownProperties') return texts.properties;
    if (isSymbolWord(word)) return symbols[word];
    if (word === 'tryIt') return messages.tryIt;
    if (word === 'deprecatedTitle') return messages.deprecated;
    if (word === 'deprecated') return messages.deprecated.toLocaleLowerCase(tag);
    // Plural rules after numbers differ by language.
    if (word === 'properties') return `${texts.properties} (${Number.parseInt(english, 10)})`;
    if (word === 'servers') return `${texts.server} (${Number.parseInt(english, 10)})`;
    return word === 'authorizations' ? texts.authorization : texts[word];
  };
}
