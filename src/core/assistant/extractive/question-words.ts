import { stem } from '../../search/words/stem.ts';
import { MAX_PHRASE_WORDS, synonymsOf } from '../../search/words/synonyms.ts';
import { commonWords, scanWords, stopWords, wordForms, wordStems } from '../../search/words/tokenize.ts';
import { grammarWordsOf, unspacedGrammar } from './grammar-words.ts';

const SYNONYM_WORTH = 0.7;
/** Part of a name is not the name: `Hub` is not `HubSpot`. */
const PART_WORTH = 0.5;
const COMMON_WORD_WORTH = 0.25;
/** Pairs of characters overlap, so two carry about as much as one word. */
const PAIR_WORTH = 0.5;
const MAX_WORDS = 64;
const PLEASANTRIES: ReadonlySet<string> = new Set(
  ['hi', 'hello', 'hey', 'thank', 'thanks', 'thx', 'please', 'ok', 'okay', 'yes', 'bye', 'great', 'cool'].map(stem),
);

interface Meaning {
  word: number;
  closeness: number;
}

interface WrittenWord {
  stem: string;
  /** Its index among the content words; −1 for function words. */
  word: number;
}

/** A word of the question at a position in a text. */
export interface WordMatch {
  at: number;
  word: number;
  closeness: number;
}

/** Words further apart than this are unrelated. */
const WINDOW = 24;
const NO_MEANINGS: readonly Meaning[] = [];

/** The content words of a question, for judging how well a text answers it. */
export class QuestionWords {
  /** Weight of each word. */
  private readonly worth: number[] = [];
  /** Stem → the word it stands for, and how well. */
  private readonly meanings = new Map<string, Meaning[]>();
  /** The same by written words, cached as texts are read because they repeat their words. */
  private readonly written = new Map<string, readonly Meaning[]>();
  /** Words that look like names: `Excel`, `OAuth`. */
  private readonly names: number[] = [];

  constructor(question: string) {
    const grammar = grammarWordsOf(question);
    const places = new Map<string, number>();
    const sequence: WrittenWord[] = [];
    scanWords(question, (word, start) => {
      if (this.worth.length >= MAX_WORDS) return;
      if (wordForms(word).whole === '') return this.addPairs(word, places);
      const { stems, isStopWord } = wordStems(word);
      const [whole] = stems;
      if (whole === undefined) return;
      if (isStopWord || grammar.has(word.toLowerCase()) || PLEASANTRIES.has(whole)) {
        sequence.push({ stem: whole, word: -1 });
        return;
      }
      const place = places.get(whole) ?? this.addWord(word, stems);
      places.set(whole, place);
      sequence.push({ stem: whole, word: place });
      if (isName(word, question.slice(0, start))) this.names.push(place);
    });
    this.addPhrases(sequence);
  }

  private addWord(word: string, stems: readonly string[]): number {
    const place = this.worth.push(commonWords.has(word.toLowerCase()) ? COMMON_WORD_WORTH : 1) - 1;
    const [whole, ...parts] = stems as [string, ...string[]];
    this.mean(whole, place, 1);
    for (const part of parts) this.mean(part, place, PART_WORTH);
    for (const synonym of synonymsOf(whole)) this.meanPhrase(synonym, place);
    return place;
  }

  /** Scripts without spaces are matched by pairs of characters, as in the search. */
  private addPairs(run: string, places: Map<string, number>): void {
    for (const pair of wordForms(run).parts) {
      if (unspacedGrammar.has(pair) || places.has(pair)) continue;
      const place = this.worth.push(PAIR_WORTH) - 1;
      places.set(pair, place);
      this.mean(pair, place, 1);
    }
  }

  /** `turn off` also means `disable`. */
  private addPhrases(sequence: readonly WrittenWord[]): void {
    for (let length = 2; length <= MAX_PHRASE_WORDS; length++) {
      for (let from = 0; from + length <= sequence.length; from++) {
        const phrase = sequence.slice(from, from + length);
        for (const synonym of synonymsOf(phrase.map((one) => one.stem).join(' '))) {
          for (const { word } of phrase) if (word >= 0) this.meanPhrase(synonym, word);
        }
      }
    }
  }

