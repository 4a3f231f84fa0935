import { encodeUtf8 } from '@docent/format/bytes.ts';
import { readNumbers, startsOf } from '../index/index-format.ts';
import {
  folderOf,
  lengthOfStep,
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
import { searchIndexOf } from '../load/load-search-index.ts';
import type { SearchDocument, SearchHit, SearchIndex, SearchOptions } from '../search-index.ts';
import { worthOfStep } from '../second-stage/page-facts.ts';
import { stem } from '../words/stem.ts';
import {
  groupOf,
  pathMark,
  readLexicon,
  readSteps,
  type Shard,
  type ShardHead,
  type TermShard,
  type TextShard,
  WORDS_IN_SHARD,
  type WordShard,
} from './shard-format.ts';

/** An index that loads what a search needs, and therefore answers asynchronously. */
export interface ShardedIndex {
  /**
   * @param isWanted checked before more is loaded: if nobody waits for the result any more, it is
   *   empty
   * @throws Error if a shard could not be loaded; the next search retries
   */
  search(query: string, options: SearchOptions, isWanted?: () => boolean): Promise<SearchHit[]>;
  /**
   * Returns what `read` computes from the whole index. It is called again until nothing that it
   * reads is missing, so it must be pure.
   * @throws Error if a shard could not be loaded
   */
  compute<Result>(read: (index: SearchIndex) => Promise<Result>): Promise<Result>;
}

/** Each round makes progress; no search needs this many. */
const MAX_ROUNDS = 20;
/** A computation may search several times, each time for what the search before found. */
const MAX_COMPUTE_ROUNDS = 200;

/**
 * Opens an index in shards.
 * @param head as created by `cutIndex`
 * @param fetchShard loads a shard by its number; called once for each, and again only after a
 *   failure
 */
export function openShardedIndex(
  head: ShardHead,
  fetchShard: (number: number) => Promise<Shard>,
): ShardedIndex {
  const data = new ShardedData(head);
  const index = searchIndexOf(data);
  const fetching = new Map<number, Promise<void>>();
  const fetchOnce = (number: number): Promise<void> => {
    const pendingFetch = fetching.get(number);
    if (pendingFetch) return pendingFetch;
    const started = fetchShard(number)
      .then((shard) => data.add(number, shard))
      .finally(() => fetching.delete(number));
    fetching.set(number, started);
    return started;
  };
  /** Of one index, one computation at a time: each counts what it misses. */
  let last: Promise<unknown> = Promise.resolve();
  const each: SearchIndex = {
    versions: index.versions,
    languages: index.languages,
    search(query, options) {
      data.beginSearch();
      return index.search(query, options);
    },
    sectionsOf: (path) => index.sectionsOf(path),
  };
  async function compute<Result>(read: (index: SearchIndex) => Promise<Result>): Promise<Result> {
    for (let round = 0; round < MAX_COMPUTE_ROUNDS; round++) {
      data.begin();
      const result = await read(each);
      const missing = [...data.missing];
      if (missing.length === 0) return result;
      await Promise.all(missing.map(fetchOnce));
    }
    throw new Error('The search index does not fit together.');
  }
  return {
    compute(read) {
      const result = last.then(() => compute(read));
      last = result.catch(() => undefined);
      return result;
    },
    async search(query, options, isWanted = () => true) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        data.begin();
        const hits = index.search(query, options);
        const missing = [...data.missing];
        if (missing.length === 0) return hits;
        if (!isWanted()) return [];
        await Promise.all(missing.map(fetchOnce));
      }
      throw new Error('The search index does not fit together.');
    },
  };
}

/** A term's id is its shard times this, plus its index in the shard. */
const TERMS_IN_SHARD = 65536;

/**
 * How far a search must get before it knows that it needs a shard. Later requests depend on earlier
 * results.
 */
type Stage = 'words' | 'completions' | 'similar' | 'texts' | 'documents';

interface Terms {
  terms: string[];
  starts: Uint32Array;
  postings: Uint8Array;
}

interface Text {
  page: StoredPage;
  record: string;
}

/**
 * An index with only some shards loaded. What is not loaded counts as not in the index, and is
 * recorded in `missing`; once a search misses nothing any more, its result is that of the whole
 * index.
 */
