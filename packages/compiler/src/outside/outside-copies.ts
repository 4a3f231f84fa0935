import type { FileEntry } from '@docent/format/build/site-build.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { imageSize } from '@docent/format/image-size.ts';
import { inlinePicture, outsideAddress } from '@docent/format/outside/address.ts';
import { cssAddresses, rewriteCss } from '@docent/format/outside/css-addresses.ts';
import { type FileKind, fontKind, pictureKind } from '@docent/format/outside/file-kind.ts';
import type { LocalCopy, OutsidePicture } from '@docent/format/outside/page-pictures.ts';
import type { FileSink } from '../files/file-sink.ts';
import type { FetchOutside, OutsideRequest } from './outside.ts';

/** Limits for what a build may fetch from other servers, in total and per file. */
const MAX_FILES = 5000;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** A style sheet may import another, which may import another. */
const MAX_STYLE_DEPTH = 3;
const MAX_MS = 120_000;
/** Maximum addresses and causes that a warning lists. */
const SHOWN_FAULTS = 3;

const FOLDER = '_docent/outside';
const CSS: FileKind = { extension: 'css', type: 'text/css; charset=utf-8' };
/** Google Fonts serves the fonts for browsers only to browsers. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const PICTURE = {
  accept: 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.5',
  maxBytes: MAX_FILE_BYTES,
};
const REQUESTS: Record<OutsideKind, OutsideRequest> = {
  picture: PICTURE,
  poster: PICTURE,
  font: { accept: 'font/woff2,font/*,*/*;q=0.5', maxBytes: MAX_FILE_BYTES },
  import: { accept: 'text/css,*/*;q=0.1', maxBytes: 1024 * 1024, userAgent: BROWSER },
  oembed: { accept: 'application/json', maxBytes: 64 * 1024 },
};

export type OutsideKind = OutsidePicture['kind'] | 'import';

/** Where an author named a URL. */
export interface OutsidePlace {
  file: string;
  line?: number;
}

/**
 * Copies files from other servers that a site shows into its build, each URL once. A copy is named
 * by its content and typed by its first bytes, so a URL that returns anything but an image, a font
 * or a style sheet has no copy.
 */
