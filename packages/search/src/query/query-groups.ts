import type { SearchData } from '../index/search-data.ts';
import type { Synonyms } from '../search-rules.ts';
import { stem } from '../words/stem.ts';
import { MAX_PHRASE_WORDS, synonymsOf } from '../words/synonyms.ts';
import { commonWords, scanWords, stopWords, wordForms, wordStems } from '../words/tokenize.ts';
import { rankingWeights } from './ranking-weights.ts';

/**
 * The rest of a longer query is ignored: work must be bounded, and the important part is at the
 * beginning. A time limit would return other results on a busy machine or a slow phone; with these
 * limits the most expensive query takes about six times as long as an ordinary one.
 */
export const MAX_QUERY_LENGTH = 400;
/** Maximum words to look up. Function words are dropped first. */
export const MAX_WORDS = 32;

/** Returns the words of a query to look up. */
export function wordsToLookUp<Word>(
  words: readonly Word[],
  nameOf: (word: Word) => string,
): Word[] {
  if (words.length <= MAX_WORDS) return [...words];
  const content = words.filter((word) => !stopWords.has(nameOf(word)));
  return (content.length > 0 ? content : words).slice(0, MAX_WORDS);
}

/** One concept of the query, and the terms that match it. */
export interface QueryGroup {
  /** The stem of the word itself. */
  stem: string;
  /**
   * The weight of the word: low for function words, 1 for content words, higher for code
   * identifiers.
   */
  importance: number;
  /** Term ids with how well each matches the word, at most 1. */
  variants: Map<number, number>;
}

interface QueryWord {
  /** Folded; empty for characters of a script without spaces. */
  whole: string;
  stem: string;
  parts: string[];
  /** Written like a code identifier: `maxRetries`, `max_retries`. */
  isIdentifier: boolean;
}

const IDENTIFIER = /\p{Ll}\p{Lu}|[^_]_[^_]/u;

const weights = rankingWeights.variants;
const NO_SYNONYMS: Synonyms = new Map();
const MAX_COMPLETIONS = 24;
/** Second words of phrases like `turn off`; these often stand after what they are about. */
const PARTICLES: ReadonlySet<string> = new Set(
  'off out up down back away over on in apart together through around'.split(' '),
);
/** How far apart: `bring deleted pages back`. */
const MAX_PARTICLE_DISTANCE = 4;
/** With fewer letters, a typo could be any word. */
const MIN_LETTERS_FOR_TYPO = 5;

/** Parses a query into groups, looking up everything in the index. */
export function queryGroups(
  data: SearchData,
  query: string,
  completeLastWord: boolean,
  siteSynonyms?: Synonyms,
): QueryGroup[] {
  const words = wordsToLookUp(readWords(query.slice(0, MAX_QUERY_LENGTH)), ({ whole }) => whole);
  const groups = words.map((word) => groupOf(data, word));
  addRelatedWords(data, words, groups, siteSynonyms);
  addJoinedWords(data, words, groups);
  const lastWord = words.at(-1);
  if (completeLastWord && lastWord && /[\p{L}\p{N}]$/u.test(query))
    addCompletions(data, lastWord, groups.at(-1) as QueryGroup);
  groups.forEach((group, index) => {
    const { whole } = words[index] as QueryWord;
    if (group.variants.size === 0 && whole.length >= MIN_LETTERS_FOR_TYPO)
      addSimilarWords(data, whole, group);
  });
  return withoutRepetitions(groups);
}

function readWords(query: string): QueryWord[] {
  const words: QueryWord[] = [];
  scanWords(query, (word) => {
    const { whole, parts } = wordForms(word);
    if (whole !== '')
      words.push({
        whole,
        stem: stem(whole),
        parts: parts.map(stem),
        isIdentifier: IDENTIFIER.test(word),
      });
    else
      for (const pair of parts)
        words.push({ whole: '', stem: pair, parts: [], isIdentifier: false });
  });
  return words;
}

function addVariant(group: QueryGroup, term: number, weight: number): void {
  if (term >= 0 && weight > (group.variants.get(term) ?? 0)) group.variants.set(term, weight);
}

function groupOf(data: SearchData, word: QueryWord): QueryGroup {
  const group: QueryGroup = {
    stem: word.stem,
    importance: importanceOf(word),
    variants: new Map(),
  };
  addVariant(group, data.termId(word.stem), 1);
  for (const part of word.parts)
    addVariant(group, data.termId(part), weights.part / word.parts.length);
  return group;
}

function importanceOf({ whole, isIdentifier }: QueryWord): number {
  if (stopWords.has(whole)) return weights.stopWord;
  if (commonWords.has(whole)) return weights.commonWord;
  return isIdentifier ? weights.identifier : 1;
}

/**
 * Adds the synonyms of words and phrases, and what the lexicon says that readers mean by them. A
 * word of a phrase that the lexicon knows has no meaning of its own: `cut off` is not `cut`.
 */
