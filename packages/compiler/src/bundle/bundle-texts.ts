import type { BuiltPage } from '@docent/format/build/site-build.ts';
import { LLMS_FULL_SEPARATOR, llmsFullHead } from '@docent/format/site-files/llms-txt.ts';
import type { StreamedFile } from '../files/bundle-file.ts';
import { TextSpool } from '../files/text-spool.ts';
import { type ListedBuild, llmsFullPage, llmsFullPages } from '../site/site-listings.ts';

const SEPARATOR_BYTES = LLMS_FULL_SEPARATOR.length;
const NEWLINE = Buffer.from('\n');
const LAST_BLANK = 32;

/**
 * The Markdown of the pages of a bundle, collected while they are rendered, for the files that come
 * later: that of each page, and `llms-full.txt`, which has a different order.
 */
export class BundleTexts {
  readonly #site: Pick<ListedBuild, 'origin'>;
  readonly #pages: readonly BuiltPage[];
  readonly #wanted: ReadonlySet<BuiltPage>;
  readonly #texts = new TextSpool<BuiltPage>();
  #fullBytes = 0;

  constructor(site: Pick<ListedBuild, 'build' | 'pages' | 'origin'>) {
    this.#site = site;
    this.#pages = llmsFullPages(site);
    this.#wanted = new Set(this.#pages);
  }

  /**
   * Adds a page when it is rendered. Its Markdown is passed on as bytes: as a text it would be
   * copied several times.
   */
  async add(page: BuiltPage, markdown: Uint8Array): Promise<void> {
    await this.#texts.add(page, markdown);
    if (!this.#wanted.has(page)) return;
    this.#fullBytes += this.#entry(page, markdown).reduce((sum, part) => sum + part.length, 0);
  }

  markdown(page: BuiltPage): Promise<Uint8Array> {
    return this.#texts.readWhole(page);
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
    const head = Buffer.from(LLMS_FULL_SEPARATOR + llmsFullHead(llmsFullPage(this.#site, page)));
    return [head, trimmed(markdown), NEWLINE];
  }

  async close(): Promise<void> {
    await this.#texts.close();
  }
}

/** The bytes of a text without white space and line breaks around it. */
function trimmed(text: Uint8Array): Uint8Array {
  let start = 0;
  let end = text.byteLength;
  while (start < end && (text[start] as number) <= LAST_BLANK) start++;
  while (end > start && (text[end - 1] as number) <= LAST_BLANK) end--;
  return text.subarray(start, end);
}
