import { decodeUtf8 } from '../../bytes.ts';
import type { IndexData } from '../index/index-data.ts';
import { packNumbers } from '../index/packed-numbers.ts';
import { lengthStep } from '../index/search-data.ts';
import { worthStep } from '../second-stage/page-worth.ts';
import { lexicon } from '../words/lexicon.ts';
import { stem } from '../words/stem.ts';
import { IndexSubset, type SubsetPage } from './index-subset.ts';
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
 * Splits an index into shards from which `openShardedIndex` returns the same results as `loadSearchIndex` from the whole.
 * @param isIncluded selects pages; the shards contain nothing of the others. All by default
 */
export function cutIndex(data: IndexData, isIncluded: (page: SubsetPage) => boolean = () => true): CutIndex {
  const subset = new IndexSubset(data, isIncluded);
  const words = grouped(wordsOf(subset), () => 1, WORDS_IN_SHARD);
  const terms = grouped(
    subset.terms,
    (term) => (data.terms[term] as string).length + subset.postings(term).length,
    TERM_SHARD_BYTES,
  );
  const texts = grouped(subset.sections, (section) => data.recordBytes(section), TEXT_SHARD_BYTES);
  const termsOf = (group: readonly number[]) => group.map((term) => data.terms[term] as string);
  const head = {
    ...pageFacts(subset),
    lengthOfSection: packSteps(subset.sections.map((section) => lengthStep(data.sectionLength[section] as number))),
    wordStarts: shortStarts(words),
    termStarts: shortStarts(terms.map(termsOf)),
    sectionsOfShard: packed(texts.map(({ length }) => length)),
  };
  const entries = lexiconByShard(subset, head.termStarts);
  function* shards(): Iterable<Shard> {
    for (const group of words) yield group.join('\n');
    for (const [at, group] of terms.entries()) yield termShard(subset, group, termsOf(group), entries[at] ?? []);
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
function grouped<Item>(items: readonly Item[], sizeOf: (item: Item) => number, maxSize: number): Item[][] {
  const groups: Item[][] = [];
  let size = maxSize;
  for (const item of items) {
    const own = sizeOf(item);
    size += own;
    if (size > maxSize) {
      groups.push([]);
      size = own;
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
  return [terms.join('\n'), packed(postings.map(({ length }) => length)), postings.join(''), entries.join('\n')];
}

/** Returns the lines of the lexicon in each shard of terms, without words that are not in these texts. */
function lexiconByShard({ data, terms }: IndexSubset, termStarts: readonly string[]): string[][] {
  const known = new Set(terms.map((term) => data.terms[term] as string));
  const lines: string[][] = termStarts.map(() => []);
  for (const [asked, all] of lexicon()) {
    const [first = ''] = asked.split(' ', 1);
    const meant = all.filter(
      (stems) => stems.split(' ').some((one) => known.has(one)) || known.has(stem(stems.replaceAll(' ', ''))),
    );
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
): Pick<ShardHead, 'kinds' | 'kindOfPage' | 'sectionsOfPage' | 'titleLengths' | 'worthOfPage' | 'pathMarks'> {
  const { data, pages: included } = subset;
  const kinds = new Map<string, number>();
  const pages = included.map((page) => data.pages[page] as ShardHead['kinds'][number]);
  const kindOfPage = pages.map((page) => {
    const key = JSON.stringify(page);
    const known = kinds.get(key) ?? kinds.size;
    kinds.set(key, known);
    return known;
  });
  const isLabelled = pages.some((page) => page.version !== undefined || page.language !== undefined);
  return {
    kinds: [...kinds.keys()].map((key) => JSON.parse(key) as ShardHead['kinds'][number]),
    kindOfPage: packed(kindOfPage),
    sectionsOfPage: packed(included.map((page) => (data.firstSection[page + 1] as number) - (data.firstSection[page] as number))),
    titleLengths: packed(included.map((page) => data.titleLength[page] as number)),
    worthOfPage: packSteps(Array.from(subset.pageWorth(), worthStep)),
    pathMarks: isLabelled ? packed(included.map((page) => pathMark(data.storedPages[page]?.[0] ?? ''))) : '',
  };
}
