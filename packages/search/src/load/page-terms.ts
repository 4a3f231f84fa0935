import { concatenate, detached, encodeUtf8 } from '@docent/format/bytes.ts';
import { PackedCounts } from '../index/index-format.ts';
import { linkTargets } from '../index/page-links.ts';
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

/** More words are forgotten; texts repeat those of their site. */
const MAX_WORDS = 30_000;
/** Longer words are seldom repeated, and would take memory without a bound. */
const MAX_WORD_LENGTH = 64;

/** A word of a text: each of its forms with its stem, and the different stems. */
interface AnalyzedWord {
  forms: readonly string[];
  stems: readonly string[];
  terms: readonly string[];
  isStopWord: boolean;
  /** The page that had it last, and the numbers of its terms there. */
  page: number;
  numbers: readonly number[];
}

/** Reads the text of pages for the index. Each word is analyzed once. */
export class TermReader {
  readonly #analyzed = new Map<string, AnalyzedWord>();
  #page = 0;
  #words = new Map<string, number>();
  #terms = new Map<string, number>();
  /** Those of the current section, by term. */
  readonly #counts: number[] = [];

  /**
   * @param path of the page
   * @param sections at least one, in reading order
   */
  read(path: string, sections: readonly SectionText[]): PageTerms {
    this.#page++;
    this.#words = new Map();
    this.#terms = new Map();
    if (this.#analyzed.size >= MAX_WORDS) this.#analyzed.clear();
    const numbers: number[] = [];
    const records = sections.map((section) => this.#readSection(section, numbers));
    return {
      words: [...this.#words.keys()].join('\n'),
      termOfWord: Uint32Array.from(this.#words.values()),
      terms: [...this.#terms.keys()].join('\n'),
      sections: Uint32Array.from(numbers),
      records: concatenate(records),
      links: linkTargets(path, sections),
    };
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
        for (const term of analyzed.numbers) {
          const termCounts = counts[term] ?? 0;
          if (termCounts === 0) sectionTerms.push(term);
          counts[term] = oneMore(termCounts);
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
      const term = this.#termOf(name);
      sectionTerms.push(term);
      counts[term] = PackedCounts.inHeading(0);
    }
    const record = encodeUtf8(`${JSON.stringify([anchor, headings])}\n${markdown}`);
    numbers.push(proseLength, codeLength, record.length, sectionTerms.length);
    for (const term of sectionTerms) {
      numbers.push(term * COUNTS + (counts[term] as number));
      counts[term] = 0;
    }
    return record;
  }

  #analyze(word: string): AnalyzedWord {
    let analyzed = this.#analyzed.get(word);
    if (analyzed === undefined) {
      const key = detached(word);
      analyzed = analyze(key);
      if (word.length <= MAX_WORD_LENGTH) this.#analyzed.set(key, analyzed);
    }
    if (analyzed.page === this.#page) return analyzed;
    analyzed.page = this.#page;
    analyzed.numbers = analyzed.terms.map((term) => this.#termOf(term));
    const { forms, stems } = analyzed;
    for (let index = 0; index < forms.length; index++) {
      const form = forms[index] as string;
      if (!this.#words.has(form)) this.#words.set(form, this.#termOf(stems[index] as string));
    }
    return analyzed;
  }

  #termOf(term: string): number {
    let number = this.#terms.get(term);
    if (number === undefined) {
      number = this.#terms.size;
      this.#terms.set(term, number);
    }
    return number;
  }
}

const NO_NUMBERS: readonly number[] = [];

function analyze(word: string): AnalyzedWord {
  const { whole, parts } = wordForms(word);
  const forms = whole === '' ? parts : [whole, ...parts];
  const stems = forms.map((form) => stem(form));
  const terms = new Set(stems);
  return {
    forms,
    stems,
    // Mostly the same, and then one list.
    terms: terms.size === stems.length ? stems : [...terms],
    isStopWord: stopWords.has(whole),
    page: 0,
    numbers: NO_NUMBERS,
  };
}