export class ShardedData implements SearchData {
  /** The shards that the current search lacks. */
  readonly missing = new Set<number>();
  readonly shardCount: number;
  readonly pages: readonly RankedPage[];
  readonly sectionCount: number;
  readonly pageOfSection: Uint32Array;
  readonly firstSection: Uint32Array;
  readonly sectionLength: Float32Array;
  readonly pageLength: Float32Array;
  readonly titleLength: Float32Array;
  readonly pageWorth: Float32Array;
  readonly pageBreadth: Float32Array;
  readonly #head: ShardHead;
  readonly #pathMarks: Uint32Array;
  readonly #firstTermShard: number;
  readonly #firstTextShard: number;
  /** The first section of each shard of texts. */
  readonly #textStarts: Uint32Array;
  #stage: Stage = 'words';
  /**
   * The first stage of the current search that lacked a shard: requests of later stages are
   * guesses.
   */
  #missedAt: Stage | undefined;
  readonly #words = new Map<number, string[]>();
  readonly #terms = new Map<number, Terms>();
  readonly #lexicon = new Map<string, readonly string[]>();
  readonly #texts = new Map<number, Text[]>();
  /** The pages of loaded texts, by path and by address. */
  readonly #places = new Map<string, number>();

  constructor(head: ShardHead) {
    this.#head = head;
    const numbers = (packed: string) => readNumbers(encodeUtf8(packed));
    this.pages = Array.from(numbers(head.kindOfPage), (kind) => head.kinds[kind] as RankedPage);
    this.firstSection = startsOf(numbers(head.sectionsOfPage));
    this.titleLength = Float32Array.from(numbers(head.titleLengths));
    this.pageWorth = Float32Array.from(readSteps(head.worthOfPage), worthOfStep);
    const lengths = readSteps(head.lengthOfSection).map(lengthOfStep);
    this.sectionLength = Float32Array.from(lengths);
    this.sectionCount = lengths.length;
    this.pageOfSection = new Uint32Array(this.sectionCount);
    this.pageLength = new Float32Array(this.pages.length);
    for (let page = 0; page < this.pages.length; page++) {
      const [from, to] = [this.firstSection[page] as number, this.firstSection[page + 1] as number];
      this.pageOfSection.fill(page, from, to);
      for (const length of lengths.slice(from, to)) (this.pageLength[page] as number) += length;
    }
    this.pageBreadth =
      head.breadthOfPage === undefined
        ? this.pageLength.map(Math.sqrt)
        : Float32Array.from(readSteps(head.breadthOfPage), lengthOfStep);
    this.#pathMarks = numbers(head.pathMarks);
    this.#textStarts = startsOf(numbers(head.sectionsOfShard));
    this.#firstTermShard = head.wordStarts.length;
    this.#firstTextShard = this.#firstTermShard + head.termStarts.length;
    this.shardCount = this.#firstTextShard + this.#textStarts.length - 1;
  }

