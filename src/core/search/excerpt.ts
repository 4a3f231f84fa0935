import { stopWords } from './words/tokenize.ts';

/** A run of text, and whether it matches the query. */
export interface TextRun {
  text: string;
  hit: boolean;
}

const SHORT_EXCERPT_CHARS = 180;
/** Maximum characters before the first match. */
const LEAD_CHARS = 48;
const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts without spaces: a word may start anywhere in them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const ENDING = /(?:ing|ions?|ed|es|s)$/;
const MIN_STEM_LENGTH = 4;

function patternOf(word: string, isTyped: boolean): string {
  if (UNSPACED.test(word)) return word;
  const stem = word.replace(ENDING, '');
  // So many words begin with one or two letters that only the word which is being typed may be continued.
  const end = word.length < 3 && !isTyped ? '(?![\\p{L}\\p{N}])' : '[\\p{L}\\p{N}]*';
  return `(?<![\\p{L}\\p{N}])${stem.length >= MIN_STEM_LENGTH ? stem : word}${end}`;
}

/**
 * Returns a pattern for the words of a query, ignoring endings, without function words if there are others; undefined for a query
 * without words. Words contain only letters and digits.
 */
export function queryPattern(query: string): RegExp | undefined {
  const all = [...new Set(query.toLowerCase().match(WORD) ?? [])];
  if (all.length === 0) return undefined;
  const content = all.filter((word) => !stopWords.has(word));
  const words = (content.length > 0 ? content : all).slice(0, 12);
  return new RegExp(words.map((word) => patternOf(word, word === all.at(-1))).join('|'), 'giu');
}

/** Splits a text into runs at the matches. */
export function markWords(text: string, pattern: RegExp | undefined): TextRun[] {
  if (!pattern) return [{ text, hit: false }];
  const runs: TextRun[] = [];
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > from) runs.push({ text: text.slice(from, found.index), hit: false });
    runs.push({ text: found[0], hit: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) runs.push({ text: text.slice(from), hit: false });
  return runs;
}

/** Returns the start of the excerpt-sized range with the most distinct matches. */
function bestStart(text: string, pattern: RegExp, maxChars: number): number {
  const places = [...text.matchAll(pattern)];
  let best = 0;
  let most = 0;
  for (const [i, place] of places.entries()) {
    const distinct = new Set<string>();
    for (let at = i; at < places.length; at++) {
      const other = places[at] as RegExpExecArray;
      if (other.index >= place.index + maxChars - LEAD_CHARS) break;
      distinct.add(other[0].toLowerCase().slice(0, MIN_STEM_LENGTH));
    }
    if (distinct.size <= most) continue;
    most = distinct.size;
    best = place.index;
  }
  return best;
}

/** Returns an excerpt around the matches, cut at spaces if there are any, with ellipses at the cuts. */
export function excerpt(text: string, pattern: RegExp | undefined, maxChars = SHORT_EXCERPT_CHARS): TextRun[] {
  const clean = text.replace(/\s+/g, ' ').trim();
  const place = pattern ? bestStart(clean, pattern, maxChars) : 0;
  let start = place <= LEAD_CHARS ? 0 : place - LEAD_CHARS;
  if (start > 0) {
    const space = clean.indexOf(' ', start);
    if (space >= 0 && space < place) start = space + 1;
  }
  let end = Math.min(clean.length, start + maxChars);
  if (end < clean.length) {
    const space = clean.lastIndexOf(' ', end);
    if (space > start + maxChars / 2) end = space;
  }
  const cut = `${start > 0 ? '… ' : ''}${clean.slice(start, end)}${end < clean.length ? ' …' : ''}`;
  return markWords(cut, pattern);
}
