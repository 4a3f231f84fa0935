import { stem } from '../words/stem.ts';
import {
  CONNECTOR,
  characterClass,
  knownClasses,
  MAX_WORD_LENGTH,
  SEPARATOR,
  stopWords,
  UNSPACED,
  WORD,
  wordForms,
} from '../words/tokenize.ts';

/**
 * The vocabulary of an index under construction. Texts repeat their words, so each word is analyzed once. Later occurrences are
 * found by a hash that is computed while reading the characters, without slicing the text: this makes building fast, and is why
 * the loop of `scanWords` is duplicated here.
 */
export class TermTable {
  /** Folded word → the id of its stem. */
  readonly words = new Map<string, number>();
  /** Stem → id, in order of ids. */
  readonly terms = new Map<string, number>();
  /** The terms of the most recently read text; the first `read()` of them are valid. */
  found = new Int32Array(1024);
  private foundCount = 0;

  // Words as written: an open-addressing table of entry numbers + 1, and the data of each entry.
  private slots = new Int32Array(1 << 14);
  private readonly spellings: string[] = [];
  private readonly hashes: number[] = [];
  private readonly termsOfWord: number[][] = [];
  private readonly isStopWord: boolean[] = [];
  /** Words of the most recently read text. */
  wordCount = 0;

  /**
   * Reads a text into `found`; omits stop words of prose.
   * @returns the number of terms
   */
  read(text: string, isProse: boolean): number {
    this.foundCount = 0;
    this.wordCount = 0;
    const { length } = text;
    const classes = knownClasses;
    let at = 0;
    while (at < length) {
      const first = text.charCodeAt(at);
      const kind = classes[first] || characterClass(first);
      if (kind === SEPARATOR || kind === CONNECTOR) {
        at++;
        continue;
      }
      const start = at;
      let hash = first;
      for (at++; at < length; at++) {
        const code = text.charCodeAt(at);
        const next = classes[code] || characterClass(code);
        if (next !== kind && !(kind === WORD && next === CONNECTOR && this.continues(text, at + 1))) break;
        hash = (Math.imul(hash, 31) + code) | 0;
      }
      if (kind === UNSPACED || at - start <= MAX_WORD_LENGTH) this.take(text, start, at, hash, isProse);
    }
    return this.foundCount;
  }

  private continues(text: string, at: number): boolean {
    return at < text.length && characterClass(text.charCodeAt(at)) === WORD;
  }

  private take(text: string, start: number, end: number, hash: number, isProse: boolean): void {
    const entry = this.entryOf(text, start, end, hash);
    if (isProse && this.isStopWord[entry]) return;
    this.wordCount++;
    const terms = this.termsOfWord[entry] as number[];
    if (this.foundCount + terms.length > this.found.length) this.growFound(terms.length);
    for (let i = 0; i < terms.length; i++) this.found[this.foundCount++] = terms[i] as number;
  }

  private entryOf(text: string, start: number, end: number, hash: number): number {
    const mask = this.slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const entry = (this.slots[slot] as number) - 1;
      if (entry < 0) break;
      const spelling = this.spellings[entry] as string;
      if (this.hashes[entry] === hash && spelling.length === end - start && standsAt(spelling, text, start)) return entry;
      slot = (slot + 1) & mask;
    }
    const entry = this.learn(text.slice(start, end), hash);
    this.slots[slot] = entry + 1;
    if (this.spellings.length * 2 > this.slots.length) this.growSlots();
    return entry;
  }

  private learn(word: string, hash: number): number {
    const { whole, parts } = wordForms(word);
    const terms = whole === '' ? [] : [this.termOf(whole)];
    for (const part of parts) {
      const term = this.termOf(part);
      if (!terms.includes(term)) terms.push(term);
    }
    this.hashes.push(hash);
    this.termsOfWord.push(terms);
    this.isStopWord.push(stopWords.has(whole));
    return this.spellings.push(word) - 1;
  }

  private termOf(form: string): number {
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

  private growSlots(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    this.hashes.forEach((hash, entry) => {
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    });
    this.slots = slots;
  }

  private growFound(needed: number): void {
    const larger = new Int32Array(Math.max(this.found.length * 2, this.foundCount + needed));
    larger.set(this.found);
    this.found = larger;
  }
}

/** `startsWith`, whose call costs more than comparing the few characters of a word. */
function standsAt(word: string, text: string, start: number): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}
