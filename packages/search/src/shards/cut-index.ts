import { decodeUtf8 } from '@docent/format/bytes.ts';
import { onceForEach } from '@docent/format/once.ts';
import { PostingLists, packNumbers, readPostings } from '../index/index-format.ts';
import { type CountedPage, labelsOf, lengthStep, type RankedPage } from '../index/search-data.ts';
import type { IndexData } from '../load/index-data.ts';
import { pageBreadth } from '../second-stage/page-breadth.ts';
import { headingLists, pageWorth, worthStep } from '../second-stage/page-facts.ts';
import { lexicon } from '../words/lexicon.ts';
import { stem } from '../words/stem.ts';
import {
  groupOf,
  lexiconLine,
  packSteps,
  pathMark,
  type Shard,
  type ShardHead,
  shortStarts,
  type TermShard,
  type TextShard,
  WORDS_IN_SHARD,
} from './shard-format.ts';

/** Target size of a shard in bytes before compression; a larger item gets its own shard. */
const TERM_SHARD_BYTES = 2400;
const TEXT_SHARD_BYTES = 11_000;

/** An index in shards: the head that is needed first, and the rest, to be loaded by number. */
export interface CutIndex {
  head: ShardHead;
  /** Created one at a time, on demand. */
  shards: Iterable<Shard>;
  /** Approximate size of all shards together. */
  sizeBytes: number;
}

/**
 * Splits an index into shards from which `openShardedIndex` returns the same results as
 * `loadSearchIndex` from the whole.
 * @param isIncluded selects pages; the shards contain nothing of the others. All by default
 */
export function cutIndex(
  data: IndexData,
  isIncluded: (page: SubsetPage) => boolean = () => true,
): CutIndex {
  const subset = new IndexSubset(data, isIncluded);
  const words = grouped(wordsOf(subset), () => 1, WORDS_IN_SHARD);
  const terms = grouped(
    subset.terms,
    (term) => (data.terms[term] as string).length + subset.postingBytes(term),
    TERM_SHARD_BYTES,
  );
  const texts = grouped(subset.sections, (section) => data.recordBytes(section), TEXT_SHARD_BYTES);
  const termsOf = (group: readonly number[]) => group.map((term) => data.terms[term] as string);
  const head = {
    ...pageFacts(subset),
    lengthOfSection: packSteps(
      subset.sections.map((section) => lengthStep(data.sectionLength[section] as number)),
    ),
    wordStarts: shortStarts(words),
    termStarts: shortStarts(terms.map(termsOf)),
    sectionsOfShard: packed(texts.map(({ length }) => length)),
  };
  const entries = lexiconByShard(subset, head.termStarts);
  function* shards(): Iterable<Shard> {
    for (const group of words) yield group.join('\n');
    for (const [at, group] of terms.entries())
      yield termShard(subset, group, termsOf(group), entries[at] ?? []);
    for (const group of texts) yield textShard(subset, group);
  }
  const bytesOf = (total: number, section: number) => total + data.recordBytes(section);
  return {
    head,
    shards: { [Symbol.iterator]: () => shards()[Symbol.iterator]() },
    sizeBytes: subset.sections.reduce(bytesOf, 0),
  };
}

/** Groups adjacent items up to a number of bytes. */
function grouped<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  maxSize: number,
): Item[][] {
  const groups: Item[][] = [];
  let size = maxSize;
  for (const item of items) {
    const itemSize = sizeOf(item);
    size += itemSize;
    if (size > maxSize) {
      groups.push([]);
      size = itemSize;
    }
    groups.at(-1)?.push(item);
  }
  return groups;
}

/** Returns the words whose terms are included. */
function wordsOf({ data, terms }: IndexSubset): readonly string[] {
  const { words, terms: termOfWord } = data.vocabulary;
  if (terms.length === data.terms.length) return words;
  const kept = new Set(terms);
  return words.filter((_, index) => kept.has(termOfWord[index] as number));
}

