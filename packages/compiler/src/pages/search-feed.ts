import { hash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PartContent } from '@docent/search/index/index-format.ts';
import {
  type IndexSegment,
  SearchIndexBuilder,
  type SearchPage,
} from '@docent/search/load/build-search-index.ts';
import type { PageTerms } from '@docent/search/load/page-terms.ts';
import { RecordFile } from '../files/record-file.ts';
import type { PageResult } from './page-result.ts';

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A page with its text. */
interface FedPage {
  page: SearchPage;
  terms: PageTerms;
  /** Names the terms; absent if they are not kept. */
  termsKey?: string | undefined;
  /** Whether its terms are read when somebody needs them. */
  isKept?: boolean | undefined;
}

/** Segments of the index of an earlier build, by the pages that they consist of. */
export interface KeptSegments {
  findSegment(key: string): IndexSegment | undefined;
  keepSegment(key: string, segment: IndexSegment): void;
}

/** Undefined if no index is built. Terms of a kept page are not read yet. */
export function fedPage(
  page: SearchPage,
  result: Pick<PageResult, 'terms' | 'termsKey' | 'isKept'>,
): FedPage | undefined {
  const { termsKey, isKept } = result;
  if (!isKept || termsKey === undefined)
    return result.terms && { page, terms: result.terms, termsKey };
  const get = () => result.terms;
  return Object.defineProperty({ page, termsKey, isKept }, 'terms', { get }) as unknown as FedPage;
}

interface SegmentPage {
  fed: FedPage;
  groups: readonly string[];
}

/**
 * A segment ends after a page for which chance has it so, by its path: what is added or removed
 * changes the segment around it alone.
 */
const MIN_PAGES = 16;
const MAX_PAGES = 96;
const ENDS_IN = 32;

/**
 * Builds the search index of a site while its pages are compiled, in any order. The index has them
 * in the order of their numbers, so a page that comes too early waits, compressed: the text of all
 * pages together may not fit in memory.
 */
export class SearchFeed {
  readonly #records = new RecordFile();
  readonly #builder = new SearchIndexBuilder(this.#records);
  readonly #waiting = new Map<number, Uint8Array | FedPage>();
  readonly #kept: KeptSegments | undefined;
  #segment: SegmentPage[] = [];
  #next = 0;

  /** @param kept if the build keeps anything; the index is the same */
  constructor(kept?: KeptSegments) {
    this.#kept = kept;
  }

  /**
   * Adds a page; undefined if search does not include it. Numbers begin with 0 and have no gaps.
   */
  add(number: number, page: FedPage | undefined): void {
    if (number !== this.#next) {
      this.#waiting.set(number, page?.isKept ? page : zstdCompressSync(serialize(page), FAST));
      return;
    }
    this.#take(page);
    for (
      let waiting = this.#waiting.get(this.#next);
      waiting;
      waiting = this.#waiting.get(this.#next)
    ) {
      this.#waiting.delete(this.#next);
      this.#take(
        waiting instanceof Uint8Array
          ? (deserialize(zstdDecompressSync(waiting)) as FedPage | undefined)
          : waiting,
      );
    }
  }

  #take(fed: FedPage | undefined): void {
    this.#next++;
    if (!fed) return;
    if (!this.#kept) {
      this.#builder.add(fed.page, fed.terms);
      return;
    }
    const length = this.#segment.push({ fed, groups: this.#builder.beginningGroups(fed.page) });
    const mayEnd = length >= MIN_PAGES && crc32(fed.page.path) % ENDS_IN === 0;
    if (mayEnd || length >= MAX_PAGES) this.#endSegment(this.#kept);
  }

  #endSegment(kept: KeptSegments): void {
    const pages = this.#segment;
    this.#segment = [];
    const parts = pages.map(({ fed, groups }) => [fed.termsKey, fed.page, groups]);
    const key = parts.every(([termsKey]) => termsKey !== undefined)
      ? hash('sha256', JSON.stringify(parts))
      : undefined;
    let segment = key === undefined ? undefined : kept.findSegment(key);
    if (segment === undefined) {
      const builder = new SearchIndexBuilder();
      for (const { fed, groups } of pages) builder.add(fed.page, fed.terms, groups);
      segment = builder.toSegment();
      if (key !== undefined) kept.keepSegment(key, segment);
    }
    this.#builder.addSegment(
      pages.map(({ fed }) => fed.page),
      segment,
    );
  }

  /** Returns the index, once all pages were added. */
  finish(): PartContent {
    if (this.#kept && this.#segment.length > 0) this.#endSegment(this.#kept);
    return this.#builder.finish();
  }

  /** Frees what the index was read from. */
  close(): void {
    this.#records.close();
  }
}