function addRelatedWords(
  data: SearchData,
  words: QueryWord[],
  groups: QueryGroup[],
  siteSynonyms: Synonyms = NO_SYNONYMS,
): void {
  const isInPhrase = new Set<QueryWord>();
  for (let length = MAX_PHRASE_WORDS; length >= 1; length--) {
    for (const places of phrasesOf(words, length)) {
      const part = places.map((at) => words[at] as QueryWord);
      const phrase = part.map((word) => word.stem).join(' ');
      const meant =
        length === 1 && part.some((word) => isInPhrase.has(word))
          ? []
          : data.meantBy(phrase).filter((name) => termsOf(data, name).some((term) => term >= 0));
      if (length > 1 && meant.length > 0) for (const word of part) isInPhrase.add(word);
      for (const group of places.map((at) => groups[at] as QueryGroup)) {
        for (const name of siteSynonyms.get(phrase) ?? [])
          addName(data, group, name, weights.siteSynonym);
        // Words like `find` have a meaning only in a phrase.
        if (length === 1 ? group.importance < 1 : group.importance <= weights.stopWord) continue;
        for (const name of [...synonymsOf(phrase), ...meant])
          addName(data, group, name, weights.synonym);
      }
    }
  }
}

/** Returns the places of the words of each possible phrase. */
function phrasesOf(words: readonly QueryWord[], length: number): number[][] {
  const phrases = words
    .slice(length - 1)
    .map((_, from) => Array.from({ length }, (_item, at) => from + at));
  if (length !== 2) return phrases;
  words.forEach(({ whole }, to) => {
    if (!PARTICLES.has(whole)) return;
    for (let from = Math.max(0, to - MAX_PARTICLE_DISTANCE); from < to - 1; from++)
      phrases.push([from, to]);
  });
  return phrases;
}

/** Adds another name of a group. A word of a phrase carries only part of the phrase's meaning. */
function addName(data: SearchData, group: QueryGroup, name: string, weight: number): void {
  const stems = name.split(' ');
  for (const nameStem of stems)
    if (!stopWords.has(nameStem)) addVariant(group, data.termId(nameStem), weight / stems.length);
  if (stems.length > 1) addVariant(group, data.termId(stem(stems.join(''))), weight);
}

/** Returns the ids of the words of a name, and of all of them as one word; -1 for unknown ones. */
function termsOf(data: SearchData, name: string): number[] {
  const stems = name.split(' ');
  return [...stems, stem(stems.join(''))].map((word) => data.termId(word));
}

/** `sub folder` also finds `subfolder`. */
function addJoinedWords(data: SearchData, words: QueryWord[], groups: QueryGroup[]): void {
  for (let i = 0; i + 1 < words.length; i++) {
    const [first, second] = [words[i] as QueryWord, words[i + 1] as QueryWord];
    if (
      first.whole.length < 2 ||
      second.whole.length < 2 ||
      stopWords.has(first.whole) ||
      stopWords.has(second.whole)
    )
      continue;
    const joined = first.whole + second.whole;
    if (!data.hasWord(joined)) continue;
    const term = data.termId(stem(joined));
    addVariant(groups[i] as QueryGroup, term, weights.joined);
    addVariant(groups[i + 1] as QueryGroup, term, weights.joined);
  }
}

/** While the reader types, the last word may be a prefix. */
function addCompletions(data: SearchData, word: QueryWord, group: QueryGroup): void {
  if (word.whole.length < 2) return;
  const completions = data.completions(word.whole, MAX_COMPLETIONS);
  for (const { word: completion, term } of completions)
    addVariant(group, term, weights.prefix * (word.whole.length / completion.length));
  if (completions.length > 0) group.importance = Math.max(group.importance, weights.commonWord);
}

function addSimilarWords(data: SearchData, whole: string, group: QueryGroup): void {
  for (const { word, term } of data.similarWords(whole)) {
    addVariant(group, term, weights.similar);
    for (const synonym of synonymsOf(stem(word)))
      addVariant(group, data.termId(synonym), weights.synonym * weights.similar);
  }
}

/** A repeated word counts once. */
function withoutRepetitions(groups: readonly QueryGroup[]): QueryGroup[] {
  const byStem = new Map<string, QueryGroup>();
  for (const group of groups) {
    const existingGroup = byStem.get(group.stem);
    if (existingGroup === undefined) byStem.set(group.stem, group);
    else for (const [term, weight] of group.variants) addVariant(existingGroup, term, weight);
  }
  return [...byStem.values()];
}

/** Words further apart than this are unrelated. */
const MAX_GAP = 6;

/**
 * Returns how close the adjacent words of a query are in a text: 0 not at all, 1 all of them
 * adjacent and in order. Only for the few best candidates, because it reads the text.
 */
export function proximity(groups: readonly QueryGroup[], text: string): number {
  const content = groups.filter((group) => group.importance > 0.2);
  if (content.length < 2) return 0;
  const indexByStem = new Map(content.map((group, index) => [group.stem, index]));
  const lastSeen = new Array<number>(content.length).fill(-1);
  const nearest = new Array<number>(content.length - 1).fill(0);
  let position = 0;
  const seePair = (pair: number, other: number, worth: number) => {
    if (pair < 0 || pair >= nearest.length || lastSeen[other] === -1) return;
    const gap = position - (lastSeen[other] as number);
    if (gap > MAX_GAP) return;
    const closeness = (1 - (gap - 1) / MAX_GAP) * worth;
    nearest[pair] = Math.max(nearest[pair] as number, Math.min(1, closeness));
  };
  const see = (wordStem: string) => {
    const index = indexByStem.get(wordStem);
    if (index === undefined) return;
    lastSeen[index] = position;
    seePair(index - 1, index - 1, 1);
    // The reverse order is less significant than the order of the query.
    seePair(index, index + 1, 0.7);
  };
  scanWords(text, (word) => {
    const { stems, isStopWord } = wordStems(word);
    if (isStopWord) return;
    position++;
    for (const wordStem of stems) see(wordStem);
  });
  return nearest.reduce((sum, closeness) => sum + closeness, 0) / nearest.length;
}
