import type { Diagnostic } from '../../core/diagnostics.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { type FetchOutside, isOutside, type OutsideResult } from './outside.ts';

/** Rounds of reading and fetching; a description may name another, which names another. */
const MAX_ROUNDS = 8;
const MAX_ADDRESSES = 200;
const MAX_TEXT_BYTES = 32 * 1024 * 1024;
const ACCEPT = 'application/json, application/yaml, text/yaml, */*;q=0.5';

/** Texts at addresses, by their address: those that could be read, and why others could not. Plain data. */
export type OutsideTexts = ReadonlyMap<string, OutsideText>;

export type OutsideText = { text: string; kept?: string } | { fault: string };

const decoder = new TextDecoder();

/** A source tree in which addresses are names of files too: of those that were fetched before. */
export function withOutsideTexts(tree: SourceTree, texts: OutsideTexts, asked?: Set<string>): SourceTree {
  const find = (path: string): string | undefined => {
    const known = texts.get(path);
    if (known === undefined) asked?.add(path);
    return known && 'text' in known ? known.text : undefined;
  };
  return {
    paths: () => tree.paths(),
    has: (path) => (isOutside(path) ? find(path) !== undefined : tree.has(path)),
    readBytes: (path) => tree.readBytes(path),
    readText: (path) => (isOutside(path) ? find(path) : tree.readText(path)),
  };
}

/**
 * Makes something of a source that may name texts at addresses: it is made, what it asked for is fetched, and it is made again
 * until it asks for nothing new.
 * @param known what was fetched before; takes what is fetched now
 * @param fetchOutside absent where nothing may be fetched; then every address has the same fault
 */
export async function readWithOutside<Value>(
  tree: SourceTree,
  known: Map<string, OutsideText>,
  fetchOutside: FetchOutside | undefined,
  make: (tree: SourceTree) => Value,
): Promise<Value> {
  for (let round = 1; ; round++) {
    const asked = new Set<string>();
    const value = make(withOutsideTexts(tree, known, asked));
    if (asked.size === 0 || round === MAX_ROUNDS) return value;
    await Promise.all(
      [...asked].map(async (url, index) => {
        if (known.size + index >= MAX_ADDRESSES) known.set(url, { fault: `More than ${MAX_ADDRESSES} addresses are named.` });
        else known.set(url, await fetchText(url, fetchOutside));
      }),
    );
  }
}

/** What is to be said of addresses that could not be read. @param file where the author names them */
export function outsideDiagnostics(texts: OutsideTexts, file: string): Diagnostic[] {
  return [...texts].flatMap(([url, found]): Diagnostic[] => {
    const one = { severity: 'warning', code: 'remote-description', file } as const;
    const remedy = 'Make the address answer, or put a copy of the file into the repository and name that.';
    if ('fault' in found) return [{ ...one, message: `The API description at ${url} is not shown: ${found.fault}`, remedy }];
    if (found.kept === undefined) return [];
    return [{ ...one, message: `The API description at ${url} is the one of an earlier build: ${found.kept}`, remedy }];
  });
}

async function fetchText(url: string, fetchOutside: FetchOutside | undefined): Promise<OutsideText> {
  if (!fetchOutside) return { fault: 'Fetching from other servers is turned off.' };
  const found: OutsideResult = await fetchOutside(url, { accept: ACCEPT, maxBytes: MAX_TEXT_BYTES });
  if ('fault' in found) return found;
  const text = decoder.decode(found.bytes);
  return found.kept === undefined ? { text } : { text, kept: found.kept };
}