function termShard(
  subset: IndexSubset,
  group: readonly number[],
  terms: readonly string[],
  entries: readonly string[],
): TermShard {
  const postings = group.map((term) => decodeUtf8(subset.postings(term)));
  return [
    terms.join('\n'),
    packed(postings.map(({ length }) => length)),
    postings.join(''),
    entries.join('\n'),
  ];
}

/**
 * Returns the lines of the lexicon in each shard of terms, without words that are not in these
 * texts.
 */
function lexiconByShard({ data, terms }: IndexSubset, termStarts: readonly string[]): string[][] {
  const includedTerms = new Set(terms.map((term) => data.terms[term] as string));
  const occurs = onceForEach(
    (stems: string) =>
      stems.split(' ').some((word) => includedTerms.has(word)) ||
      includedTerms.has(stem(stems.replaceAll(' ', ''))),
  );
  const lines: string[][] = termStarts.map(() => []);
  for (const [asked, all] of lexicon()) {
    const [first = ''] = asked.split(' ', 1);
    const meant = all.filter(occurs);
    if (meant.length > 0) lines[groupOf(termStarts, first)]?.push(lexiconLine(asked, meant));
  }
  return lines;
}

function textShard({ data }: IndexSubset, group: readonly number[]): TextShard {
  const pages: TextShard = [];
  let last = -1;
  for (const section of group) {
    const page = data.pageOfSection[section] as number;
    if (page !== last) pages.push([data.storedPages[page] as TextShard[number][0]]);
    last = page;
    pages.at(-1)?.push(data.sectionText(section));
  }
  return pages;
}

function packed(numbers: Iterable<number>): string {
  return decodeUtf8(packNumbers(numbers));
}

function pageFacts(
  subset: IndexSubset,
): Pick<
  ShardHead,
  | 'kinds'
  | 'kindOfPage'
  | 'sectionsOfPage'
  | 'titleLengths'
  | 'worthOfPage'
  | 'breadthOfPage'
  | 'pathMarks'
> {
  const { data, pages: included } = subset;
  const kinds = new Map<string, number>();
  const pages = included.map((page) => data.pages[page] as ShardHead['kinds'][number]);
  const kindOfPage = pages.map((page) => {
    const key = JSON.stringify(page);
    const kindIndex = kinds.get(key) ?? kinds.size;
    kinds.set(key, kindIndex);
    return kindIndex;
  });
  return {
    kinds: [...kinds.keys()].map((key) => JSON.parse(key) as ShardHead['kinds'][number]),
    kindOfPage: packed(kindOfPage),
    sectionsOfPage: packed(
      included.map(
        (page) => (data.firstSection[page + 1] as number) - (data.firstSection[page] as number),
      ),
    ),
    titleLengths: packed(included.map((page) => data.titleLength[page] as number)),
    worthOfPage: packSteps(Array.from(subset.pageWorth(), worthStep)),
    breadthOfPage: packSteps(Array.from(subset.pageBreadth(), lengthStep)),
    pathMarks: packed(included.map((page) => pathMark(data.storedPages[page]?.[0] ?? ''))),
  };
}

const NOT_IN = 0xffffffff;
const NOTHING = new Uint8Array();

/** Selects the pages to include. */
export interface SubsetPage {
  path: string;
  href: string;
  /** None if the page belongs to all. */
  languages: readonly string[];
}

/**
 * The pages of an index that go into the shards. They keep their numbers here, and are renumbered
 * in postings.
 */
export class IndexSubset {
  readonly data: IndexData;
  /** Numbers in the whole index, ascending. */
  readonly pages: readonly number[];
  readonly sections: readonly number[];
  readonly terms: readonly number[];
  readonly #newPage: Uint32Array;
  readonly #newSection: Uint32Array;
  /**
   * Postings of each term of the whole index; undefined if all pages are included, because then the
   * index's own apply.
   */
  readonly #postings: readonly Uint8Array[] | undefined;

