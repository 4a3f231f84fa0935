import { stopWords } from './stop-words.ts';
import { stem } from './stem.ts';
import { scanWords, wordForms } from './tokenize.ts';

/** A word as written, after analysis: the ids of its terms, and which of them may be left out of prose. */
interface KnownWord {
  terms: number[];
  isStopWord: boolean;
}

/**
 * The vocabulary of an index under construction. Texts repeat their words, so each word is analysed once and looked up
 * after that: this is what makes building fast.
 */
export class TermTable {
  private readonly known = new Map<string, KnownWord>();
  private readonly termIds = new Map<string, number>();
  /** Folded word → the id of its stem. */
  readonly words = new Map<string, number>();
  readonly terms: string[] = [];

  /** Calls `onTerm` for each term of `text`; without stop words where `isProse`. Returns the number of words. */
  forEachTerm(text: string, isProse: boolean, onTerm: (term: number) => void): number {
    let wordCount = 0;
    scanWords(text, (word) => {
      const { terms, isStopWord } = this.known.get(word) ?? this.learn(word);
      if (isProse && isStopWord) return;
      wordCount++;
      for (let i = 0; i < terms.length; i++) onTerm(terms[i] as number);
    });
    return wordCount;
  }

  private learn(word: string): KnownWord {
    const { whole, parts } = wordForms(word);
    const forms = whole === '' ? parts : [whole, ...parts];
    const found = { terms: [...new Set(forms.map((form) => this.termOf(form)))], isStopWord: stopWords.has(whole) };
    this.known.set(word, found);
    return found;
  }

  private termOf(form: string): number {
    const stemmed = stem(form);
    let term = this.termIds.get(stemmed);
    if (term === undefined) {
      term = this.terms.length;
      this.terms.push(stemmed);
      this.termIds.set(stemmed, term);
    }
    this.words.set(form, term);
    return term;
  }
}
