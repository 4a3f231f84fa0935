import { unescapeHtml } from '../html.ts';

const CLASS_ATTRIBUTE = ' class="';
const SEPARATORS = /\s+/;
/**
 * Separators of class names in the source of a component or a script: quotes (escaped ones too),
 * blanks, template braces.
 */
const SOURCE_SEPARATORS = /[\s"'`;{}<>\\]+/;
/**
 * Class names contain no capitals and no code punctuation, except in arbitrary values in brackets.
 */
const SOURCE_NAME = /^[-!@*a-z[](?:[a-z0-9_:./%!@*#&-]*$|[^[]*\[)/;
/** Longer words are not class names. */
const MAX_NAME_LENGTH = 200;
/** Formulas have their own class names, some of which are also utilities (`underline`). */
const FORMULA =
  /^(?:katex|m(?:ord|op|bin|rel|open|close|punct|inner|space|frac|supsub)|vlist|base|strut)\b/;

/**
 * Collects the class names that authors wrote in a page: those of its HTML, without the theme's own
 * (`d-…`).
 * @param markup generated HTML
 * @param into receives the names, so that several pieces can share one set
 */
export function collectClassNames(markup: string, into: Set<string> = new Set()): Set<string> {
  const seen = new Set<string>();
  for (let at = markup.indexOf(CLASS_ATTRIBUTE); at >= 0; ) {
    const start = at + CLASS_ATTRIBUTE.length;
    const end = markup.indexOf('"', start);
    if (end < 0) break;
    const value = markup.slice(start, end);
    // A page repeats the same few values.
    if (!seen.has(value)) {
      seen.add(value);
      addNames(value, into);
    }
    at = markup.indexOf(CLASS_ATTRIBUTE, end);
  }
  return into;
}

function addNames(value: string, into: Set<string>): void {
  if (FORMULA.test(value)) return;
  for (const name of unescapeHtml(value).split(SEPARATORS)) if (isCandidate(name)) into.add(name);
}

/**
 * Collects the words in the source of a component or a script that may be class names, because it
 * can set other classes in the browser than those rendered. Finding too many is harmless: unknown
 * ones generate no styles.
 */
export function collectSourceWords(source: string, into: Set<string> = new Set()): Set<string> {
  for (const word of source.split(SOURCE_SEPARATORS))
    if (isCandidate(word) && SOURCE_NAME.test(word)) into.add(word);
  return into;
}

function isCandidate(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME_LENGTH && !name.startsWith('d-');
}