  constructor(data: IndexData, isIncluded: (page: SubsetPage) => boolean) {
    this.data = data;
    this.#newPage = new Uint32Array(data.pages.length).fill(NOT_IN);
    this.#newSection = new Uint32Array(data.sectionCount).fill(NOT_IN);
    const [pages, sections]: [number[], number[]] = [[], []];
    data.storedPages.forEach(([path, href], page) => {
      const languages = labelsOf(data.pages[page] as RankedPage, 'language');
      if (!isIncluded({ path, href, languages })) return;
      this.#newPage[page] = pages.push(page) - 1;
      const end = data.firstSection[page + 1] as number;
      for (let section = data.firstSection[page] as number; section < end; section++) {
        this.#newSection[section] = sections.push(section) - 1;
      }
    });
    this.pages = pages;
    this.sections = sections;
    const isWhole = pages.length === data.pages.length;
    const lists = new PostingLists();
    this.#postings = isWhole
      ? undefined
      : [...data.terms.keys()].map((term) => this.#renumbered(term, lists));
    this.terms = [...data.terms.keys()].filter((term) => this.postingBytes(term) > 0);
  }

  /**
   * Returns the packed postings of a term of the whole index; empty if these pages do not contain
   * it.
   */
  postings(term: number): Uint8Array {
    return this.#postings === undefined
      ? this.data.packedPostings(term)
      : (this.#postings[term] as Uint8Array);
  }

  /** Returns how many bytes these are. */
  postingBytes(term: number): number {
    return this.#postings?.[term]?.length ?? this.data.postingBytes(term);
  }

  /** Returns the worth of each page, as if the other pages did not exist. */
  pageWorth(): Float32Array {
    const { data } = this;
    if (this.#postings === undefined) return data.pageWorth;
    const links = this.links();
    return pageWorth({
      pages: this.pages.map(
        (page, index): CountedPage => ({
          ...(data.counted[page] as CountedPage),
          links: links[index] as number[],
        }),
      ),
      pageOfSection: this.#pageOfSection(),
      headings: headingLists(data.terms, (term) =>
        readPostings(data.packedPostings(term))
          .sections.map(({ section }) => this.#newSection[section] as number)
          .filter((section) => section !== NOT_IN),
      ),
    });
  }

  /** Returns the breadth of each page, as if the other pages did not exist. */
  pageBreadth(): Float32Array {
    const { data } = this;
    if (this.#postings === undefined) return data.pageBreadth;
    return pageBreadth({
      terms: data.terms,
      postings: (term) => this.postings(term),
      pageOfSection: this.#pageOfSection(),
      pageCount: this.pages.length,
    });
  }

  /** The new numbers of the pages of the new sections. */
  #pageOfSection(): Uint32Array {
    return Uint32Array.from(
      this.sections,
      (section) => this.#newPage[this.data.pageOfSection[section] as number] as number,
    );
  }

  /** Returns for each page the new numbers of those that it links to. */
  links(): number[][] {
    return this.pages.map((page) =>
      (this.data.counted[page] as CountedPage).links
        .map((target) => this.#newPage[target] as number)
        .filter((target) => target !== NOT_IN),
    );
  }

  #renumbered(term: number, lists: PostingLists): Uint8Array {
    const { sections, pages } = readPostings(this.data.packedPostings(term));
    const ownSections = sections.filter(({ section }) => this.#newSection[section] !== NOT_IN);
    const ownPages = pages.filter(({ page }) => this.#newPage[page] !== NOT_IN);
    // A function word that occurs only in prose is known, though it has no postings: it must not
    // count as a typo.
    if (ownSections.length + ownPages.length === 0 && sections.length + pages.length > 0)
      return NOTHING;
    for (const { section, counts } of ownSections)
      lists.addSection(term, this.#newSection[section] as number, counts);
    for (const { page, fields } of ownPages)
      lists.addPage(term, this.#newPage[page] as number, fields);
    return lists.bytesOf(term);
  }
}