  /** Adds a loaded shard. */
  add(number: number, shard: Shard): void {
    if (number < this.#firstTermShard) this.#words.set(number, readLines(shard as WordShard));
    else if (number < this.#firstTextShard) {
      const [terms, lengths, postings, lexicon = ''] = shard as TermShard;
      for (const [asked, meant] of readLexicon(lexicon)) this.#lexicon.set(asked, meant);
      const starts = startsOf(readNumbers(encodeUtf8(lengths)));
      this.#terms.set(number, { terms: readLines(terms), starts, postings: encodeUtf8(postings) });
    } else {
      const texts = (shard as TextShard).flatMap(([page, ...records]) =>
        records.map((record) => ({ page, record })),
      );
      this.#texts.set(number, texts);
      const first = this.#textStarts[number - this.#firstTextShard] as number;
      texts.forEach(({ page: [path, href] }, at) => {
        const page = this.pageOfSection[first + at] as number;
        this.#places.set(plainPath(href), page).set(path, page);
      });
    }
  }

  /** Call before each search. */
  begin(): void {
    this.missing.clear();
    this.#missedAt = undefined;
    this.#stage = 'words';
  }

  /** Call before another search of the same computation. */
  beginSearch(): void {
    this.#stage = 'words';
  }

  #shard<Kind>(shards: ReadonlyMap<number, Kind>, number: number, stage: Stage): Kind | undefined {
    const shard = shards.get(number);
    if (shard === undefined) {
      this.#missedAt ??= stage;
      if (stage === this.#missedAt) this.missing.add(number);
    }
    return shard;
  }

  labelsAt(path: string): RankedPage | undefined {
    const folder = folderOf(path);
    const mark = pathMark(path);
    return this.pages.find((page, number) => {
      // A page without version and language has the same effect as no page.
      if (
        page.folder !== folder ||
        (page.version ?? page.language) === undefined ||
        this.#pathMarks[number] !== mark
      ) {
        return false;
      }
      return this.#text(this.firstSection[number] as number, 'words')?.page[0] === path;
    });
  }

  pageAt(path: string): number {
    const loaded = this.#places.get(path);
    if (loaded !== undefined) return loaded;
    // Only the mark of its path is known, and `/guide` may be the address of `guide/index`. It is
    // one of these, or there is none.
    const marks = (path === '' ? ['index'] : [path, `${path}/index`]).map(pathMark);
    for (const [page, pageMark] of this.#pathMarks.entries())
      if (marks.includes(pageMark)) this.#text(this.firstSection[page] as number, 'documents');
    return -1;
  }

  termId(stemmed: string): number {
    const shard = this.#shardOfTerm(stemmed);
    if (shard < 0) return -1;
    const terms = this.#shard(this.#terms, shard, this.#stage)?.terms ?? [];
    const at = lowerBound(terms, stemmed);
    return terms[at] === stemmed ? shard * TERMS_IN_SHARD + at : -1;
  }

  #shardOfTerm(stemmed: string): number {
    const group = groupOf(this.#head.termStarts, stemmed);
    return group < 0 ? -1 : group + this.#firstTermShard;
  }

  meantBy(stems: string): readonly string[] {
    // Comes with the shard of the first word, which the search needs anyway.
    return this.#lexicon.get(stems) ?? [];
  }

  termsFrom(prefix: string, most: number): NamedTerm[] {
    const { termStarts } = this.#head;
    const namedTerms: NamedTerm[] = [];
    let count = 0;
    for (
      let group = Math.max(0, groupOf(termStarts, prefix));
      group < termStarts.length && count < most;
      group++
    ) {
      const start = termStarts[group] as string;
      if (start > prefix && !start.startsWith(prefix)) break;
      const shard = group + this.#firstTermShard;
      const terms = this.#shard(this.#terms, shard, this.#stage)?.terms;
      terms?.forEach((text, at) => {
        if (text.startsWith(prefix)) namedTerms.push({ text, term: shard * TERMS_IN_SHARD + at });
      });
      // A missing shard is assumed to contain half of them, so that one or two are loaded at a
      // time.
      count = terms === undefined ? count + most / 2 : Math.max(count, namedTerms.length);
    }
    return namedTerms.slice(0, most);
  }

  hasWord(word: string): boolean {
    const shard = groupOf(this.#head.wordStarts, word);
    const words = shard < 0 ? [] : (this.#shard(this.#words, shard, 'words') ?? []);
    return words[lowerBound(words, word)] === word;
  }

  completions(prefix: string, most: number): WordTerm[] {
    const words = this.#wordsBetween(prefix, `${prefix}\uffff`, MAX_PREFIXED, 'words');
    this.#stage = 'completions';
    return shortest(words, most).map((at) => this.#wordTerm(words[at] as string));
  }

  similarWords(typed: string): WordTerm[] {
    if (this.#missedAt !== undefined && this.#missedAt !== 'similar') return [];
    const words = this.#wordsBetween(
      typed[0] as string,
      `${typed[0]}\uffff`,
      Number.POSITIVE_INFINITY,
      'similar',
    );
    this.#stage = 'completions';
    return similarWords(words, typed).map((at) => this.#wordTerm(words[at] as string));
  }

  #wordTerm(word: string): WordTerm {
    return { word, term: this.termId(stem(word)) };
  }

  /** The words from one up to, excluding, another, from as many shards as needed. */
  #wordsBetween(from: string, to: string, most: number, stage: Stage): string[] {
    const { wordStarts } = this.#head;
    const wordsInRange: string[] = [];
    // A start is abbreviated, so the group that contains `from` may begin with it.
    for (let shard = Math.max(0, groupOf(wordStarts, from)); shard < wordStarts.length; shard++) {
      if ((wordStarts[shard] as string) >= to || wordsInRange.length >= most) break;
      const words =
        this.#shard(this.#words, shard, stage) ?? new Array<string>(WORDS_IN_SHARD).fill(from);
      wordsInRange.push(...words.slice(lowerBound(words, from), lowerBound(words, to)));
    }
    return wordsInRange.slice(0, most);
  }

  packedPostings(term: number): Uint8Array {
    const shard = this.#terms.get(Math.floor(term / TERMS_IN_SHARD));
    const at = term % TERMS_IN_SHARD;
    return shard?.postings.subarray(shard.starts[at], shard.starts[at + 1]) ?? NO_POSTINGS;
  }

  sectionText(section: number): string {
    return this.#text(section, 'texts')?.record ?? '';
  }

  document(section: number): SearchDocument {
    const { page, record } = this.#text(section, 'documents') ?? ABSENT;
    return new StoredDocument(page, () => record);
  }

  #text(section: number, stage: Stage): Text | undefined {
    const group = groupOf(this.#textStarts, section);
    return this.#shard(this.#texts, group + this.#firstTextShard, stage)?.[
      section - (this.#textStarts[group] as number)
    ];
  }
}

const NO_POSTINGS = new Uint8Array();
/** A placeholder in the result of a search that lacks shards; never returned to callers. */
const ABSENT: Text = { page: ['', '', '', '', [], 1, {}], record: '["",[]]\n' };
