import { decodeUtf8 } from '@docent/format/bytes.ts';
import {
  bytesInMemory,
  type IndexBytes,
  type PartName,
  type Parts,
  placesOfParts,
  readNumbers,
  readPostings,
  startsOf,
} from '../index/index-format.ts';
import { unpackLinks } from '../index/page-links.ts';
import {
  type CountedPage,
  type FactSource,
  folderOf,
  lengthOfStep,
  lengthStep,
  lowerBound,
  MAX_PREFIXED,
  type NamedTerm,
  plainPath,
  type RankedPage,
  readLines,
  type SearchData,
  shortest,
  similarWords,
  type WordTerm,
} from '../index/search-data.ts';
import { StoredDocument, type StoredPage } from '../index/stored-document.ts';
import type { SearchDocument } from '../search-index.ts';
import { pageBreadth } from '../second-stage/page-breadth.ts';
import { headingLists, pageWorth } from '../second-stage/page-facts.ts';
import { meantBy } from '../words/lexicon.ts';

/** Every word of the texts, sorted, with its term. */
interface Vocabulary {
  words: readonly string[];
  terms: Uint32Array;
}

/** An opened index: small parts are decoded, postings and records are read on demand. */
export class IndexData implements SearchData {
  readonly storedPages: readonly StoredPage[];
  readonly pages: readonly RankedPage[];
  readonly sectionCount: number;
  readonly pageOfSection: Uint32Array;
  readonly firstSection: Uint32Array;
  readonly sectionLength: Float32Array;
  readonly pageLength: Float32Array;
  readonly titleLength: Float32Array;
  /** Words of prose and of code of each page. */
  readonly proseLength: Float32Array;
  readonly codeLength: Float32Array;
  readonly terms: readonly string[];
  private readonly postingStart: Uint32Array;
  private readonly postings: Uint8Array;
  private readonly recordStart: Uint32Array;
  private readonly bytes: IndexBytes;
  private readonly packedWords: Pick<Parts, 'words' | 'wordTerms'>;
  private readonly packedLinks: Uint8Array;
  private places: ReadonlyMap<string, number> | undefined;
  private unpackedWords: Vocabulary | undefined;
  private countedPages: readonly CountedPage[] | undefined;
  private countedWorth: Float32Array | undefined;
  private measuredBreadth: Float32Array | undefined;

  /**
   * @param content in memory, or in a file: then all but the text of the sections is read at once,
   *   and these on demand
   * @throws Error if the bytes are not an index of this version
   */
  constructor(content: Uint8Array | IndexBytes) {
    const bytes = content instanceof Uint8Array ? bytesInMemory(content) : content;
    const places = placesOfParts(bytes);
    const partOf = (name: PartName) => bytes.read(places[name].start, places[name].end);
    const parts = {
      words: partOf('words'),
      wordTerms: partOf('wordTerms'),
      links: partOf('links'),
    };
    this.storedPages = JSON.parse(decodeUtf8(partOf('pages'))) as StoredPage[];
    this.pages = this.storedPages.map(rankedPage);
    this.packedWords = parts;
    this.terms = readLines(decodeUtf8(partOf('terms')));
    this.postingStart = startsOf(readNumbers(partOf('postingLengths')));
    this.postings = partOf('postings');
    this.bytes = bytes;
    this.packedLinks = parts.links;

    const numbers = readNumbers(partOf('sections'));
    this.sectionCount = numbers.length / 3;
    this.pageOfSection = new Uint32Array(this.sectionCount);
    this.firstSection = new Uint32Array(this.pages.length + 1).fill(this.sectionCount);
    this.sectionLength = new Float32Array(this.sectionCount);
    this.pageLength = new Float32Array(this.pages.length);
    this.titleLength = Float32Array.from(
      this.storedPages,
      ([, , title]) => title.split(/\s+/).length,
    );
    this.proseLength = new Float32Array(this.pages.length);
    this.codeLength = new Float32Array(this.pages.length);
    const recordLengths = new Uint32Array(this.sectionCount);
    let page = -1;
    for (let section = 0; section < this.sectionCount; section++) {
      const proseAndFlag = numbers[section * 3] as number;
      if (proseAndFlag & 1) this.firstSection[++page] = section;
      this.pageOfSection[section] = page;
      const [prose, code] = [proseAndFlag >> 1, numbers[section * 3 + 1] as number];
      (this.proseLength[page] as number) += prose;
      (this.codeLength[page] as number) += code;
      const length = lengthOfStep(lengthStep(prose + code * 0.5));
      this.sectionLength[section] = length;
      (this.pageLength[page] as number) += length;
      recordLengths[section] = numbers[section * 3 + 2] as number;
    }
    this.recordStart = startsOf(recordLengths, places.records.start);
  }

