import { splitParts } from './index-format.ts';
import { NumberReader } from './packed-numbers.ts';
import { plainText } from './plain-text.ts';
import { type PostingVisitor, visitPostings } from './posting-list.ts';
import type { SearchDocument } from './search-index.ts';
import { decodeUtf8 } from './utf8.ts';

/** As `build-search-index.ts` stores a page. */
type StoredPage = [
  path: string,
  href: string,
  title: string,
  description: string,
  keywords: string[],
  operation: string | null,
  boost: number,
  version: string | null,
  language: string | null,
  tag: string | null,
];

/** What is known of a page without looking into its sections. */
export interface IndexedPage {
  path: string;
  href: string;
  title: string;
  description: string;
  keywords: string[];
  operation: string | null;
  boost: number;
  version: string | null;
  language: string | null;
  tag: string | null;
}

/** An opened index: small parts decoded, postings and records read when they are asked for. */
export class IndexData {
  readonly pages: readonly IndexedPage[];
  /** Folded words as they stand in the texts, sorted; for completion and typing errors. */
  readonly words: readonly string[];
  /** The term of each word. */
  readonly wordTerms: Uint32Array;
  readonly sectionCount: number;
  /** The page of each section. */
  readonly pageOfSection: Uint32Array;
  readonly proseLength: Uint32Array;
  readonly codeLength: Uint32Array;
  private readonly terms: readonly string[];
  private readonly postingStart: Uint32Array;
  private readonly postings: Uint8Array;
  private readonly recordStart: Uint32Array;
  private readonly records: Uint8Array;

  /** @throws Error where the bytes are not an index of this version */
  constructor(bytes: Uint8Array) {
    const parts = splitParts(bytes);
    this.pages = (JSON.parse(decodeUtf8(parts.pages)) as StoredPage[]).map(readPage);
    this.words = readLines(parts.words);
    this.terms = readLines(parts.terms);
    this.wordTerms = readNumbers(parts.wordTerms, this.words.length);
    this.postingStart = startsOf(readNumbers(parts.postingLengths, this.terms.length));
    this.postings = parts.postings;
    this.records = parts.records;

    const numbers = new NumberReader(parts.sections);
    const triples: number[] = [];
    while (!numbers.done) triples.push(numbers.next());
    this.sectionCount = triples.length / 3;
    this.pageOfSection = new Uint32Array(this.sectionCount);
    this.proseLength = new Uint32Array(this.sectionCount);
    this.codeLength = new Uint32Array(this.sectionCount);
    const recordLengths = new Uint32Array(this.sectionCount);
    let page = -1;
    for (let section = 0; section < this.sectionCount; section++) {
      const proseAndFlag = triples[section * 3] as number;
      if (proseAndFlag % 2 === 1) page++;
      this.pageOfSection[section] = page;
      this.proseLength[section] = proseAndFlag >> 1;
      this.codeLength[section] = triples[section * 3 + 1] as number;
      recordLengths[section] = triples[section * 3 + 2] as number;
    }
    this.recordStart = startsOf(recordLengths);
  }

  /** The id of a stem, or -1 where no text has it. */
  termId(stemmed: string): number {
    const at = lowerBound(this.terms, stemmed);
    return this.terms[at] === stemmed ? at : -1;
  }

  visit(term: number, visitor: PostingVisitor): void {
    visitPostings(this.postings, this.postingStart[term] as number, this.postingStart[term + 1] as number, visitor);
  }

  /** In how many sections a term stands. */
  sectionFrequency(term: number): number {
    return new NumberReader(this.postings, this.postingStart[term]).next();
  }

  /** The part of `words` that begins with `prefix`, as a range. */
  wordsWithPrefix(prefix: string): { from: number; to: number } {
    return { from: lowerBound(this.words, prefix), to: lowerBound(this.words, `${prefix}\uffff`) };
  }

  hasWord(word: string): boolean {
    return this.words[lowerBound(this.words, word)] === word;
  }

  /** What a section shows, its headings included, as one text. */
  sectionText(section: number): string {
    return this.record(section);
  }

  document(section: number): SearchDocument {
    const record = this.record(section);
    const lineEnd = record.indexOf('\n');
    const [anchor, headings] = JSON.parse(record.slice(0, lineEnd)) as [string, string[]];
    const markdown = record.slice(lineEnd + 1);
    const { title, operation, version, language, tag, ...page } = this.pages[
      this.pageOfSection[section] as number
    ] as IndexedPage;
    return {
      ...page,
      pageTitle: title,
      anchor,
      headings,
      markdown,
      ...plainText(markdown),
      ...(operation === null ? {} : { operation }),
      ...(version === null ? {} : { version }),
      ...(language === null ? {} : { language }),
      ...(tag === null ? {} : { tag }),
    };
  }

  private record(section: number): string {
    return decodeUtf8(this.records.subarray(this.recordStart[section], this.recordStart[section + 1]));
  }
}

function readPage([path, href, title, description, keywords, operation, boost, version, language, tag]: StoredPage): IndexedPage {
  return { path, href, title, description, keywords, operation, boost, version, language, tag };
}

function readLines(bytes: Uint8Array): string[] {
  return bytes.length === 0 ? [] : decodeUtf8(bytes).split('\n');
}

function readNumbers(bytes: Uint8Array, count: number): Uint32Array {
  const reader = new NumberReader(bytes);
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = reader.next();
  return numbers;
}

/** Offsets from lengths; one more than there are lengths, the last being the end. */
function startsOf(lengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] as number) + (lengths[i] as number);
  return starts;
}

/** Index of the first item that is not below `text`. */
function lowerBound(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
