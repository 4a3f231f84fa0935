import { imageSize } from '../../core/content/image-size.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { outsideAddress } from '../../core/outside/address.ts';
import { cssAddresses } from '../../core/outside/css-addresses.ts';
import { type FileKind, fontKind, pictureKind } from '../../core/outside/file-kind.ts';
import type { LocalCopy, OutsidePicture } from '../../core/outside/page-pictures.ts';
import { rewriteCss } from '../../core/outside/rewrite-css.ts';
import type { FileEntry } from '../../core/site-build.ts';
import type { FileSink } from '../bundle/file-sink.ts';
import type { FetchOutside } from './outside.ts';

/** What a build may take from other servers, altogether and one by one. */
const MAX_FILES = 5000;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_STYLE_BYTES = 1024 * 1024;
const MAX_JSON_BYTES = 64 * 1024;
/** A style sheet may import another, which may import another. */
const MAX_STYLE_DEPTH = 3;
const MAX_MS = 120_000;
/** Addresses and causes that a warning names. */
const SHOWN_FAULTS = 3;

const FOLDER = '_docent/outside';
const CSS: FileKind = { extension: 'css', type: 'text/css; charset=utf-8' };
/** Google Fonts gives the fonts that browsers load to browsers alone. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const ACCEPT = {
  picture: 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.5',
  font: 'font/woff2,font/*,*/*;q=0.5',
  import: 'text/css,*/*;q=0.1',
  oembed: 'application/json',
};

export type OutsideKind = OutsidePicture['kind'] | 'import';

/** Where an author named an address. */
export interface OutsidePlace {
  file: string;
  line?: number;
}

/**
 * Copies what a site shows from other servers into its build, each address once. A copy is named by what it holds and typed by
 * its first bytes, so an address that answers with something else than a picture, a font or a style sheet has no copy.
 */
