import type { RankedPage } from '../index/search-data.ts';
import type { StoredPage } from '../index/stored-document.ts';

/**
 * What a search needs before it knows which shards it needs. Shards are numbered: words, terms, texts. Lists
 * of numbers are packed by `packNumbers`, where nothing else is said.
 */
export interface ShardHead {
  /** All there are; `kindOfPage` says which each page is. */
  kinds: RankedPage[];
  kindOfPage: string;
  sectionsOfPage: string;
  titleLengths: string;
  /** As `worthStep` gives them, packed by `packSteps`. */
  worthOfPage: string;
  /** `pathMark` of each page, where there are versions or languages that a path may be asked for. */
  pathMarks: string;
  /** As `lengthStep` gives them, packed by `packSteps`. */
  lengthOfSection: string;
  /** Where each shard of words begins, as `shortStarts` gives it. */
  wordStarts: string[];
  termStarts: string[];
  /** Of each shard of texts. */
  sectionsOfShard: string;
}

/** Sorted words of the texts, one a line. */
export type WordShard = string;
/** Sorted terms, one a line; the lengths of their postings, packed; the postings, as the index has them. */
export type TermShard = [terms: string, lengths: string, postings: string];
/** Sections that follow each other, by page. */
export type TextShard = [page: StoredPage, ...records: string[]][];
/** Plain JSON, which whoever serves it compresses. */
export type Shard = WordShard | TermShard | TextShard;

/** What the first script of an index holds: the head, and where the index is small all shards with it. */
export interface SearchPayload {
  head: ShardHead;
  shards?: Shard[];
}

const FIRST_CHARACTER = 35;

/** Numbers below some hundreds, one character each. */
export function packSteps(steps: readonly number[]): string {
  return steps.map((step) => String.fromCharCode(step + FIRST_CHARACTER)).join('');
}

export function readSteps(packed: string): number[] {
  return Array.from(packed, (character) => character.charCodeAt(0) - FIRST_CHARACTER);
}

/** The beginnings of sorted groups, as short as tells each from the last item of the group before. */
export function shortStarts(groups: readonly (readonly string[])[]): string[] {
  return groups.map((group, i) => {
    const first = group[0] as string;
    const before = groups[i - 1]?.at(-1) ?? '';
    let shared = 0;
    while (shared < before.length && before[shared] === first[shared]) shared++;
    return first.slice(0, shared + 1);
  });
}

/** The group that an item can be in, or -1 where it comes before all of them. */
export function groupOf<Item extends string | number>(starts: ArrayLike<Item>, item: Item): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as Item) <= item) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A few bits of a path, so that few pages come into question for one. */
export function pathMark(path: string): number {
  let hash = 7;
  for (let i = 0; i < path.length; i++) hash = (Math.imul(hash, 31) + path.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 7) ^ (hash >>> 15)) & 31;
}