  /**
   * Folded words as in the texts, for completion and typo correction; read when the first query
   * needs them.
   */
  get vocabulary(): Vocabulary {
    this.unpackedWords ??= {
      words: readLines(decodeUtf8(this.packedWords.words)),
      terms: readNumbers(this.packedWords.wordTerms),
    };
    return this.unpackedWords;
  }

  /** The pages as input of `page-facts.ts`. */
  get counted(): readonly CountedPage[] {
    if (this.countedPages === undefined) {
      const links = unpackLinks(this.packedLinks, this.pages.length);
      this.countedPages = this.pages.map(({ version, language, isOperation = false }, page) => {
        const [path, , , , , , { trail = [] }] = this.storedPages[page] as StoredPage;
        return {
          ...{ path, version, language, trail, isOperation },
          titleLength: this.titleLength[page] as number,
          proseLength: this.proseLength[page] as number,
          codeLength: this.codeLength[page] as number,
          sectionCount:
            (this.firstSection[page + 1] as number) - (this.firstSection[page] as number),
          links: links[page] as number[],
        };
      });
    }
    return this.countedPages;
  }

  /** The input for counting page facts. */
  get factSource(): FactSource {
    const headings = headingLists(this.terms, (term) =>
      readPostings(this.packedPostings(term)).sections.map(({ section }) => section),
    );
    return { pages: this.counted, pageOfSection: this.pageOfSection, headings };
  }

  /** Counted when the first query needs it. */
  get pageWorth(): Float32Array {
    this.countedWorth ??= pageWorth(this.factSource);
    return this.countedWorth;
  }

  /** Measured when the first query needs it. */
  get pageBreadth(): Float32Array {
    this.measuredBreadth ??= pageBreadth({
      terms: this.terms,
      postings: (term) => this.packedPostings(term),
      pageOfSection: this.pageOfSection,
      pageCount: this.pages.length,
    });
    return this.measuredBreadth;
  }

  labelsAt(path: string): RankedPage | undefined {
    return this.pages[this.storedPages.findIndex((page) => page[0] === path)];
  }

  pageAt(path: string): number {
    this.places ??= new Map(
      this.storedPages.flatMap(([pagePath, href], page) => [
        [plainPath(href), page] as const,
        [pagePath, page] as const,
      ]),
    );
    return this.places.get(path) ?? -1;
  }

  termId(stemmed: string): number {
    const at = lowerBound(this.terms, stemmed);
    return this.terms[at] === stemmed ? at : -1;
  }

  termsFrom(prefix: string, most: number): NamedTerm[] {
    const from = lowerBound(this.terms, prefix);
    const texts = this.terms.slice(from, from + most).filter((text) => text.startsWith(prefix));
    return texts.map((text, at) => ({ text, term: from + at }));
  }

  packedPostings(term: number): Uint8Array {
    return this.postings.subarray(this.postingStart[term], this.postingStart[term + 1]);
  }

  postingBytes(term: number): number {
    return (this.postingStart[term + 1] as number) - (this.postingStart[term] as number);
  }

  meantBy(stems: string): readonly string[] {
    return meantBy(stems);
  }

  hasWord(word: string): boolean {
    const { words } = this.vocabulary;
    return words[lowerBound(words, word)] === word;
  }

  completions(prefix: string, most: number): WordTerm[] {
    const { words } = this.vocabulary;
    const from = lowerBound(words, prefix);
    const to = Math.min(lowerBound(words, `${prefix}\uffff`), from + MAX_PREFIXED);
    return shortest(words.slice(from, to), most).map((index) => this.wordTerm(from + index));
  }

  similarWords(typed: string): WordTerm[] {
    return similarWords(this.vocabulary.words, typed).map((index) => this.wordTerm(index));
  }

  private wordTerm(index: number): WordTerm {
    const { words, terms } = this.vocabulary;
    return { word: words[index] as string, term: terms[index] as number };
  }

  sectionText(section: number): string {
    return decodeUtf8(
      this.bytes.read(this.recordStart[section] as number, this.recordStart[section + 1] as number),
    );
  }

  recordBytes(section: number): number {
    return (this.recordStart[section + 1] as number) - (this.recordStart[section] as number);
  }

  document(section: number): SearchDocument {
    const page = this.storedPages[this.pageOfSection[section] as number] as StoredPage;
    return new StoredDocument(page, () => this.sectionText(section));
  }
}

function rankedPage([
  path,
  ,
  ,
  ,
  ,
  boost,
  { operation, version, language, versions, languages, tag, groups },
]: StoredPage): RankedPage {
  return {
    boost,
    version,
    language,
    versions,
    languages,
    tag,
    groups,
    folder: folderOf(path),
    isOperation: operation === undefined ? undefined : true,
  };
}