export class OutsideCopies {
  readonly #sink: FileSink;
  readonly #fetch: FetchOutside;
  readonly #asked = new Map<string, Promise<LocalCopy | undefined>>();
  readonly #copies = new Map<string, LocalCopy>();
  readonly #files = new Map<string, FileEntry>();
  readonly #places = new Map<string, OutsidePlace>();
  /** Why an address has no copy. */
  readonly #causes = new Map<string, string>();
  /** Those of them that the author is to know. */
  readonly #faults = new Map<string, string>();
  readonly #kept = new Map<string, string>();
  #bytesLeft = MAX_TOTAL_BYTES;
  #deadline: Promise<{ fault: string }> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(sink: FileSink, fetch: FetchOutside) {
    this.#sink = sink;
    this.#fetch = fetch;
  }

  /**
   * Starts to copy what is at an address.
   * @returns the copy; undefined where there is none, which is reported unless it is `optional`
   */
  want(
    kind: OutsideKind,
    address: string,
    place: OutsidePlace,
    { optional = false, depth = 0 } = {},
  ): Promise<LocalCopy | undefined> {
    this.#notePlace(address, place);
    // A style sheet waits for those that it imports, so one further in is another, or two that import each other would wait for ever.
    const key = kind === 'import' ? `${depth} ${address}` : address;
    const known = this.#asked.get(key);
    if (known) return known;
    const made = this.#copy(kind, address, place, depth).then((copy) => {
      if (typeof copy === 'object') {
        if (depth === 0 || kind !== 'import') this.#copies.set(address, copy);
        return copy;
      }
      this.#causes.set(address, copy);
      if (!optional) this.miss(address, place);
      return undefined;
    });
    this.#asked.set(key, made);
    return made;
  }

  /** Reports an address that has no copy. */
  miss(address: string, place: OutsidePlace): void {
    this.#notePlace(address, place);
    this.#faults.set(address, this.#causes.get(address) ?? 'it was not asked for');
  }

  /** Of the places that name an address, the first one in the order of files: which was read first is chance. */
  #notePlace(address: string, place: OutsidePlace): void {
    const known = this.#places.get(address);
    const isBefore = !known || place.file < known.file || (place.file === known.file && (place.line ?? 0) < (known.line ?? 0));
    if (isBefore) this.#places.set(address, place);
  }

  /** The copy of an address, once `settle` has ended. */
  readonly copyOf = (address: string): LocalCopy | undefined => this.#copies.get(address);

  /** Waits for everything that was wanted. @returns the files, by their site path in alphabetical order */
  async settle(): Promise<[string, FileEntry][]> {
    // What is wanted may want more.
    for (let size = -1; size !== this.#asked.size; ) {
      size = this.#asked.size;
      await Promise.all(this.#asked.values());
    }
    clearTimeout(this.#timer);
    return [...this.#files].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** One warning for all that could not be had, and one for what is a copy of an earlier build. */
  diagnostics(): Diagnostic[] {
    return [
      ...this.#grouped(this.#faults, 'outside-file', {
        what: (count) => `${count === 1 ? 'A file' : `${count} files`} of other servers could not be copied`,
        remedy: 'Correct the addresses, or put the files into the repository: exported sites show their texts instead.',
      }),
      ...this.#grouped(this.#kept, 'outside-file-kept', {
        what: (count) => `${count === 1 ? 'A copy' : `${count} copies`} of an earlier build had to be used`,
        remedy: 'Check that the addresses still lead to the files, or put the files into the repository.',
      }),
    ];
  }

  #grouped(
    causes: ReadonlyMap<string, string>,
    code: string,
    { what, remedy }: { what: (count: number) => string; remedy: string },
  ): Diagnostic[] {
    const addresses = [...causes.keys()].sort();
    const [first] = addresses;
    if (first === undefined) return [];
    const shared = new Set(causes.values()).size === 1 && causes.size > 1 ? `, because ${causes.get(first)}` : '';
    const shown = addresses.slice(0, SHOWN_FAULTS).map((address) => {
      const name = address.slice(0, 200);
      const cause = (causes.get(address) ?? '').replace(/\.$/, '');
      if (shared) return name;
      return cause.includes(address) ? cause : `${name} (${cause})`;
    });
    const rest = addresses.length > SHOWN_FAULTS ? ` and ${addresses.length - SHOWN_FAULTS} more` : '';
    const message = `${what(addresses.length)}${shared}: ${shown.join(', ')}${rest}.`;
    const place = this.#places.get(first) as OutsidePlace;
    return [{ severity: 'warning', code, message, remedy, ...place }];
  }

  /** @returns the copy, or why there is none */
  async #copy(kind: OutsideKind, address: string, place: OutsidePlace, depth: number): Promise<LocalCopy | string> {
    if (this.#asked.size >= MAX_FILES) return `a site may show at most ${MAX_FILES} files of other servers`;
    const maxBytes = kind === 'import' ? MAX_STYLE_BYTES : kind === 'oembed' ? MAX_JSON_BYTES : MAX_FILE_BYTES;
    const request = { accept: ACCEPT[kind], maxBytes, mayReuse: true, ...(kind === 'import' && { userAgent: BROWSER }) };
    const found = await Promise.race([this.#fetch(address, request), this.#timeIsUp()]);
    if ('fault' in found) return found.fault;
    const { bytes } = found;
    this.#bytesLeft -= bytes.byteLength;
    if (this.#bytesLeft < 0) return `the copies of a site may hold at most ${MAX_TOTAL_BYTES / 1024 / 1024} MB`;
    if (found.kept !== undefined) this.#kept.set(address, found.kept);
    if (kind === 'import')
      return found.type === 'text/css' ? this.#copyStyleSheet(bytes, address, place, depth) : 'it is not a style sheet';
    if (kind === 'oembed') return this.#copyPoster(bytes, place);
    const type = kind === 'font' ? fontKind(bytes) : pictureKind(bytes);
    if (!type) return `it is not a ${kind}`;
    const size = kind === 'picture' ? imageSize(bytes) : undefined;
    return { path: await this.#store(bytes, type), ...(size && { size }) };
  }

  async #store(bytes: Uint8Array, { extension, type }: FileKind): Promise<string> {
    const entry = await this.#sink.add(bytes, type);
    const path = `${FOLDER}/${entry.sha256.slice(0, 20)}.${extension}`;
    this.#files.set(path, entry);
    return path;
  }

  /** The still picture of a film, where the platform names one (oEmbed 1.0, `thumbnail_url`). */
  async #copyPoster(bytes: Uint8Array, place: OutsidePlace): Promise<LocalCopy | string> {
    const address = outsideAddress(thumbnailIn(new TextDecoder().decode(bytes)) ?? '');
    if (address === undefined) return 'it names no picture';
    return (await this.want('picture', address, place, { optional: true })) ?? 'its picture could not be copied';
  }

  /** A style sheet with copies of what it loads; what cannot be had is left out of it. */
  async #copyStyleSheet(bytes: Uint8Array, base: string, place: OutsidePlace, depth: number): Promise<LocalCopy | string> {
    const css = new TextDecoder().decode(bytes);
    const wanted = new Map<string, Promise<LocalCopy | undefined>>();
    for (const { kind, target } of cssAddresses(css)) {
      const address = absolute(target, base);
      if (address === undefined || (kind === 'import' && depth >= MAX_STYLE_DEPTH)) continue;
      wanted.set(address, this.want(kind, address, place, { depth: depth + 1 }));
    }
    const copies = new Map<string, LocalCopy | undefined>();
    for (const [address, copy] of wanted) copies.set(address, await copy);
    const text = rewriteCss(css, ({ target }) => {
      if (/^(?:data:|#)/i.test(target)) return target;
      // The copies lie beside each other.
      return copies.get(absolute(target, base) ?? '')?.path.slice(FOLDER.length + 1);
    });
    return { path: await this.#store(new TextEncoder().encode(text), CSS) };
  }

  #timeIsUp(): Promise<{ fault: string }> {
    this.#deadline ??= new Promise((resolve) => {
      this.#timer = setTimeout(() => resolve({ fault: `all copies together took longer than ${MAX_MS / 1000} s` }), MAX_MS);
    });
    return this.#deadline;
  }
}

function thumbnailIn(json: string): string | undefined {
  try {
    const { thumbnail_url: address } = JSON.parse(json) as { thumbnail_url?: unknown };
    return typeof address === 'string' ? address : undefined;
  } catch {
    return undefined;
  }
}

function absolute(target: string, base: string): string | undefined {
  if (target === '' || !URL.canParse(target, base)) return undefined;
  return outsideAddress(new URL(target, base).href);
}
