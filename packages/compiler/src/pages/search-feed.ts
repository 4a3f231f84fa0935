import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PartContent } from '@docent/search/index/index-format.ts';
import { SearchIndexBuilder } from '@docent/search/load/build-search-index.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';
import { RecordFile } from '../files/record-file.ts';

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

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
   * Adds a page, which has no sections if search does not include it. Numbers begin with 0 and have
   * no gaps.
   */
  add(number: number, sections: readonly SearchDocument[]): void {
    if (number !== this.#next) {
      this.#waiting.set(number, zstdCompressSync(serialize(sections), FAST));
      return;
    }
    this.#take(sections);
    for (
      let packed = this.#waiting.get(this.#next);
      packed;
      packed = this.#waiting.get(this.#next)
    ) {
      this.#waiting.delete(this.#next);
      this.#take(deserialize(zstdDecompressSync(packed)) as SearchDocument[]);
    }
  }

  #take(sections: readonly SearchDocument[]): void {
    this.#builder.addPage(sections);
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
