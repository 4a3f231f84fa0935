import { concatenate, detached, encodeUtf8 } from '@docent/format/bytes.ts';
import { PackedCounts } from '../index/index-format.ts';
import { linkTargets } from '../index/page-links.ts';
import type { TermTable } from '../index/term-table.ts';
import { nameTerm } from '../query/named-sections.ts';
import type { SearchDocument } from '../search-index.ts';
import { stem } from '../words/stem.ts';
import { scanWords, stopWords, wordForms } from '../words/tokenize.ts';

/** A section of a page, as input of the index. */
export type SectionText = Pick<
  SearchDocument,
  'anchor' | 'headings' | 'markdown' | 'text' | 'code'
>;

/**
 * What the index has of the text of one page, and nothing of other pages: it can be kept until the
 * page changes. Survives `structuredClone`.
 */
export interface PageTerms {
  /** The folded words of the page, one a line. */
  words: string;
  /** For each word the number of its stem among `terms`. */
  termOfWord: Uint32Array<ArrayBuffer>;
  /** Stems and names, one a line. */
  terms: string;
  /**
   * For each section the words of its prose and of its code, the bytes of its record, and how many
   * terms it has; then each term: its number times `COUNTS`, and its packed counts.
   */
  sections: Uint32Array<ArrayBuffer>;
  /** What is stored of the sections. */
  records: Uint8Array<ArrayBuffer>;
  /** Paths that the page links to. */
  links: readonly string[];
}

/** Packed counts are below. */
export const COUNTS = 64;
export const SECTION_HEAD = 4;

/** More words are forgotten after a page; texts repeat those of their site. */
const MAX_WORDS = 30_000;
/** The same in characters of all words and names. */
const MAX_LENGTH = 2_000_000;
/** Longer words are seldom repeated. */
const MAX_WORD_LENGTH = 64;

/** A text of the vocabulary of a reader. */
interface Entry {
  text: string;
  /** The page that had it last. */
  page: number;
  /** The table that it was added to last. */
  table: TermTable | undefined;
}

/** A stem or a name. */
interface Term extends Entry {
  /** Its number in that table, and on that page. */
  id: number;
  number: number;
}

/** A folded word. */
interface Word extends Entry {
  term: Term;
}

/** A word of a text as written: its folded forms, and their different stems. */
interface AnalyzedWord {
  forms: readonly Word[];
  terms: readonly Term[];
  isStopWord: boolean;
  page: number;
}

/** Words and terms as in `PageTerms`. */
export type Vocabulary = Pick<PageTerms, 'words' | 'termOfWord' | 'terms'>;

/** Those of pages that were read in this thread, and were not stored meanwhile. */
const entriesOf = new WeakMap<Vocabulary, { words: readonly Word[]; terms: readonly Term[] }>();

/**
 * Adds a vocabulary to a table. Of what was read in this thread, each text is looked up only once.
 * @returns the number in the table of each of the terms
 */
export function addToTable(vocabulary: Vocabulary, table: TermTable): readonly number[] {
  const entries = entriesOf.get(vocabulary);
  if (entries) {
    const ids = entries.terms.map((term) => idIn(table, term));
    for (const word of entries.words) {
      if (word.table === table) continue;
      word.table = table;
      table.addWord(word.text, idIn(table, word.term));
    }
    return ids;
  }
  const { words, termOfWord, terms } = vocabulary;
  const ids = terms === '' ? [] : terms.split('\n').map((term) => table.idOf(term));
  if (words !== '')
    for (const [index, word] of words.split('\n').entries())
      table.addWord(word, ids[termOfWord[index] as number] as number);
  return ids;
}

function idIn(table: TermTable, term: Term): number {
  if (term.table !== table) {
    term.id = table.idOf(term.text);
    term.table = table;
  }
  return term.id;
}

/** Reads the text of pages for the index. Each word is analyzed once. */
export class TermReader {
  readonly #analyzed = new Map<string, AnalyzedWord>();
  readonly #words = new Map<string, Word>();
  readonly #terms = new Map<string, Term>();
  /** In characters, of `#words` and `#terms`. */
  #length = 0;
  #page = 0;
  #pageWords: Word[] = [];
  #pageTerms: Term[] = [];
  /** Those of the current section, by the number of the term on the page. */
  readonly #counts: number[] = [];

