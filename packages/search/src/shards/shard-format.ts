import { lowerBound, type RankedPage, readLines } from '../index/search-data.ts';
import type { StoredPage } from '../index/stored-document.ts';

/**
 * What a search needs before it knows which shards to load. Shards are numbered: words, terms,
 * texts. Lists of numbers are packed by `packNumbers` unless noted otherwise.
 */
export interface ShardHead {
  /** All versions and languages; `kindOfPage` is the index of each page. */
  kinds: RankedPage[];
  kindOfPage: string;
  sectionsOfPage: string;
  titleLengths: string;
  /** As returned by `worthStep`, packed by `packSteps`. */
  worthOfPage: string;
  /** As returned by `lengthStep`, packed by `packSteps`. Bundles of earlier versions lack it. */
  breadthOfPage?: string;
  /** `pathMark` of each page. */
  pathMarks: string;
  /** As returned by `lengthStep`, packed by `packSteps`. */
  lengthOfSection: string;
  /** The start of each shard of words, as returned by `shortStarts`. */
  wordStarts: string[];
  termStarts: string[];
  /** Of each shard of texts. */
  sectionsOfShard: string;
}

/** The number of words in every shard of words but the last. */
export const WORDS_IN_SHARD = 256;

/** Sorted words of the texts, newline-separated. */
export type WordShard = string;
/**
 * Sorted terms, newline-separated; the packed lengths of their postings; the postings, as in the
 * index; the entries of the lexicon whose first word belongs here, as `lexiconLine` writes them.
 */
export type TermShard = [terms: string, lengths: string, postings: string, lexicon?: string];
/** Consecutive sections, by page. */
export type TextShard = [page: StoredPage, ...records: string[]][];
/** Plain JSON; the server compresses it. */
export type Shard = WordShard | TermShard | TextShard;

/** The contents of an index's first script: the head and, for a small index, all shards. */
export interface SearchPayload {
  head: ShardHead;
  shards?: Shard[];
}

/**
 * Neighboring shards of a bundle: the hash of their content, which is in their names, and how many
 * they are. A shard keeps its name as long as its block does.
 */
export type ShardBlock = [hash: string, count: number];

/**
 * Returns the path of a shard.
 * @param head the path or address of the head
 * @param blocks of a bundle; elsewhere shards have the hash of the head, and are numbered throughout
 */
export function shardPath(head: string, number: number, blocks?: readonly ShardBlock[]): string {
  let left = number;
  for (const [hash, count] of blocks ?? []) {
    if (left < count)
      return shardPath(head.replace(/(search-index-)[0-9a-f]{8}(?=[^/]*$)/, `$1${hash}`), left);
    left -= count;
  }
  return head.replace(/\.js$/, `-${number}.js`);
}

const FIRST_CHARACTER = 35;

/** Packs numbers below some hundreds, one character each. */
export function packSteps(steps: readonly number[]): string {
  return steps.map((step) => String.fromCharCode(step + FIRST_CHARACTER)).join('');
}

export function readSteps(packed: string): number[] {
  return Array.from(packed, (character) => character.charCodeAt(0) - FIRST_CHARACTER);
}

/**
 * Returns the starts of sorted groups, each only as long as needed to distinguish it from the last
 * item of the group before.
 */
export function shortStarts(groups: readonly (readonly string[])[]): string[] {
  return groups.map((group, i) => {
    const first = group[0] as string;
    const before = groups[i - 1]?.at(-1) ?? '';
    let shared = 0;
    while (shared < before.length && before[shared] === first[shared]) shared++;
    return first.slice(0, shared + 1);
  });
}

/** Returns the group that may contain an item, or -1 if it precedes all of them. */
export function groupOf<Item extends string | number>(starts: ArrayLike<Item>, item: Item): number {
  const at = lowerBound(starts, item);
  return starts[at] === item ? at : at - 1;
}

/** Writes an entry of the lexicon. Phrases contain spaces. */
export function lexiconLine(phrase: string, meant: readonly string[]): string {
  return `${phrase}=${meant.join(',')}`;
}

/** Reads entries of the lexicon, newline-separated. */
export function readLexicon(lines: string): [asked: string, meant: readonly string[]][] {
  return readLines(lines).map((line) => {
    const [asked = '', meant = ''] = line.split('=');
    return [asked, meant.split(',')];
  });
}

/** Returns a few bits of a path's hash, so that few pages are candidates for a path. */
export function pathMark(path: string): number {
  let hash = 7;
  for (let i = 0; i < path.length; i++) hash = (Math.imul(hash, 31) + path.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 7) ^ (hash >>> 15)) & 31;
}
