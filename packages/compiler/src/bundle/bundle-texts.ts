import type { BuiltPage } from '@docent/format/build/site-build.ts';
import { LLMS_FULL_SEPARATOR, llmsFullHead } from '@docent/format/site-files/llms-txt.ts';
import type { StreamedFile } from '../files/bundle-file.ts';
import type { KeptRuns } from '../files/packed-runs.ts';
import { TextSpool } from '../files/text-spool.ts';
import { type ListedBuild, llmsFullPage, llmsFullPages } from '../site/site-listings.ts';
import { type PageText, TextBlocks } from './text-blocks.ts';

const SEPARATOR_BYTES = LLMS_FULL_SEPARATOR.length;
const NEWLINE = Buffer.from('\n');
const LAST_BLANK = 32;
const MAX_HELD_BYTES = 8 * 1024 * 1024;

/**
 * The Markdown of the pages of a bundle, collected while they are rendered, for the files that come
 * later: that of each page, and `llms-full.txt`, which has a different order.
 */
export class BundleTexts {
  readonly #site: Pick<ListedBuild, 'origin'>;
  readonly #pages: readonly BuiltPage[];
  readonly #wanted: ReadonlySet<BuiltPage>;
  readonly #texts = new TextSpool<BuiltPage>();
  /** Markdown of kept pages. */
  readonly #kept = new Map<BuiltPage, () => Promise<Uint8Array>>();
  readonly #runs: KeptRuns | undefined;
  /** Of all pages, if they are kept. */
  readonly #pageTexts: PageText[] = [];
  #blocks: TextBlocks | undefined;
  #block: ReadonlyMap<BuiltPage, Uint8Array> = new Map();
  /** What is read for the file of a page, and again for `llms-full.txt`. */
  readonly #held = new Map<BuiltPage, Uint8Array>();
  #heldBytes = 0;
  #fullBytes = 0;

  /** @param runs where Markdown is kept for the next bundle */
  constructor(site: Pick<ListedBuild, 'build' | 'pages' | 'origin'>, runs: KeptRuns | undefined) {
    this.#runs = runs;
    this.#site = site;
    this.#pages = llmsFullPages(site);
    this.#wanted = new Set(this.#pages);
  }

  /**
   * Adds a page when it is rendered. Its Markdown is passed on as bytes: as a text it would be
   * copied several times.
   * @param sha256 of a file that has the Markdown, if texts are kept
   */
  add(page: BuiltPage, markdown: Uint8Array, sha256: string | undefined): void {
    this.#texts.add(page, markdown);
    if (sha256 !== undefined)
      this.#pageTexts.push({ page, sha256, sizeBytes: markdown.byteLength });
    this.#count(page, trimmed(markdown).byteLength);
  }

  /** Adds a page whose Markdown is read when somebody needs it. */
  addKept(text: PageText, trimmedBytes: number, read: () => Promise<Uint8Array>): void {
    this.#kept.set(text.page, read);
    this.#pageTexts.push(text);
    this.#count(text.page, trimmedBytes);
  }

  /** Called once all pages are added. */
  async markdown(page: BuiltPage): Promise<Uint8Array> {
    if (!this.#runs) return this.#texts.readWhole(page);
    const heldText = this.#held.get(page) ?? this.#block.get(page);
    if (heldText) return heldText;
    this.#blocks ??= new TextBlocks(this.#pageTexts, this.#runs, async (neighbor) => {
      return (await this.#kept.get(neighbor)?.()) ?? this.#texts.readWhole(neighbor);
    });
    this.#block = await this.#blocks.read(page);
    for (const text of this.#block.values()) this.#heldBytes += text.byteLength;
    if (this.#heldBytes <= MAX_HELD_BYTES)
      for (const [neighbor, text] of this.#block) this.#held.set(neighbor, text);
    return this.#block.get(page) as Uint8Array;
  }

  #count(page: BuiltPage, trimmedBytes: number): void {
    if (this.#wanted.has(page))
      this.#fullBytes += this.#head(page).byteLength + trimmedBytes + NEWLINE.byteLength;
  }

  /** Returns `llms-full.txt`, once every page was added. */
  fullText(path: string): StreamedFile {
    const sizeBytes = Math.max(0, this.#fullBytes - SEPARATOR_BYTES);
    return { path, sizeBytes, chunks: this.#chunks() };
  }

  /** Every entry but the first is preceded by the separator. */
  async *#chunks(): AsyncGenerator<Uint8Array> {
    for (const page of this.#pages) {
      const entry = Buffer.concat(this.#entry(page, await this.markdown(page)));
      yield page === this.#pages[0] ? entry.subarray(SEPARATOR_BYTES) : entry;
    }
  }

  #entry(page: BuiltPage, markdown: Uint8Array): Uint8Array[] {
    return [this.#head(page), trimmed(markdown), NEWLINE];
  }

  #head(page: BuiltPage): Uint8Array {
    return Buffer.from(LLMS_FULL_SEPARATOR + llmsFullHead(llmsFullPage(this.#site, page)));
  }

  close(): void {
    this.#texts.close();
  }
}

/** The bytes of a text without white space and line breaks around it. */
export function trimmed(text: Uint8Array): Uint8Array {
  let start = 0;
  let end = text.byteLength;
  while (start < end && (text[start] as number) <= LAST_BLANK) start++;
  while (end > start && (text[end - 1] as number) <= LAST_BLANK) end--;
  return text.subarray(start, end);
}