export class OutsideCopies {
  readonly #sink: FileSink;
  readonly #fetch: FetchOutside;
  readonly #asked = new Map<string, Promise<LocalCopy | undefined>>();
  readonly #copies = new Map<string, LocalCopy>();
  readonly #files = new Map<string, FileEntry>();
  readonly #places = new Map<string, OutsidePlace>();
  /** Why a URL has no copy. */
  readonly #causes = new Map<string, string>();
  /** Those of them that are reported to the author. */
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
   * Starts to copy a URL.
   * @returns the copy; undefined if there is none, which is reported unless it is `optional`
   */
  want(
    kind: OutsideKind,
    address: string,
    place: OutsidePlace,
    { optional = false, depth = 0 } = {},
  ): Promise<LocalCopy | undefined> {
    this.#notePlace(address, place);
    // A style sheet waits for its imports, so nested ones use a separate key; otherwise two that
    // import each other would wait forever.
    const key = kind === 'import' ? `${depth} ${address}` : address;
    const pendingCopy = this.#asked.get(key);
    if (pendingCopy) return pendingCopy;
    const newCopy = this.#copy(kind, address, place, depth).then((copy) => {
      if (typeof copy === 'object') {
        if (depth === 0 || kind !== 'import') this.#copies.set(address, copy);
        return copy;
      }
      this.#causes.set(address, copy);
      if (!optional) this.miss(address, place);
      return undefined;
    });
    this.#asked.set(key, newCopy);
    return newCopy;
  }

  /** Reports a URL that has no copy. */
  miss(address: string, place: OutsidePlace): void {
    this.#notePlace(address, place);
    this.#faults.set(address, this.#causes.get(address) ?? 'it was not requested');
  }

  /**
   * Returns the first place that names a URL in file order, since the order in which files are read
   * is random.
   */
  #notePlace(address: string, place: OutsidePlace): void {
    const firstPlace = this.#places.get(address);
    const isBefore =
      !firstPlace ||
      place.file < firstPlace.file ||
      (place.file === firstPlace.file && (place.line ?? 0) < (firstPlace.line ?? 0));
    if (isBefore) this.#places.set(address, place);
  }

  /** Returns the copy of a URL, once `settle` has finished. */
  readonly copyOf = (address: string): LocalCopy | undefined => this.#copies.get(address);

  /** Waits for all requested copies. @returns the files by site path in alphabetical order */
  async settle(): Promise<[string, FileEntry][]> {
    // A copy may request more copies.
    for (let size = -1; size !== this.#asked.size; ) {
      size = this.#asked.size;
      await Promise.all(this.#asked.values());
    }
    clearTimeout(this.#timer);
    return [...this.#files].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /**
   * Returns one warning for everything that is unavailable, and one for copies from an earlier
   * build.
   */
  diagnostics(): Diagnostic[] {
    return [
      ...this.#grouped(this.#faults, 'outside-file', {
        what: (count) =>
          `${count === 1 ? 'A file' : `${count} files`} from other servers could not be copied`,
        remedy:
          'Correct the URLs, or add the files to the repository; exported sites show their alternative text instead.',
      }),
      ...this.#grouped(this.#kept, 'outside-file-kept', {
        what: (count) =>
          `${count === 1 ? 'A copy from an earlier build was' : `${count} copies from an earlier build were`} used`,
        remedy: 'Check that the URLs still work, or add the files to the repository.',
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
    const shared =
      new Set(causes.values()).size === 1 && causes.size > 1
        ? `, because ${causes.get(first)}`
        : '';
    const listedFaults = addresses.slice(0, SHOWN_FAULTS).map((address) => {
      const name = address.slice(0, 200);
      const cause = (causes.get(address) ?? '').replace(/\.$/, '');
      if (shared) return name;
      return cause.includes(address) ? cause : `${name} (${cause})`;
    });
    const rest =
      addresses.length > SHOWN_FAULTS ? ` and ${addresses.length - SHOWN_FAULTS} more` : '';
    const message = `${what(addresses.length)}${shared}: ${listedFaults.join(', ')}${rest}.`;
    const place = this.#places.get(first) as OutsidePlace;
    return [{ severity: 'warning', code, message, remedy, ...place }];
  }

  /** @returns the copy, or why there is none */
  async #copy(
    kind: OutsideKind,
    address: string,
    place: OutsidePlace,
    depth: number,
  ): Promise<LocalCopy | string> {
    if (this.#asked.size >= MAX_FILES)
      return `a site may use at most ${MAX_FILES} files from other servers`;
    const request = { ...REQUESTS[kind], mayReuse: true };
    const result = await Promise.race([this.#fetch(address, request), this.#timeIsUp()]);
    if ('fault' in result) return result.fault;
    const { bytes } = result;
    this.#bytesLeft -= bytes.byteLength;
    if (this.#bytesLeft < 0)
      return `the copies of a site may hold at most ${MAX_TOTAL_BYTES / 1024 / 1024} MB`;
    if (result.kept !== undefined) this.#kept.set(address, result.kept);
    if (kind === 'import')
      return result.type === 'text/css'
        ? this.#copyStyleSheet(bytes, address, place, depth)
        : 'not a style sheet';
    if (kind === 'oembed') return this.#copyPoster(bytes, place);
    const type = kind === 'font' ? fontKind(bytes) : pictureKind(bytes);
    if (!type) return kind === 'font' ? 'not a font' : 'not an image';
    const size = kind === 'picture' ? imageSize(bytes) : undefined;
    const inline =
      type.extension === 'svg' ? inlinePicture(new TextDecoder().decode(bytes)) : undefined;
    return {
      path: await this.#store(bytes, type),
      ...(size && { size }),
      ...(inline && { inline }),
    };
  }

  async #store(bytes: Uint8Array, { extension, type }: FileKind): Promise<string> {
    const entry = await this.#sink.add(bytes, type);
    const path = `${FOLDER}/${entry.sha256.slice(0, 20)}.${extension}`;
    this.#files.set(path, entry);
    return path;
  }

  /**
   * Returns the preview image of a video, if the platform provides one (oEmbed 1.0,
   * `thumbnail_url`).
   */
  async #copyPoster(bytes: Uint8Array, place: OutsidePlace): Promise<LocalCopy | string> {
    const address = outsideAddress(thumbnailIn(new TextDecoder().decode(bytes)) ?? '');
    if (address === undefined) return 'it refers to no image';
    return (
      (await this.want('picture', address, place, { optional: true })) ??
      'its image could not be copied'
    );
  }

  /**
   * Returns a style sheet that refers to copies of what it loads; what is unavailable is left out.
   */
  async #copyStyleSheet(
    bytes: Uint8Array,
    base: string,
    place: OutsidePlace,
    depth: number,
  ): Promise<LocalCopy | string> {
    const css = new TextDecoder().decode(bytes);
    const pendingCopies = new Map<string, Promise<LocalCopy | undefined>>();
    for (const { kind, target } of cssAddresses(css)) {
      const address = absolute(target, base);
      if (address === undefined || (kind === 'import' && depth >= MAX_STYLE_DEPTH)) continue;
      pendingCopies.set(address, this.want(kind, address, place, { depth: depth + 1 }));
    }
    const copies = new Map<string, LocalCopy | undefined>();
    for (const [address, copy] of pendingCopies) copies.set(address, await copy);
    const text = rewriteCss(css, ({ target }) => {
      if (/^(?:data:|#)/i.test(target)) return target;
      // All copies are in the same folder.
      return copies.get(absolute(target, base) ?? '')?.path.slice(FOLDER.length + 1);
    });
    return { path: await this.#store(new TextEncoder().encode(text), CSS) };
  }

  #timeIsUp(): Promise<{ fault: string }> {
    this.#deadline ??= new Promise((resolve) => {
      this.#timer = setTimeout(
        () => resolve({ fault: `all copies together took longer than ${MAX_MS / 1000} s` }),
        MAX_MS,
      );
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
