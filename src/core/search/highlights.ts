import { excerpt } from './excerpt.ts';
import { MAX_QUERY_LENGTH, MAX_WORDS } from './query-groups.ts';
import type { SearchDocument, SearchHit } from './search-index.ts';
import { characterClass, commonWords, scanWords, stopWords, UNSPACED, wordStems } from './words/tokenize.ts';

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
 * Returns why the sections of a page matched: an excerpt of each that contains words of the query in any form, best section
 * first, at most three. Returns no markup, so callers need not trust it as HTML.
 */
export function highlightsOf(query: string, sections: readonly SearchHit[]): Highlight[] {
  const wanted = contentStems(query.slice(0, MAX_QUERY_LENGTH));
  const found: Highlight[] = [];
  for (const { document } of sections) {
    const next = highlightOf(document, wanted);
    if (next !== undefined) found.push(next);
    if (found.length === MAX_HIGHLIGHTS) break;
  }
  return found;
}

/** The stems of a query without function words, which would be marked everywhere; all stems if no others are left. */
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

function highlightOf({ text, code, description, headings }: SearchDocument, wanted: ReadonlySet<string>): Highlight | undefined {
  for (const whole of [text, code, headings.join(' › '), description]) {
    const body = whole.slice(0, MAX_BODY_LENGTH);
    const pattern = patternOf(body, wanted);
    if (pattern !== undefined) return cutOut(body, pattern);
  }
  return undefined;
}

/** Returns a pattern for the words of a text that are forms of the wanted ones; undefined if there are none. */
function patternOf(body: string, wanted: ReadonlySet<string>): RegExp | undefined {
  const words = new Set<string>();
  const pairs = new Set<string>();
  scanWords(body, (word) => {
    const matching = wordStems(word).stems.filter((stem) => wanted.has(stem));
    if (matching.length === 0) return;
    // A run without spaces contains many words; only the queried pairs of characters match.
    if (characterClass(word.charCodeAt(0)) === UNSPACED) for (const pair of matching) pairs.add(pair);
    else words.add(word.replaceAll('.', '\\.'));
  });
  const maxFirst = (all: ReadonlySet<string>) => [...all].sort((a, b) => b.length - a.length).join('|');
  const patterns = [...pairs];
  // The possible word starts are checked once for all words, otherwise the text would be scanned once per word.
  if (words.size > 0) patterns.unshift(`(?<![\\p{L}\\p{N}])(?:${maxFirst(words)})(?![\\p{L}\\p{N}])`);
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
