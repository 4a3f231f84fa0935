import type { Synonyms } from '@docent/search/search-rules.ts';
import { stem } from '@docent/search/words/stem.ts';
import { MAX_PHRASE_WORDS, synonymsOf } from '@docent/search/words/synonyms.ts';
import {
  commonWords,
  scanWords,
  stopWords,
  wordForms,
  wordStems,
} from '@docent/search/words/tokenize.ts';

/**
 * Function words and question words in languages other than English, which the search itself
 * covers.
 */
const languages: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    de: `aber alle als am an auf aus bei beim bin bis da damit dann das dass dem den der des die dies diese diesem diesen dieser dieses doch du durch
  ein eine einem einen einer eines er es für gibt hat habe haben ich ihr im in ins ist ja kann kannst können könnte man mein meine meinem meinen
  meiner mich mir mit muss müssen nach nicht noch nur oder ohne sein sich sie sind so soll sollte über um und uns unser unsere vom von vor wann
  warum was weil welche welchem welchen welcher welches wenn wer werden wie wieso will wird wo wohin woher wozu wurde zu zum zur`,
    fr: `à au aux avec ce ces cette comment comme dans de des du elle en est et être fait faire faut il ils j je l la le les leur lequel laquelle ma mais
  me mes mon n ne nos notre nous on où ou par pas peut peux pour pourquoi puis qu quand que quel quelle quelles quels qui quoi sa sans se ses si
  son sont sur ta te tu un une vos votre vous y c d s est-ce`,
    es: `a al ante como cómo con cual cuál cuáles cuando cuándo cuanto cuánto de del desde donde dónde el él ella ellos en entre es esta está están este
  esto hay hacer hago la las le les lo los me mi mis muy no nos o para pero por porque puede puedo que qué quién se si sí sin sobre son su sus te
  tengo tu un una unas unos y ya yo`,
    pt: `ao aos as com como da das de do dos e é ela ele em entre essa esse esta está este eu faço fazer foi há isso isto já mais mas me meu minha na nas
  não no nos o onde os ou para pela pelo por porque posso qual quais quando que quem se sem ser seu sua são também tem tenho um uma você`,
    it: `a ai al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e è faccio gli ha ho i il in io la le lo ma mi mia mio nel
  nella non o per perché più posso può qual quale quali quando quanto se si sono su sul sulla tra un una uno vi`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);

/** Pairs of characters that only mark a question: “how”, “what”, “can”, polite endings. */
const unspacedGrammar: ReadonlySet<string> = new Set(
  `如何 怎么 怎樣 怎样 么样 什么 什麼 为什 為什 哪里 哪裡 哪些 哪个 是否 可以 能否 我们 我們 请问 請問 这个 這個 吗？
  です ます すか でき きま きる する には では とは どう どの どこ なに 何で です うす うや やっ って して ください くだ ださ さい
  어떻 떻게 무엇 어디 합니 니까 나요 있나 있습 습니 하나 하는`.split(/\s+/),
);

/** Other languages share words with English (`die`, `comment`), so one word proves nothing. */
const MIN_TO_TRUST = 2;
const MAX_READ_LENGTH = 2000;