  /**
   * @param path of the page
   * @param sections at least one, in reading order
   */
  read(path: string, sections: readonly SectionText[]): PageTerms {
    this.#begin();
    const numbers: number[] = [];
    const records = sections.map((section) => this.#readSection(section, numbers));
    const [words, terms] = [this.#pageWords, this.#pageTerms];
    // Texts are joined only for those that store them.
    const page: PageTerms = {
      get words() {
        return linesOf(words);
      },
      termOfWord: Uint32Array.from(words, ({ term }) => term.number),
      get terms() {
        return linesOf(terms);
      },
      sections: Uint32Array.from(numbers),
      records: concatenate(records),
      links: linkTargets(path, sections),
    };
    entriesOf.set(page, { words, terms });
    return page;
  }

  #begin(): void {
    this.#page++;
    [this.#pageWords, this.#pageTerms] = [[], []];
    if (this.#analyzed.size < MAX_WORDS && this.#length < MAX_LENGTH) return;
    this.#length = 0;
    for (const map of [this.#analyzed, this.#words, this.#terms]) map.clear();
  }

  /** Adds the numbers of a section. @returns what is stored of it */
  #readSection({ anchor, headings, markdown, text, code }: SectionText, numbers: number[]) {
    const counts = this.#counts;
    const sectionTerms: number[] = [];
    const count = (part: string, isProse: boolean, oneMore: (counts: number) => number) => {
      let words = 0;
      scanWords(part, (word) => {
        const analyzed = this.#analyze(word);
        if (isProse && analyzed.isStopWord) return;
        words++;
        for (const { number } of analyzed.terms) {
          const termCounts = counts[number] ?? 0;
          if (termCounts === 0) sectionTerms.push(number);
          counts[number] = oneMore(termCounts);
        }
      });
      return words;
    };
    const heading = headings.at(-1) ?? '';
    count(heading, false, PackedCounts.inHeading);
    const proseLength = count(text, true, PackedCounts.inProse);
    const codeLength = count(code, true, PackedCounts.inCode);
    const name = nameTerm(heading);
    if (name !== '') {
      const number = this.#onPage(this.#termOf(detached(name)));
      sectionTerms.push(number);
      counts[number] = PackedCounts.inHeading(0);
    }
    const record = encodeUtf8(`${JSON.stringify([anchor, headings])}\n${markdown}`);
    numbers.push(proseLength, codeLength, record.length, sectionTerms.length);
    for (const number of sectionTerms) {
      numbers.push(number * COUNTS + (counts[number] as number));
      counts[number] = 0;
    }
    return record;
  }

  /** Returns what is known of a word, whose terms are then on the page. */
  #analyze(part: string): AnalyzedWord {
    let analyzed = this.#analyzed.get(part);
    if (analyzed === undefined) {
      const word = detached(part);
      analyzed = this.#analysisOf(word);
      if (word.length <= MAX_WORD_LENGTH) this.#analyzed.set(word, analyzed);
    }
    if (analyzed.page === this.#page) return analyzed;
    analyzed.page = this.#page;
    for (const term of analyzed.terms) this.#onPage(term);
    for (const form of analyzed.forms) {
      if (form.page === this.#page) continue;
      form.page = this.#page;
      this.#pageWords.push(form);
    }
    return analyzed;
  }

  #analysisOf(word: string): AnalyzedWord {
    const { whole, parts } = wordForms(word);
    const forms = (whole === '' ? parts : [whole, ...parts]).map((form) => this.#wordOf(form));
    const terms = [...new Set(forms.map(({ term }) => term))];
    return { forms, terms, isStopWord: stopWords.has(whole), page: 0 };
  }

  #wordOf(text: string): Word {
    let word = this.#words.get(text);
    if (word === undefined) {
      word = { text, page: 0, table: undefined, term: this.#termOf(stem(text)) };
      this.#words.set(text, word);
      this.#length += text.length;
    }
    return word;
  }

  #termOf(text: string): Term {
    let term = this.#terms.get(text);
    if (term === undefined) {
      term = { text, page: 0, table: undefined, id: 0, number: 0 };
      this.#terms.set(text, term);
      this.#length += text.length;
    }
    return term;
  }

  /** Returns the number of a term on the page, which it gets when it is first there. */
  #onPage(term: Term): number {
    if (term.page !== this.#page) {
      term.page = this.#page;
      term.number = this.#pageTerms.push(term) - 1;
    }
    return term.number;
  }
}

function linesOf(entries: readonly Entry[]): string {
  return entries.map(({ text }) => text).join('\n');
}
