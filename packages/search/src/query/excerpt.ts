import type { SearchDocument, SearchHit } from '../search-index.ts';
import {
  characterClass,
  commonWords,
  scanWords,
  stopWords,
  UNSPACED,
  wordStems,
} from '../words/tokenize.ts';
import { MAX_QUERY_LENGTH, MAX_WORDS } from './query-groups.ts';

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
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const ENDING = /(?:ing|ions?|ed|es|s)$/;
const MIN_STEM_LENGTH = 4;

function wordPattern(word: string, isTyped: boolean): string {
  if (UNSPACED_SCRIPT.test(word)) return word;
  const stem = word.replace(ENDING, '');
  // So many words begin with one or two letters that only the word which is being typed may be
  // continued.
  const end = word.length < 3 && !isTyped ? '(?![\\p{L}\\p{N}])' : '[\\p{L}\\p{N}]*';
  return `(?<![\\p{L}\\p{N}])${stem.length >= MIN_STEM_LENGTH ? stem : word}${end}`;
}

/**
 * Returns a pattern for the words of a query, ignoring endings, without function words if there are
 * others; undefined for a query without words. Words contain only letters and digits.
 */
export function queryPattern(query: string): RegExp | undefined {
  const all = [...new Set(query.toLowerCase().match(WORD) ?? [])];
  if (all.length === 0) return undefined;
  const content = all.filter((word) => !stopWords.has(word));
  const words = (content.length > 0 ? content : all).slice(0, 12);
  return new RegExp(words.map((word) => wordPattern(word, word === all.at(-1))).join('|'), 'giu');
}

/** Splits a text into runs at the matches. */
export function markWords(text: string, pattern: RegExp | undefined): TextRun[] {
  if (!pattern) return [{ text, hit: false }];
  const runs: TextRun[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) runs.push({ text: text.slice(from, match.index), hit: false });
    runs.push({ text: match[0], hit: true });
    from = match.index + match[0].length;
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

/**
 * Returns an excerpt around the matches, cut at spaces if there are any, with ellipses at the cuts.
 */
export function excerpt(
  text: string,
  pattern: RegExp | undefined,
  maxChars = SHORT_EXCERPT_CHARS,
): TextRun[] {
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

/** An excerpt of plain text around the words of a query. */
export interface Highlight {
  text: string;
  /** Positions of the words: `[start, end)` in UTF-16 units, ascending and disjoint. */
  ranges: [start: number, end: number][];
}

const MAX_HIGHLIGHTS = 3;
const HIGHLIGHT_CHARS = 240;
/** A section may be a whole book; its important part is at the beginning. */
const MAX_BODY_LENGTH = 50_000;

/**
 * Returns why the sections of a page matched: an excerpt of each that contains words of the query
 * in any form, best section first, at most three. Returns no markup, so callers need not trust it
 * as HTML.
 */
export function highlightsOf(query: string, sections: readonly SearchHit[]): Highlight[] {
  const queryStems = contentStems(query.slice(0, MAX_QUERY_LENGTH));
  const highlights: Highlight[] = [];
  for (const { document } of sections) {
    const next = highlightOf(document, queryStems);
    if (next !== undefined) highlights.push(next);
    if (highlights.length === MAX_HIGHLIGHTS) break;
  }
  return highlights;
}

/**
 * The stems of a query without function words, which would be marked everywhere; all stems if no
 * others are left.
 */
function contentStems(query: string): ReadonlySet<string> {
  const content = new Set<string>();
  const all = new Set<string>();
  scanWords(query, (word) => {
    if (content.size >= MAX_WORDS) return;
    const { stems, isStopWord } = wordStems(word);
    const tells = !isStopWord && !stopWords.has(word) && !commonWords.has(word.toLowerCase());
    for (const stem of stems) {
      all.add(stem);
      if (tells) content.add(stem);
    }
  });
  return content.size > 0 ? content : all;
}

function highlightOf(
  { text, code, description, headings }: SearchDocument,
  queryStems: ReadonlySet<string>,
): Highlight | undefined {
  for (const whole of [text, code, headings.join(' › '), description]) {
    const body = whole.slice(0, MAX_BODY_LENGTH);
    const pattern = patternOf(body, queryStems);
    if (pattern !== undefined) return cutOut(body, pattern);
  }
  return undefined;
}

/**
 * Returns a pattern for the words of a text that are forms of the wanted ones; undefined if there
 * are none.
 */
function patternOf(body: string, queryStems: ReadonlySet<string>): RegExp | undefined {
  const words = new Set<string>();
  const pairs = new Set<string>();
  scanWords(body, (word) => {
    const matching = wordStems(word).stems.filter((stem) => queryStems.has(stem));
    if (matching.length === 0) return;
    // A run without spaces contains many words; only the queried pairs of characters match.
    if (characterClass(word.charCodeAt(0)) === UNSPACED)
      for (const pair of matching) pairs.add(pair);
    else words.add(word.replaceAll('.', '\\.'));
  });
  const maxFirst = (all: ReadonlySet<string>) =>
    [...all].sort((a, b) => b.length - a.length).join('|');
  const patterns = [...pairs];
  // The possible word starts are checked once for all words, otherwise the text would be scanned
  // once per word.
  if (words.size > 0)
    patterns.unshift(`(?<![\\p{L}\\p{N}])(?:${maxFirst(words)})(?![\\p{L}\\p{N}])`);
  return patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'gu');
}

function cutOut(body: string, pattern: RegExp): Highlight {
  const ranges: Highlight['ranges'] = [];
  let text = '';
  for (const run of excerpt(body, pattern, HIGHLIGHT_CHARS)) {
    if (run.hit) ranges.push([text.length, text.length + run.text.length]);
    text += run.text;
  }
  return { text, ranges };
}
