import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PartContent } from '@docent/search/index/index-format.ts';
import { SearchIndexBuilder, type SearchPage } from '@docent/search/load/build-search-index.ts';
import type { PageTerms } from '@docent/search/load/page-terms.ts';
import { RecordFile } from '../files/record-file.ts';

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A page with its text. */
interface FedPage {
  page: SearchPage;
  terms: PageTerms;
}

/**
 * Builds the search index of a site while its pages are compiled, in any order. The index has them
 * in the order of their numbers, so a page that comes too early waits, compressed: the text of all
 * pages together may not fit in memory.
 */
export class SearchFeed {
  readonly #records = new RecordFile();
  readonly #builder = new SearchIndexBuilder(this.#records);
  readonly #waiting = new Map<number, Uint8Array>();
  #next = 0;

  /**
   * Adds a page; undefined if search does not include it. Numbers begin with 0 and have no gaps.
   */
  add(number: number, page: FedPage | undefined): void {
    if (number !== this.#next) {
      this.#waiting.set(number, zstdCompressSync(serialize(page), FAST));
      return;
    }
    this.#take(page);
    for (
      let packed = this.#waiting.get(this.#next);
      packed;
      packed = this.#waiting.get(this.#next)
    ) {
      this.#waiting.delete(this.#next);
      this.#take(deserialize(zstdDecompressSync(packed)) as FedPage | undefined);
    }
  }

  #take(page: FedPage | undefined): void {
    if (page) this.#builder.add(page.page, page.terms);
    this.#next++;
  }

  /** Returns the index, once all pages were added. */
  finish(): PartContent {
    return this.#builder.finish();
  }

  /** Frees what the index was read from. */
  close(): void {
    this.#records.close();
  }
}