/** Returns the language of a question's function words; undefined if it is English or unknown. */
function languageByGrammar(question: string): string | undefined {
  const words = new Set<string>();
  scanWords(question.slice(0, MAX_READ_LENGTH), (word) => words.add(word.toLowerCase()));
  const counts = [...languages].map(([language, grammar]) => ({
    language,
    // `on` and `a` are words of several languages, and of English too.
    count: [...words].filter((word) => grammar.has(word) && !stopWords.has(word)).length,
  }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  // “How do I … in CI” has three Italian words and four English ones.
  const english = [...words].filter((word) => stopWords.has(word)).length;
  const isForeign =
    best.count >= MIN_TO_TRUST && best.count >= words.size * 0.3 && best.count > english;
  return isForeign ? best.language : undefined;
}

/**
 * Scripts that identify a language. Japanese and Korean come before Chinese, whose characters they
 * share.
 */
const SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['uk', /[\u0456\u0457\u0454\u0491]/iu],
  ['ru', /\p{Script=Cyrillic}/u],
];

/**
 * Detects the language of a question from its script or its function words.
 * @returns a code such as `fr`; undefined if it is unknown
 */
export function questionLanguage(question: string): string | undefined {
  const text = question.slice(0, MAX_READ_LENGTH);
  const byScript = SCRIPTS.find(([, letters]) => letters.test(text))?.[0];
  if (byScript !== undefined) return byScript;
  const foreign = languageByGrammar(text);
  if (foreign !== undefined) return foreign;
  let english = 0;
  scanWords(text, (word) => {
    if (stopWords.has(word.toLowerCase())) english++;
  });
  return english >= MIN_TO_TRUST ? 'en' : undefined;
}

const SYNONYM_WORTH = 0.7;
/** Part of a name is not the name: `Hub` is not `HubSpot`. */
const PART_WORTH = 0.5;
const COMMON_WORD_WORTH = 0.25;
/** Pairs of characters overlap, so two carry about as much as one word. */
const PAIR_WORTH = 0.5;
/** The words of earlier questions say what it is about, not what is asked. */
const EARLIER_WORTH = 0.5;
const MAX_WORDS = 64;
const PLEASANTRIES: ReadonlySet<string> = new Set(
  [
    'hi',
    'hello',
    'hey',
    'thank',
    'thanks',
    'thx',
    'please',
    'ok',
    'okay',
    'yes',
    'bye',
    'great',
    'cool',
  ].map(stem),
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
  private readonly siteSynonyms: Synonyms | undefined;
  /** Stem → its index among the content words. */
  private readonly places = new Map<string, number>();

  /**
   * @param siteSynonyms what the owners of the site say means the same
   * @param earlier the questions that this one depends on; their words count less
   */
  constructor(question: string, siteSynonyms?: Synonyms, earlier = '') {
    this.siteSynonyms = siteSynonyms;
    this.read(question);
    const count = this.worth.length;
    this.read(earlier);
    for (let i = count; i < this.worth.length; i++) (this.worth[i] as number) *= EARLIER_WORTH;
  }

  private read(question: string): void {
    const grammar = languages.get(languageByGrammar(question) ?? '');
    const { places } = this;
    const sequence: WrittenWord[] = [];
    scanWords(question, (word, start) => {
      if (this.worth.length >= MAX_WORDS) return;
      if (wordForms(word).whole === '') return this.addPairs(word, places);
      const { stems, isStopWord } = wordStems(word);
      const [whole] = stems;
      if (whole === undefined) return;
      if (isStopWord || grammar?.has(word.toLowerCase()) || PLEASANTRIES.has(whole)) {
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

  /** Returns the words of a part of the question, or of another text of the same site. */
  of(text: string): QuestionWords {
    return new QuestionWords(text, this.siteSynonyms);
  }

  private addWord(word: string, stems: readonly string[]): number {
    const place = this.worth.push(commonWords.has(word.toLowerCase()) ? COMMON_WORD_WORTH : 1) - 1;
    const [whole, ...parts] = stems as [string, ...string[]];
    this.mean(whole, place, 1);
    for (const part of parts) this.mean(part, place, PART_WORTH);
    this.addSynonyms(whole, [place]);
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
        this.addSynonyms(
          phrase.map((writtenWord) => writtenWord.stem).join(' '),
          phrase.flatMap(({ word }) => (word >= 0 ? [word] : [])),
        );
      }
    }
  }

  private addSynonyms(phrase: string, places: readonly number[]): void {
    for (const place of places) {
      for (const synonym of synonymsOf(phrase)) this.meanPhrase(synonym, place, SYNONYM_WORTH);
      for (const synonym of this.siteSynonyms?.get(phrase) ?? [])
        this.meanPhrase(synonym, place, 1);
    }
  }

  private meanPhrase(synonym: string, place: number, worth: number): void {
    const stems = synonym.split(' ').filter((synonymStem) => !stopWords.has(synonymStem));
    for (const synonymStem of stems) this.mean(synonymStem, place, worth / stems.length);
  }

  private mean(stem: string, word: number, closeness: number): void {
    const meanings = this.meanings.get(stem);
    if (meanings === undefined) this.meanings.set(stem, [{ word, closeness }]);
    else meanings.push({ word, closeness });
  }

  private meaningsOf(word: string): readonly Meaning[] {
    const cachedMeanings = this.written.get(word);
    if (cachedMeanings !== undefined) return cachedMeanings;
    const { stems } = wordStems(word);
    const wordMeanings = stems.flatMap((stem) => this.meanings.get(stem) ?? NO_MEANINGS);
    this.written.set(word, wordMeanings.length === 0 ? NO_MEANINGS : wordMeanings);
    return wordMeanings;
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
    return this.foundIn(this.matches(text));
  }

  /** The positions of the question's words in a text, in order. */
  matches(text: string): WordMatch[] {
    const matches: WordMatch[] = [];
    let at = 0;
    scanWords(text, (written) => {
      at++;
      for (const { word, closeness } of this.meaningsOf(written))
        matches.push({ at, word, closeness });
    });
    return matches;
  }

  /** How well a text with these matches covers each word, 0–1. */
  foundIn(matches: readonly WordMatch[]): Float32Array {
    const closenessByWord = new Float32Array(this.worth.length);
    for (const { word, closeness } of matches)
      if (closeness > (closenessByWord[word] as number)) closenessByWord[word] = closeness;
    return closenessByWord;
  }

  /** The largest share of the question within a few adjacent words, 0–1. */
  densest(matches: readonly WordMatch[], rarity: Float32Array): number {
    let all = 0;
    for (let i = 0; i < this.worth.length; i++)
      all += (this.worth[i] as number) * (rarity[i] as number);
    let best = 0;
    for (let from = 0; from < matches.length; from++) {
      const start = (matches[from] as WordMatch).at;
      const closenessByWord = new Float32Array(this.worth.length);
      let sum = 0;
      for (let to = from; to < matches.length; to++) {
        const { at, word, closeness } = matches[to] as WordMatch;
        if (at - start > WINDOW) break;
        const more = closeness - (closenessByWord[word] as number);
        if (more <= 0) continue;
        closenessByWord[word] = closeness;
        sum += more * (this.worth[word] as number) * (rarity[word] as number);
      }
      if (sum > best) best = sum;
    }
    return all === 0 ? 0 : best / all;
  }

  /**
   * The matched share of the question, 0–1; words that are `rare` among the candidates count more.
   */
  share(closenessByWord: Float32Array, rarity?: Float32Array): number {
    let sum = 0;
    let all = 0;
    for (let i = 0; i < this.worth.length; i++) {
      const worth = (this.worth[i] as number) * (rarity?.[i] ?? 1);
      all += worth;
      sum += worth * (closenessByWord[i] as number);
    }
    return all === 0 ? 0 : sum / all;
  }

  /** The number of words that a text matches by more than a part. */
  countOf(closenessByWord: Float32Array): number {
    return closenessByWord.filter((closeness) => closeness > PART_WORTH).length;
  }

  /**
   * The share of the question's names that are missing, 0–1: a text about another name answers
   * another question.
   */
  missingNames(closenessByWord: Float32Array): number {
    if (this.names.length === 0) return 0;
    return (
      this.names.filter((place) => (closenessByWord[place] as number) <= PART_WORTH).length /
      this.names.length
    );
  }
}

/**
 * A capital inside a sentence, or capitals inside a word. Acronyms do not count: `REST` and `HTTP`
 * are everywhere.
 */
function isName(word: string, before: string): boolean {
  if (word.length < 2 || word === word.toUpperCase()) return false;
  return (
    /^\p{L}+\p{Lu}/u.test(word) || (/^\p{Lu}/u.test(word) && /[\p{L}\p{N},'’-] $/u.test(before))
  );
}
