import { stem } from './stem.ts';
import { stopWords } from './stop-words.ts';
import { wordForms } from './tokenize.ts';

/** A word of a text, as input of the ranking. */
export interface WordStems {
  /** Stem of the whole word, then of its parts. */
  stems: readonly string[];
  isStopWord: boolean;
}

const MAX_REMEMBERED = 50_000;
const remembered = new Map<string, WordStems>();

/** Analyzes a word from `scanWords`. Results are cached, because texts repeat their words. */
export function wordStems(word: string): WordStems {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const { whole, parts } = wordForms(word);
  const found = { stems: (whole === '' ? parts : [whole, ...parts]).map(stem), isStopWord: stopWords.has(whole) };
  remembered.set(word, found);
  return found;
}
