import type { BuiltPage } from '@docent/format/build/site-build.ts';
import { LLMS_FULL_SEPARATOR, llmsFullHead } from '@docent/format/site-files/llms-txt.ts';
import type { StreamedFile } from '../files/bundle-file.ts';
import { TextSpool } from '../files/text-spool.ts';
import { type ListedBuild, llmsFullPage, llmsFullPages } from '../site/site-listings.ts';

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
  readonly #kept = new Map<BuiltPage, () => Promise<Uint8Array>>();
  /** Texts of kept pages: they are read for their file, and again for `llms-full.txt`. */
  readonly #held = new Map<BuiltPage, Uint8Array>();
  #heldBytes = 0;
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
  add(page: BuiltPage, markdown: Uint8Array): void {
    this.#texts.add(page, markdown);
    this.#count(page, trimmed(markdown).byteLength);
  }

  /** Adds a page whose Markdown is read when somebody needs it. */
  addKept(page: BuiltPage, trimmedBytes: number, read: () => Promise<Uint8Array>): void {
    this.#kept.set(page, read);
    this.#count(page, trimmedBytes);
  }

  async markdown(page: BuiltPage): Promise<Uint8Array> {
    const read = this.#kept.get(page);
    if (!read) return this.#texts.readWhole(page);
    const heldText = this.#held.get(page);
    if (heldText) return heldText;
    // Without what it is a part of.
    const text = new Uint8Array(await read());
    this.#heldBytes += text.byteLength;
    if (this.#heldBytes <= MAX_HELD_BYTES) this.#held.set(page, text);
    return text;
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