  private meanPhrase(synonym: string, place: number): void {
    const stems = synonym.split(' ').filter((one) => !stopWords.has(one));
    for (const one of stems) this.mean(one, place, SYNONYM_WORTH / stems.length);
  }

  private mean(stem: string, word: number, closeness: number): void {
    const meanings = this.meanings.get(stem);
    if (meanings === undefined) this.meanings.set(stem, [{ word, closeness }]);
    else meanings.push({ word, closeness });
  }

  private meaningsOf(word: string): readonly Meaning[] {
    const known = this.written.get(word);
    if (known !== undefined) return known;
    const { stems } = wordStems(word);
    const found = stems.flatMap((stem) => this.meanings.get(stem) ?? NO_MEANINGS);
    this.written.set(word, found.length === 0 ? NO_MEANINGS : found);
    return found;
  }

  /** The number of words. */
  get count(): number {
    return this.worth.length;
  }

  /** Whether it asks nothing: “hello”, “thanks”. */
  get isEmpty(): boolean {
    return this.worth.length === 0;
  }

  /** How well a text matches each word, 0–1. */
  found(text: string): Float32Array {
    const found = new Float32Array(this.worth.length);
    scanWords(text, (word) => {
      for (const { word: index, closeness } of this.meaningsOf(word)) {
        if (closeness > (found[index] as number)) found[index] = closeness;
      }
    });
    return found;
  }

  /** The positions of the question's words in a text, in order. */
  matches(text: string): WordMatch[] {
    const matches: WordMatch[] = [];
    let at = 0;
    scanWords(text, (written) => {
      at++;
      for (const { word, closeness } of this.meaningsOf(written)) matches.push({ at, word, closeness });
    });
    return matches;
  }

  /** How well a text with these matches covers each word, 0–1. */
  foundIn(matches: readonly WordMatch[]): Float32Array {
    const found = new Float32Array(this.worth.length);
    for (const { word, closeness } of matches) if (closeness > (found[word] as number)) found[word] = closeness;
    return found;
  }

  /** The largest share of the question within a few adjacent words, 0–1. */
  densest(matches: readonly WordMatch[], rarity: Float32Array): number {
    let all = 0;
    for (let i = 0; i < this.worth.length; i++) all += (this.worth[i] as number) * (rarity[i] as number);
    let best = 0;
    for (let from = 0; from < matches.length; from++) {
      const start = (matches[from] as WordMatch).at;
      const found = new Float32Array(this.worth.length);
      let sum = 0;
      for (let to = from; to < matches.length; to++) {
        const { at, word, closeness } = matches[to] as WordMatch;
        if (at - start > WINDOW) break;
        const more = closeness - (found[word] as number);
        if (more <= 0) continue;
        found[word] = closeness;
        sum += more * (this.worth[word] as number) * (rarity[word] as number);
      }
      if (sum > best) best = sum;
    }
    return all === 0 ? 0 : best / all;
  }

  /** The matched share of the question, 0–1; words that are `rare` among the candidates count more. */
  share(found: Float32Array, rarity?: Float32Array): number {
    let sum = 0;
    let all = 0;
    for (let i = 0; i < this.worth.length; i++) {
      const worth = (this.worth[i] as number) * (rarity?.[i] ?? 1);
      all += worth;
      sum += worth * (found[i] as number);
    }
    return all === 0 ? 0 : sum / all;
  }

  /** The share of the question's names that are missing, 0–1: a text about another name answers another question. */
  missingNames(found: Float32Array): number {
    if (this.names.length === 0) return 0;
    return this.names.filter((place) => (found[place] as number) <= PART_WORTH).length / this.names.length;
  }
}

/** A capital inside a sentence, or capitals inside a word. Acronyms do not count: `REST` and `HTTP` are everywhere. */
function isName(word: string, before: string): boolean {
  if (word.length < 2 || word === word.toUpperCase()) return false;
  return /^\p{L}+\p{Lu}/u.test(word) || (/^\p{Lu}/u.test(word) && /[\p{L}\p{N},'’-] $/u.test(before));
}
