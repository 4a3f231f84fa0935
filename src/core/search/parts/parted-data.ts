import type { Postings } from '../posting-list.ts';
import { folderOf, lowerBound, type NamedTerm, type RankedPage, type SearchData, type WordTerm } from '../search-data.ts';
import type { SearchDocument } from '../search-index.ts';
import { worthOfStep } from '../second-stage/page-worth.ts';
import { lengthOfStep } from '../section-length.ts';
import { similarWords } from '../similar-words.ts';
import { stem } from '../stem.ts';
import { StoredDocument, type StoredPage } from '../stored-document.ts';
import { decodeUtf8 } from '../utf8.ts';
import { MOST_PREFIXED, shortest } from '../word-choice.ts';
import type { IndexSize, TermPostings } from './code-postings.ts';
import { type PartHead, pathMark, readHead, WORDS_IN_PART } from './part-head.ts';
import type { PartModels } from './part-models.ts';
import { readTerms, readTexts, readWords } from './read-parts.ts';
import { groupOf } from './short-starts.ts';
import { TextPlaces } from './text-places.ts';
import { type Stage, WantedParts } from './wanted-parts.ts';

/** A term's id is its part times this, and its place in the part. */
const TERMS_OF_PART = 65536;

interface Terms {
  terms: string[];
  lists: TermPostings[];
}

/**
 * An index of which some parts are there. What is not there counts as not in the index, and is noted in `wanted`; once a search
 * wants nothing any more, its answer is that of the whole index.
 */
export class PartedData implements SearchData {
  readonly wanted = new WantedParts();
  readonly partCount: number;
  readonly pages: readonly RankedPage[];
  readonly sectionCount: number;
  readonly pageOfSection: Uint32Array;
  readonly firstSection: Uint32Array;
  readonly sectionLength: Float32Array;
  readonly pageLength: Float32Array;
  readonly titleLength: Float32Array;
  readonly pageWorth: Float32Array;
  private readonly head: PartHead;
  private readonly models: PartModels;
  private readonly size: IndexSize;
  private readonly texts: TextPlaces;
  private readonly firstTermPart: number;
  private readonly firstNamedPart: number;
  private readonly firstTextPart: number;
  private stage: Stage = 'words';
  /** Parts as they came; unpacked when they are first read. */
  private readonly packed: (string | undefined)[];
  private readonly unpackedWords = new Map<number, string[]>();
  private readonly unpackedTerms = new Map<number, Terms>();
  private readonly unpackedTexts = new Map<number, Uint8Array[]>();

  /** @throws Error where the text is no head of an index */
  constructor(headText: string) {
    const { head, models } = readHead(headText);
    this.head = head;
    this.models = models;
    this.pages = head.kindOfPage.map((kind) => head.kinds[kind] as RankedPage);
    this.sectionCount = head.stepOfSection.length;
    this.size = { sectionCount: this.sectionCount, pageCount: this.pages.length };
    this.firstSection = new Uint32Array(this.pages.length + 1);
    this.pageOfSection = new Uint32Array(this.sectionCount);
    this.pageLength = new Float32Array(this.pages.length);
    this.sectionLength = Float32Array.from(head.stepOfSection, lengthOfStep);
    this.titleLength = Float32Array.from(head.titleLengths);
    this.pageWorth = Float32Array.from(head.stepOfWorth, worthOfStep);
    head.sectionsOfPage.forEach((count, page) => {
      const first = this.firstSection[page] as number;
      this.firstSection[page + 1] = first + count;
      this.pageOfSection.fill(page, first, first + count);
      for (let section = first; section < first + count; section++) {
        (this.pageLength[page] as number) += lengthOfStep(head.stepOfSection[section] as number);
      }
    });
    this.texts = new TextPlaces(head.sectionsOfTextPart, this.pageOfSection, this.firstSection);
    this.firstTermPart = head.wordStarts.length;
    this.firstNamedPart = this.firstTermPart + head.termStarts.length;
    this.firstTextPart = this.firstNamedPart + head.namedPartCount;
    this.partCount = this.firstTextPart + head.sectionsOfTextPart.length;
    this.packed = new Array(this.partCount).fill(undefined);
  }

  /** Takes a part that was fetched. */
  add(part: number, packed: string): void {
    this.packed[part] = packed;
  }

  /** To be called before each search. */
  begin(): void {
    this.wanted.forget();
    this.stage = 'words';
  }

  /** What is in a part; undefined where the part is not there. */
  private unpacked<Kind>(
    known: Map<number, Kind>,
    part: number,
    stage: Stage,
    unpack: (packed: string) => Kind,
  ): Kind | undefined {
    const ready = known.get(part);
    if (ready !== undefined) return ready;
    const packed = this.packed[part];
    if (packed === undefined) {
      this.wanted.note(stage, part);
      return undefined;
    }
    const read = unpack(packed);
    known.set(part, read);
    this.packed[part] = undefined;
    return read;
  }

  private words(part: number, stage: Stage): string[] | undefined {
    return this.unpacked(this.unpackedWords, part, stage, (packed) => readWords(this.models, packed));
  }

  private textsOf(part: number, stage: Stage): Uint8Array[] | undefined {
    const count = this.texts.textCounts[part] as number;
    return this.unpacked(this.unpackedTexts, part + this.firstTextPart, stage, (packed) =>
      readTexts(this.models, this.head.sample, count, packed),
    );
  }

  private terms(part: number, stage: Stage): Terms | undefined {
    return this.unpacked(this.unpackedTerms, part, stage, (packed) => readTerms(this.models, this.size, packed));
  }

