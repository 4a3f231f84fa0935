import type { BuiltPage } from '@docent/format/build/site-build.ts';
import { LLMS_FULL_SEPARATOR, llmsFullHead } from '@docent/format/site-files/llms-txt.ts';
import type { StreamedFile } from '../files/bundle-file.ts';
import { TextSpool } from '../files/text-spool.ts';
import { type ListedBuild, llmsFullPage, llmsFullPages } from '../site/site-listings.ts';

const SEPARATOR_BYTES = LLMS_FULL_SEPARATOR.length;
const NEWLINE = Buffer.from('\n');
const LAST_BLANK = 32;

/**
 * Collects `llms-full.txt` while the pages of a bundle are rendered: it has a different order, and
 * all of their text.
 */
export class BundleFullText {
  readonly #site: Pick<ListedBuild, 'origin'>;
  readonly #pages: readonly BuiltPage[];
  readonly #wanted: ReadonlySet<BuiltPage>;
  readonly #entries = new TextSpool<BuiltPage>();

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
    if (!this.#wanted.has(page)) return;
    const head = Buffer.from(LLMS_FULL_SEPARATOR + llmsFullHead(llmsFullPage(this.#site, page)));
    await this.#entries.add(page, head, trimmed(markdown), NEWLINE);
  }

  /** Returns the file, once every page was added. */
  file(path: string): StreamedFile {
    const sizeBytes = this.#pages.reduce((sum, page) => sum + this.#entries.sizeOf(page), 0);
    return { path, sizeBytes: Math.max(0, sizeBytes - SEPARATOR_BYTES), chunks: this.#chunks() };
  }

  /** Every entry but the first is preceded by the separator. */
  async *#chunks(): AsyncGenerator<Uint8Array> {
    let isFirst = true;
    for await (const chunk of this.#entries.read(this.#pages)) {
      yield isFirst ? chunk.subarray(SEPARATOR_BYTES) : chunk;
      isFirst = false;
    }
  }

  async close(): Promise<void> {
    await this.#entries.close();
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
