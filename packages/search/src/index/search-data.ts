import { withoutSlashes } from '@docent/format/links.ts';
import type { SearchDocument } from '../search-index.ts';

export interface RankedPage
  extends Pick<
    SearchDocument,
    'boost' | 'version' | 'language' | 'versions' | 'languages' | 'tag' | 'groups'
  > {
  /** Path without its last segment. */
  folder: string;
  /** Documents an API operation. */
  isOperation?: true;
}

export interface WordTerm {
  word: string;
  term: number;
}

/** A term with its id. */
export interface NamedTerm {
  text: string;
  term: number;
}

/** A page as input for its facts. */
export interface CountedPage {
  path: string;
  version: string | undefined;
  language: string | undefined;
  /** Labels of the enclosing navigation. */
  trail: readonly string[];
  isOperation: boolean;
  titleLength: number;
  proseLength: number;
  codeLength: number;
  sectionCount: number;
  /** The pages that it links to. */
  links: readonly number[];
}

/** The input for counting the page facts of an index. */
export interface FactSource {
  pages: readonly CountedPage[];
  pageOfSection: Uint32Array;
  /** For each heading of the site, the sections that have it. */
  headings: Iterable<readonly number[]>;
}

/**
 * What searching reads of an index, however it is stored: all in memory, or in shards that are
 * loaded on demand.
 */
export interface SearchData {
  readonly pages: readonly RankedPage[];
  /** The query-independent worth of each page, as counted by `pageWorth`. */
  readonly pageWorth: Float32Array;
  /** How much each page is about, as measured by `pageBreadth`. */
  readonly pageBreadth: Float32Array;
  readonly sectionCount: number;
  readonly pageOfSection: Uint32Array;
  /** The first section of each page; one more than there are pages, the last being the end. */
  readonly firstSection: Uint32Array;
  /** Lengths in words; sections and pages count code half. */
  readonly sectionLength: Float32Array;
  readonly pageLength: Float32Array;
  readonly titleLength: Float32Array;
  labelsAt(path: string): Pick<RankedPage, 'version' | 'language' | 'versions'> | undefined;
  /**
   * Returns the page with a path or an address of the site, without slashes around it; -1 if there
   * is none.
   */
  pageAt(path: string): number;
  /** Returns the id of a stem, or -1 if no text has it. */
  termId(stemmed: string): number;
  /** Returns the first terms with this prefix, sorted, up to a limit. */
  termsFrom(prefix: string, most: number): NamedTerm[];
  /** As `meantBy` of the lexicon; absent words may be left out. */
  meantBy(stems: string): readonly string[];
  hasWord(word: string): boolean;
  /** Returns the shortest words with this prefix; equally long ones in alphabetical order. */
  completions(prefix: string, most: number): WordTerm[];
  /** Returns words that differ from `typed` by one typo. */
  similarWords(typed: string): WordTerm[];
  /** Returns the occurrences of a term, as `PostingLists` packs them. */
  packedPostings(term: number): Uint8Array;
  /** Returns the text of a section, including its headings. */
  sectionText(section: number): string;
  document(section: number): SearchDocument;
}

/** Returns the versions or languages of a page; none if it belongs to all of them. */
export function labelsOf(
  page: Pick<RankedPage, 'version' | 'language' | 'versions' | 'languages'>,
  kind: 'version' | 'language',
): readonly string[] {
  const label = page[kind];
  return page[`${kind}s`] ?? (label === undefined ? [] : [label]);
}

/** Whether a page belongs to other versions or languages than this one. */
export function isOther(
  page: Parameters<typeof labelsOf>[0],
  kind: 'version' | 'language',
  label: string | undefined,
): boolean {
  return (
    label !== undefined &&
    page[kind] !== undefined &&
    page[kind] !== label &&
    !labelsOf(page, kind).includes(label)
  );
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the index of the first item that is not below another. */
export function lowerBound<Item extends string | number>(
  sorted: ArrayLike<Item>,
  item: Item,
): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Item) < item) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the items of a newline-separated list. */
export function readLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** How many words, in alphabetical order from a prefix on, completions are chosen from. */
export const MAX_PREFIXED = 2000;

/** Returns the indexes of the shortest of some sorted words; equally long ones in their order. */
export function shortest(words: readonly string[], most: number): number[] {
  return words
    .map((_, index) => index)
    .sort((a, b) => (words[a] as string).length - (words[b] as string).length || a - b)
    .slice(0, most);
}

/**
 * Lengths are quantized on a logarithmic scale with eight steps per doubling. So a length takes one
 * character in a sharded index, and ranks the same there as in the whole.
 */
const STEPS = 8;

/** @param words length in words, code counted half */
export function lengthStep(words: number): number {
  return Math.round(STEPS * Math.log2(1 + words));
}

export function lengthOfStep(step: number): number {
  return 2 ** (step / STEPS) - 1;
}

const MAX_FOUND = 8;

/**
 * Returns the indexes of the words that differ from `typed` by one typo: a letter inserted,
 * missing, replaced, or two adjacent letters swapped. Assumes that the first letter is correct,
 * because it nearly always is.
 * @param words sorted
 */
export function similarWords(words: readonly string[], typed: string): number[] {
  const indices: number[] = [];
  const first = typed.charAt(0);
  for (let i = lowerBound(words, first); i < words.length && indices.length < MAX_FOUND; i++) {
    const word = words[i] as string;
    if (word.charAt(0) !== first) break;
    if (Math.abs(word.length - typed.length) <= 1 && isOneEditApart(word, typed)) indices.push(i);
  }
  return indices;
}

function isOneEditApart(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++;
  let suffix = 0;
  while (
    suffix < shorter - prefix &&
    a.charCodeAt(a.length - 1 - suffix) === b.charCodeAt(b.length - 1 - suffix)
  )
    suffix++;
  const [leftInA, leftInB] = [a.length - prefix - suffix, b.length - prefix - suffix];
  if (leftInA <= 1 && leftInB <= 1) return true;
  return (
    leftInA === 2 && leftInB === 2 && a[prefix] === b[prefix + 1] && a[prefix + 1] === b[prefix]
  );
}

/** Normalizes the address of a page to its path. */
export function plainPath(address: string): string {
  return withoutSlashes(address.replace(/[?#][\s\S]*/, ''));
}
