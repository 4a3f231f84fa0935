import { type Parts, splitParts } from './index-format.ts';
import { NumberReader } from './packed-numbers.ts';
import { plainText } from './plain-text.ts';
import { type Postings, readPostings } from './posting-list.ts';
import type { SearchDocument } from './search-index.ts';
import { decodeUtf8 } from './utf8.ts';

/** As `build-search-index.ts` stores a page. */
type StoredPage = [
  path: string,
  href: string,
  title: string,
  description: string,
  keywords: string[],
  boost: number,
  labels: Pick<SearchDocument, 'operation' | 'version' | 'language' | 'tag' | 'groups'>,
];

/** What is known of a page without looking into its sections. */
export interface IndexedPage
  extends Pick<
    SearchDocument,
    'path' | 'href' | 'description' | 'keywords' | 'boost' | 'operation' | 'version' | 'language' | 'tag' | 'groups'
  > {
  title: string;
}

/** Every word of the texts, sorted, with its term. */
interface Vocabulary {
  words: readonly string[];
  terms: Uint32Array;
}

/** An opened index: small parts decoded, postings and records read when they are asked for. */
export class IndexData {
  readonly pages: readonly IndexedPage[];
  readonly sectionCount: number;
  /** The page of each section. */
  readonly pageOfSection: Uint32Array;
  /** The first section of each page; one more than there are pages, the last being the end. */
  readonly firstSection: Uint32Array;
  /** Lengths in words; those of sections and pages count code half. */
  readonly sectionLength: Float32Array;
  readonly pageLength: Float32Array;
  readonly titleLength: Float32Array;
  private readonly terms: readonly string[];
  private readonly postingStart: Uint32Array;
  private readonly postings: Uint8Array;
  private readonly recordStart: Uint32Array;
  private readonly records: Uint8Array;
  private readonly packedWords: Pick<Parts, 'words' | 'wordTerms'>;
  private unpackedWords: Vocabulary | undefined;

  /** @throws Error where the bytes are not an index of this version */
  constructor(bytes: Uint8Array) {
    const parts = splitParts(bytes);
    this.pages = (JSON.parse(decodeUtf8(parts.pages)) as StoredPage[]).map(readPage);
    this.packedWords = parts;
    this.terms = readLines(parts.terms);
    this.postingStart = startsOf(readNumbers(parts.postingLengths));
    this.postings = parts.postings;
    this.records = parts.records;

    const numbers = readNumbers(parts.sections);
    this.sectionCount = numbers.length / 3;
    this.pageOfSection = new Uint32Array(this.sectionCount);
    this.firstSection = new Uint32Array(this.pages.length + 1).fill(this.sectionCount);
    this.sectionLength = new Float32Array(this.sectionCount);
    this.pageLength = new Float32Array(this.pages.length);
    this.titleLength = Float32Array.from(this.pages, (page) => page.title.split(/\s+/).length);
    const recordLengths = new Uint32Array(this.sectionCount);
    let page = -1;
    for (let section = 0; section < this.sectionCount; section++) {
      const proseAndFlag = numbers[section * 3] as number;
      if (proseAndFlag & 1) this.firstSection[++page] = section;
      this.pageOfSection[section] = page;
      const length = (proseAndFlag >> 1) + (numbers[section * 3 + 1] as number) * 0.5;
      this.sectionLength[section] = length;
      (this.pageLength[page] as number) += length;
      recordLengths[section] = numbers[section * 3 + 2] as number;
    }
    this.recordStart = startsOf(recordLengths);
  }

  /** Folded words as they stand in the texts; for completion and typing errors, and so read when the first query needs them. */
  get vocabulary(): Vocabulary {
    this.unpackedWords ??= {
      words: readLines(this.packedWords.words),
      terms: readNumbers(this.packedWords.wordTerms),
    };
    return this.unpackedWords;
  }

  /** The id of a stem, or -1 where no text has it. */
  termId(stemmed: string): number {
    const at = lowerBound(this.terms, stemmed);
    return this.terms[at] === stemmed ? at : -1;
  }

  readPostings(term: number, into: Postings): void {
    readPostings(this.postings, this.postingStart[term] as number, this.postingStart[term + 1] as number, into);
  }

  /** In how many sections a term stands. */
  sectionFrequency(term: number): number {
    return new NumberReader(this.postings, this.postingStart[term]).next();
  }

  /** The part of the vocabulary that begins with `prefix`, as a range. */
  wordsWithPrefix(prefix: string): { from: number; to: number } {
    const { words } = this.vocabulary;
    return { from: lowerBound(words, prefix), to: lowerBound(words, `${prefix}\uffff`) };
  }

  hasWord(word: string): boolean {
    const { words } = this.vocabulary;
    return words[lowerBound(words, word)] === word;
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
    const { title, ...page } = this.pages[this.pageOfSection[section] as number] as IndexedPage;
    let plain: ReturnType<typeof plainText> | undefined;
    const plainOnce = () => {
      plain ??= plainText(markdown);
      return plain;
    };
    return {
      ...page,
      pageTitle: title,
      anchor,
      headings,
      markdown,
      // Most hits are only ranked or quoted, so the work for these two waits until somebody reads them.
      get text() {
        return plainOnce().text;
      },
      get code() {
        return plainOnce().code;
      },
    };
  }

  private record(section: number): string {
    return decodeUtf8(this.records.subarray(this.recordStart[section], this.recordStart[section + 1]));
  }
}

function readPage([path, href, title, description, keywords, boost, labels]: StoredPage): IndexedPage {
  return { path, href, title, description, keywords, boost, ...labels };
}

function readLines(bytes: Uint8Array): string[] {
  return bytes.length === 0 ? [] : decodeUtf8(bytes).split('\n');
}

function readNumbers(bytes: Uint8Array): Uint32Array {
  const reader = new NumberReader(bytes);
  // Each number takes a byte at least.
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  while (!reader.done) numbers[count++] = reader.next();
  return numbers.slice(0, count);
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