  labelsAt(path: string): RankedPage | undefined {
    const folder = folderOf(path);
    const mark = pathMark(path);
    return this.pages.find((page, number) => {
      // A page without version and language tells the same as no page.
      if (page.folder !== folder || (page.version ?? page.language) === undefined || this.head.pathMarks[number] !== mark) {
        return false;
      }
      return this.storedPage(this.firstSection[number] as number, 'words')?.[0] === path;
    });
  }

  termId(stemmed: string): number {
    const part = this.partOfTerm(stemmed);
    if (part < 0) return -1;
    const terms = this.terms(part, this.stage)?.terms ?? [];
    const at = part < this.firstNamedPart ? lowerBound(terms, stemmed) : terms.indexOf(stemmed);
    return at >= 0 && terms[at] === stemmed ? part * TERMS_OF_PART + at : -1;
  }

  private partOfTerm(stemmed: string): number {
    const { namedTerms, partOfNamed, termStarts } = this.head;
    const at = lowerBound(namedTerms, stemmed);
    if (namedTerms[at] === stemmed)
      return (partOfNamed[at] as number) < 0 ? -1 : (partOfNamed[at] as number) + this.firstNamedPart;
    const group = groupOf(termStarts, stemmed);
    return group < 0 ? -1 : group + this.firstTermPart;
  }

  termsFrom(prefix: string, most: number): NamedTerm[] {
    const { termStarts, namedTerms } = this.head;
    const found = namedTerms.slice(lowerBound(namedTerms, prefix)).filter((text) => text.startsWith(prefix));
    let count = 0;
    for (let group = Math.max(0, groupOf(termStarts, prefix)); group < termStarts.length && count < most; group++) {
      const start = termStarts[group] as string;
      if (start > prefix && !start.startsWith(prefix)) break;
      const terms = this.terms(group + this.firstTermPart, this.stage)?.terms.filter((text) => text.startsWith(prefix));
      found.push(...(terms ?? []));
      // A part that is not there is taken to bring half of them, so that one or two are fetched at a time.
      count += terms?.length ?? most / 2;
    }
    const texts = found.sort().slice(0, most);
    return texts.map((text) => ({ text, term: this.termId(text) })).filter(({ term }) => term >= 0);
  }

  hasWord(word: string): boolean {
    const part = groupOf(this.head.wordStarts, word);
    const words = part < 0 ? [] : (this.words(part, 'words') ?? []);
    return words[lowerBound(words, word)] === word;
  }

  completions(prefix: string, most: number): WordTerm[] {
    const words = this.wordsBetween(prefix, `${prefix}\uffff`, MOST_PREFIXED, 'words');
    this.stage = 'completions';
    return shortest(words, most).map((at) => this.wordTerm(words[at] as string));
  }

  similarWords(typed: string): WordTerm[] {
    if (this.wanted.isBehind('similar')) return [];
    const words = this.wordsBetween(typed[0] as string, `${typed[0]}\uffff`, Number.POSITIVE_INFINITY, 'similar');
    this.stage = 'completions';
    return similarWords(words, typed).map((at) => this.wordTerm(words[at] as string));
  }

  private wordTerm(word: string): WordTerm {
    return { word, term: this.termId(stem(word)) };
  }

  /** The words from one on to before another, in as many parts as that takes. */
  private wordsBetween(from: string, to: string, most: number, stage: Stage): string[] {
    const { wordStarts } = this.head;
    const found: string[] = [];
    // A start is cut short, so the group that `from` belongs to may begin with it.
    for (let part = Math.max(0, groupOf(wordStarts, from)); part < wordStarts.length; part++) {
      if ((wordStarts[part] as string) >= to || found.length >= most) break;
      const words = this.words(part, stage) ?? new Array<string>(WORDS_IN_PART).fill(from);
      found.push(...words.slice(lowerBound(words, from), lowerBound(words, to)));
    }
    return found.slice(0, most);
  }

  readPostings(term: number, into: Postings): void {
    const list = this.unpackedTerms.get(Math.floor(term / TERMS_OF_PART))?.lists[term % TERMS_OF_PART];
    into.sectionCount = list?.sections.length ?? 0;
    into.pageCount = list?.pages.length ?? 0;
    if (list === undefined) return;
    into.sections.set(list.sections);
    into.counts.set(list.counts);
    into.pages.set(list.pages);
    into.fields.set(list.fields);
  }

  sectionText(section: number): string {
    return this.record(section, 'texts');
  }

  document(section: number): SearchDocument {
    const stored = this.storedPage(section, 'documents');
    const record = this.record(section, 'documents');
    return new StoredDocument(stored ?? ABSENT_PAGE, () => (record === '' ? ABSENT_RECORD : record));
  }

  private storedPage(section: number, stage: Stage): StoredPage | undefined {
    const stored = this.textsOf(this.texts.part(section), stage)?.[this.texts.pagePlace(section)];
    return stored && (JSON.parse(decodeUtf8(stored)) as StoredPage);
  }

  private record(section: number, stage: Stage): string {
    const text = this.textsOf(this.texts.part(section), stage)?.[this.texts.place(section)];
    return text === undefined ? '' : decodeUtf8(text);
  }
}

/** Stands in the answer of a search that lacks parts; nobody gets to see it. */
const ABSENT_PAGE: StoredPage = ['', '', '', '', [], 1, {}];
const ABSENT_RECORD = '["",[]]\n';
