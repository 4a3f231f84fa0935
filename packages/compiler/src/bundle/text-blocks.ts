import { hash } from 'node:crypto';
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { BuiltPage } from '@docent/format/build/site-build.ts';
import type { KeptRuns } from '../files/packed-runs.ts';

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/**
 * A block ends after a page for which chance has it so, by its path: what is added or removed changes
 * the block around it alone.
 */
const MIN_BYTES = 64 * 1024;
const MAX_BYTES = 512 * 1024;
const ENDS_IN = 8;

/** The Markdown of a page, and the hash of a file that has it. */
export interface PageText {
  page: BuiltPage;
  sha256: string;
  sizeBytes: number;
}

/**
 * The Markdown of the pages of a bundle in blocks of neighbors, kept for the next bundle: to read
 * that of each page from where its HTML is takes several times as long.
 */
export class TextBlocks {
  readonly #kept: KeptRuns;
  readonly #read: (page: BuiltPage) => Promise<Uint8Array>;
  readonly #blocks = new Map<BuiltPage, readonly PageText[]>();

  /**
   * @param texts of all pages, in order
   * @param read returns the Markdown of a page that is in no kept block
   */
  constructor(
    texts: readonly PageText[],
    kept: KeptRuns,
    read: (page: BuiltPage) => Promise<Uint8Array>,
  ) {
    this.#kept = kept;
    this.#read = read;
    let [block, blockBytes]: [PageText[], number] = [[], 0];
    for (const text of texts) {
      if (blockBytes + text.sizeBytes > MAX_BYTES) [block, blockBytes] = [[], 0];
      block.push(text);
      blockBytes += text.sizeBytes;
      this.#blocks.set(text.page, block);
      const mayEnd = blockBytes >= MIN_BYTES && crc32(text.page.path) % ENDS_IN === 0;
      if (mayEnd) [block, blockBytes] = [[], 0];
    }
  }

  /** Returns the Markdown of a page and its neighbors. */
  async read(page: BuiltPage): Promise<ReadonlyMap<BuiltPage, Uint8Array>> {
    const block = this.#blocks.get(page) ?? [];
    const key = hash('sha256', `texts ${block.map(({ sha256 }) => sha256).join(' ')}`);
    const bytes = this.#find(key, block) ?? (await this.#make(key, block));
    const texts = new Map<BuiltPage, Uint8Array>();
    let at = 0;
    for (const { page: neighbor, sizeBytes } of block) {
      texts.set(neighbor, bytes.subarray(at, at + sizeBytes));
      at += sizeBytes;
    }
    return texts;
  }

  #find(key: string, block: readonly PageText[]): Uint8Array | undefined {
    const run = this.#kept.find(key);
    const wholeBytes = block.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (run?.sizeBytes !== wholeBytes) return undefined;
    try {
      return zstdDecompressSync(run.bytes, {
        maxOutputLength: wholeBytes,
        chunkSize: Math.max(wholeBytes, constants.Z_MIN_CHUNK),
      });
    } catch {
      return undefined;
    }
  }

  async #make(key: string, block: readonly PageText[]): Promise<Uint8Array> {
    const texts: Uint8Array[] = [];
    for (const { page } of block) texts.push(await this.#read(page));
    const bytes = Buffer.concat(texts);
    this.#kept.keep(key, {
      bytes: zstdCompressSync(bytes, FAST),
      crc: crc32(bytes),
      sizeBytes: bytes.byteLength,
    });
    return bytes;
  }
}
