import type { SearchDocument } from '../search-index.ts';
import type { FactSource } from '../second-stage/page-facts.ts';
import type { Postings } from './posting-list.ts';

/** What ranking knows of a page. */
export interface RankedPage extends Pick<SearchDocument, 'boost' | 'version' | 'language' | 'tag' | 'groups'> {
  /** Path without its last name. */
  folder: string;
  /** Shows an operation of an API. */
  isOperation?: true;
}

/** A word of the texts with its term. */
export interface WordTerm {
  word: string;
  term: number;
}

/** A term with its id. */
export interface NamedTerm {
  text: string;
  term: number;
}

/** What searching reads of an index, however the index is kept: all in memory, or in shards that come when they are wanted. */
export interface SearchData {
  readonly pages: readonly RankedPage[];
  /** What speaks for each page before anybody asks, as `pageWorth` counts it. */
  readonly pageWorth: Float32Array;
  /** What the facts of the pages are counted from; absent where the index comes in shards. */
  readonly factSource?: FactSource;
  readonly sectionCount: number;
  /** The page of each section. */
  readonly pageOfSection: Uint32Array;
  /** The first section of each page; one more than there are pages, the last being the end. */
  readonly firstSection: Uint32Array;
  /** Lengths in words; those of sections and pages count code half. */
  readonly sectionLength: Float32Array;
  readonly pageLength: Float32Array;
  readonly titleLength: Float32Array;
  /** Version and language of the page that stands at a path. */
  labelsAt(path: string): Pick<RankedPage, 'version' | 'language'> | undefined;
  /** The id of a stem, or -1 where no text has it. */
  termId(stemmed: string): number;
  /** The first terms that begin with `prefix`, sorted, at most so many. */
  termsFrom(prefix: string, most: number): NamedTerm[];
  hasWord(word: string): boolean;
  /** The shortest words that begin with `prefix`, those of the same length in the order of the alphabet. */
  completions(prefix: string, most: number): WordTerm[];
  /** Words that one typing error turns into `typed`. */
  similarWords(typed: string): WordTerm[];
  readPostings(term: number, into: Postings): void;
  /** What a section shows, its headings included, as one text. */
  sectionText(section: number): string;
  document(section: number): SearchDocument;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Index of the first of `count` rising numbers that is not below `number`. */
export function lowerBoundOf(rising: Uint32Array, number: number, count: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first item that is not below `text`. */
export function lowerBound(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The items of a list that has one a line. */
export function readLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
