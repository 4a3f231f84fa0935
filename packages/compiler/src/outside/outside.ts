import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { SourceTree } from '../source/source-tree.ts';

/** Result of a request for a file outside of the source. */
export type OutsideResult =
  | {
      bytes: Uint8Array;
      /**
       * The media type that the server declared, in lower case and without parameters; empty if it
       * declared none.
       */
      type: string;
      /** Why the URL could not be read now. The bytes are then those that an earlier build read. */
      kept?: string;
    }
  /** Why there is nothing: a sentence for the author. */
  | { fault: string };

export interface OutsideRequest {
  accept?: string;
  /** For servers that respond differently to browsers and programs. */
  userAgent?: string;
  maxBytes: number;
  /**
   * Whether the response of an earlier build may be reused as long as the server allows: right for
   * images, wrong for text being edited.
   */
  mayReuse?: boolean;
}

/**
 * Fetches files that a site's author refers to by URL. A build gets one if it may use the network.
 * It is safe to request many at once, and to request the same URL again.
 * @returns never rejects because of a URL's response
 */
export type FetchOutside = (url: string, request: OutsideRequest) => Promise<OutsideResult>;

/** Returns whether a name in a source is a URL that can be fetched. */
export function isOutside(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

/**
 * Maximum rounds of reading and fetching: a description may refer to another, which refers to
 * another.
 */
const MAX_ROUNDS = 8;
const MAX_ADDRESSES = 200;
const MAX_TEXT_BYTES = 32 * 1024 * 1024;
const ACCEPT = 'application/json, application/yaml, text/yaml, */*;q=0.5';

/** Texts fetched from URLs: those that could be read, and why others could not. Plain data. */
export type OutsideTexts = ReadonlyMap<string, OutsideText>;

export type OutsideText = { text: string; kept?: string } | { fault: string };

const decoder = new TextDecoder();

/** A source tree in which URLs are file names too: those of texts that were fetched before. */
export function withOutsideTexts(
  tree: SourceTree,
  texts: OutsideTexts,
  missingUrls?: Set<string>,
): SourceTree {
  const find = (path: string): string | undefined => {
    const outsideText = texts.get(path);
    if (outsideText === undefined) missingUrls?.add(path);
    return outsideText && 'text' in outsideText ? outsideText.text : undefined;
  };
  return {
    ...tree,
    has: (path) => (isOutside(path) ? find(path) !== undefined : tree.has(path)),
    readText: (path) => (isOutside(path) ? find(path) : tree.readText(path)),
  };
}

/**
 * Processes a source that may refer to texts at URLs: `make` runs, what it requested is fetched,
 * and it runs again until it requests nothing new.
 * @param texts what was fetched before; receives what is fetched now
 * @param fetchOutside absent if nothing may be fetched; then every URL has the same error
 */
export async function readWithOutside<Value>(
  tree: SourceTree,
  texts: Map<string, OutsideText>,
  fetchOutside: FetchOutside | undefined,
  make: (tree: SourceTree) => Value,
): Promise<Value> {
  for (let round = 1; ; round++) {
    const missingUrls = new Set<string>();
    const value = make(withOutsideTexts(tree, texts, missingUrls));
    if (missingUrls.size === 0 || round === MAX_ROUNDS) return value;
    await Promise.all(
      [...missingUrls].map(async (url, index) => {
        if (texts.size + index >= MAX_ADDRESSES)
          texts.set(url, { fault: `More than ${MAX_ADDRESSES} URLs are used.` });
        else texts.set(url, await fetchText(url, fetchOutside));
      }),
    );
  }
}

/** What may refer to texts at URLs. */
interface Referring {
  /** The configuration file. */
  configFile: string;
  pages: readonly { file: string; unread?: string }[];
}

/**
 * Reports URLs that could not be read, each once: with the place in the configuration that names
 * it, and the pages that show nothing without it.
 */
export function outsideDiagnostics(
  texts: OutsideTexts,
  { configFile: file, pages }: Referring,
  source: Pick<SourceTree, 'readText'>,
): Diagnostic[] {
  const config = source.readText(file) ?? '';
  return [...texts].flatMap(([url, found]): Diagnostic[] => {
    const at = config.indexOf(`"${url}"`);
    const place = at < 0 ? { file } : { file, line: config.slice(0, at).split('\n').length };
    const baseDiagnostic = { severity: 'warning', code: 'remote-description', ...place } as const;
    const remedy =
      'Make the URL available, or add a copy of the file to the repository and refer to that.';
    if ('fault' in found) {
      const message = `The API description at ${url} is not shown: ${found.fault}`;
      const places = pages
        .filter((page) => page.unread === url)
        .map((page) => ({ file: page.file, line: 1 }));
      if (places.length === 0) return [{ ...baseDiagnostic, message, remedy }];
      return [
        { ...baseDiagnostic, severity: 'error', message, remedy, count: places.length + 1, places },
      ];
    }
    if (found.kept === undefined) return [];
    return [
      {
        ...baseDiagnostic,
        message: `The API description at ${url} comes from an earlier build: ${found.kept}`,
        remedy,
      },
    ];
  });
}

async function fetchText(
  url: string,
  fetchOutside: FetchOutside | undefined,
): Promise<OutsideText> {
  if (!fetchOutside) return { fault: 'Fetching from other servers is turned off.' };
  const result: OutsideResult = await fetchOutside(url, {
    accept: ACCEPT,
    maxBytes: MAX_TEXT_BYTES,
  });
  if ('fault' in result) return result;
  return { text: decoder.decode(result.bytes), kept: result.kept };
}
