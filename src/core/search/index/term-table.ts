import { stem } from '../words/stem.ts';
import { scanWords, stopWords, wordForms } from '../words/tokenize.ts';

/** The vocabulary of an index under construction. Texts repeat their words, so each word is analyzed once. */
export class TermTable {
  /** Folded word → the id of its stem. */
  readonly words = new Map<string, number>();
  /** Stem → id, in order of ids. */
  readonly terms = new Map<string, number>();
  /** The terms of the most recently read text; the first `read()` of them are valid. */
  found = new Int32Array(1024);
  /** Words of the most recently read text. */
  wordCount = 0;
  #foundCount = 0;
  /** By the word as written. */
  readonly #analyzed = new Map<string, { terms: readonly number[]; isStopWord: boolean }>();

  /**
   * Reads a text into `found`; omits stop words of prose.
   * @returns the number of terms
   */
  read(text: string, isProse: boolean): number {
    this.#foundCount = 0;
    this.wordCount = 0;
    scanWords(text, (word) => this.#take(this.#analyzed.get(word) ?? this.#analyze(word), isProse));
    return this.#foundCount;
  }

  #take({ terms, isStopWord }: { terms: readonly number[]; isStopWord: boolean }, isProse: boolean): void {
    if (isProse && isStopWord) return;
    this.wordCount++;
    if (this.#foundCount + terms.length > this.found.length) this.#growFound(terms.length);
    for (let i = 0; i < terms.length; i++) this.found[this.#foundCount++] = terms[i] as number;
  }

  #analyze(word: string): { terms: readonly number[]; isStopWord: boolean } {
    const { whole, parts } = wordForms(word);
    const terms = new Set((whole === '' ? parts : [whole, ...parts]).map((form) => this.#termOf(form)));
    const found = { terms: [...terms], isStopWord: stopWords.has(whole) };
    this.#analyzed.set(word, found);
    return found;
  }

  #termOf(form: string): number {
    const known = this.words.get(form);
    if (known !== undefined) return known;
    const term = this.idOf(stem(form));
    this.words.set(form, term);
    return term;
  }

  /** Returns the id of a term, which need not come from a word of a text. */
  idOf(term: string): number {
    let id = this.terms.get(term);
    if (id === undefined) {
      id = this.terms.size;
      this.terms.set(term, id);
    }
    return id;
  }

  #growFound(needed: number): void {
    const larger = new Int32Array(Math.max(this.found.length * 2, this.#foundCount + needed));
    larger.set(this.found);
    this.found = larger;
  }
}
