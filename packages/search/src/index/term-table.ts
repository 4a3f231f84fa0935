import { detached } from '@docent/format/bytes.ts';
import { stem } from '../words/stem.ts';
import { scanWords, stopWords, wordForms } from '../words/tokenize.ts';

/**
 * The vocabulary of an index under construction. Texts repeat their words, so each word is analyzed
 * once.
 */
export class TermTable {
  /** Folded word → the id of its stem. */
  readonly words = new Map<string, number>();
  /** Stem → id, in order of ids. */
  readonly terms = new Map<string, number>();
  /** By the word as written. */
  readonly #analyzed = new Map<string, { terms: readonly number[]; isStopWord: boolean }>();

  /**
   * Calls `onTerm` for each term of a text; omits stop words of prose.
   * @returns the number of words
   */
  read(text: string, isProse: boolean, onTerm: (term: number) => void): number {
    let count = 0;
    scanWords(text, (word) => {
      const { terms, isStopWord } = this.#analyzed.get(word) ?? this.#analyze(word);
      if (isProse && isStopWord) return;
      count++;
      for (const term of terms) onTerm(term);
    });
    return count;
  }

  #analyze(part: string): { terms: readonly number[]; isStopWord: boolean } {
    const word = detached(part);
    const { whole, parts } = wordForms(word);
    const terms = new Set(
      (whole === '' ? parts : [whole, ...parts]).map((form) => this.#termOf(form)),
    );
    const analysis = { terms: [...terms], isStopWord: stopWords.has(whole) };
    this.#analyzed.set(word, analysis);
    return analysis;
  }

  #termOf(form: string): number {
    const existingTerm = this.words.get(form);
    if (existingTerm !== undefined) return existingTerm;
    const term = this.idOf(stem(form));
    this.words.set(form, term);
    return term;
  }

  /** Adds a folded word that was analyzed before. */
  addWord(word: string, term: number): void {
    if (!this.words.has(word)) this.words.set(detached(word), term);
  }

  /** Returns the id of a term, which need not come from a word of a text. */
  idOf(term: string): number {
    let id = this.terms.get(term);
    if (id === undefined) {
      id = this.terms.size;
      this.terms.set(detached(term), id);
    }
    return id;
  }
}
