import {
  countsOf,
  gapOf,
  NumberReader,
  PageField,
  UNPACKED_COUNTS,
} from '../index/index-format.ts';
import type { SearchData } from '../index/search-data.ts';
import type { QueryGroup } from '../query/query-groups.ts';
import { amountOf, FIELD_OCCURRENCES, rarity, SECTION_OCCURRENCES } from './page-breadth.ts';

/** A variant with at least this match is another spelling of the word; a synonym is not. */
const SAME_WORD = 0.3;
/** What a page is about it may say in other words: there a synonym counts as much as the word. */
const SYNONYM_GAIN = 4;

/**
 * How often each word of a query occurs in a page: in the headings, the prose and the code of each
 * section, and in the page fields.
 */
export interface PageEvidence {
  page: number;
  sectionCount: number;
  /** By word, then by section. */
  heading: Float32Array;
  prose: Float32Array;
  code: Float32Array;
  /** The best variant by its rarity and occurrences in the whole page, by word. */
  focus: Float32Array;
  /** Bits of `PageField`, by word. */
  fields: Uint8Array;
}

/** The words of a query and their weights. */
export interface QueryEvidence {
  /** Importance times rarity; 0 for a word that the index lacks. */
  weights: Float64Array;
  total: number;
  importance: readonly number[];
  pages: PageEvidence[];
}

/** Looks up the occurrences of a query's words in some pages. */
export function queryEvidence(
  data: SearchData,
  groups: readonly QueryGroup[],
  pages: readonly number[],
): QueryEvidence {
  const pageEvidences = pages.map((page): PageEvidence => {
    const sectionCount =
      (data.firstSection[page + 1] as number) - (data.firstSection[page] as number);
    const size = groups.length * sectionCount;
    const [heading, prose, code] = [
      new Float32Array(size),
      new Float32Array(size),
      new Float32Array(size),
    ];
    const focus = new Float32Array(groups.length);
    const fields = new Uint8Array(groups.length);
    return { page, sectionCount, heading, prose, code, focus, fields };
  });
  const inOrder = [...pageEvidences].sort((a, b) => a.page - b.page);
  const weights = Float64Array.from(groups, ({ importance, variants }, group) => {
    let frequency = -1;
    for (const [term, variant] of variants) {
      const postings = new NumberReader(data.packedPostings(term));
      const count = addTerm(data, postings, inOrder, group, variant);
      if (variant >= SAME_WORD) frequency = Math.max(frequency, count * variant);
    }
    return frequency < 0 ? 0 : importance * rarity(data.sectionCount, frequency);
  });
  return {
    weights,
    total: weights.reduce((sum, weight) => sum + weight, 0) || 1,
    importance: groups.map(({ importance }) => importance),
    pages: pageEvidences,
  };
}

/**
 * Adds the occurrences of a variant of a word in some pages, which come in ascending order. Returns
 * the number of all sections that have it.
 */
function addTerm(
  data: SearchData,
  postings: NumberReader,
  pages: readonly PageEvidence[],
  group: number,
  variant: number,
): number {
  const { firstSection, pageOfSection, sectionCount } = data;
  const isSameWord = variant >= SAME_WORD;
  const count = Math.min(postings.next(), sectionCount);
  const occurrences = new Float32Array(pages.length);
  let at = 0;
  let [first, end] = bounds(pages[at], firstSection);
  let section = -1;
  let [pageCount, endOfPage] = [0, 0];
  for (let left = count; left > 0; left--) {
    const number = postings.next();
    section += gapOf(number);
    const packed = countsOf(number, postings);
    if (section >= endOfPage) {
      endOfPage = firstSection[(pageOfSection[section] as number) + 1] as number;
      pageCount++;
    }
    while (section >= end) [first, end] = bounds(pages[++at], firstSection);
    if (section < first) continue;
    (occurrences[at] as number) += SECTION_OCCURRENCES[packed] as number;
    if (!isSameWord) continue;
    const into = pages[at] as PageEvidence;
    const place = group * into.sectionCount + section - first;
    const counts = UNPACKED_COUNTS[packed] as (typeof UNPACKED_COUNTS)[number];
    into.heading[place] = Math.max(into.heading[place] as number, counts.heading * variant);
    (into.prose[place] as number) += counts.prose * variant;
    (into.code[place] as number) += counts.code * variant;
  }
  addFields(data, postings, pages, (pageAt, fields) => {
    (occurrences[pageAt] as number) += FIELD_OCCURRENCES[fields] as number;
    if (isSameWord) ((pages[pageAt] as PageEvidence).fields[group] as number) |= fields;
  });
  const worth =
    (isSameWord ? variant : SYNONYM_GAIN * variant) * rarity(data.pages.length, pageCount);
  pages.forEach(({ focus }, pageAt) => {
    const value = worth * amountOf(occurrences[pageAt] as number);
    focus[group] = Math.max(focus[group] as number, value);
  });
  return count;
}

/**
 * The first section of a page and the one after its last; without a page, there is no section
 * between.
 */
function bounds(of: PageEvidence | undefined, firstSection: Uint32Array): [number, number] {
  if (of === undefined) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const first = firstSection[of.page] as number;
  return [first, first + of.sectionCount];
}

function addFields(
  { pages: all }: SearchData,
  postings: NumberReader,
  pages: readonly PageEvidence[],
  add: (at: number, fields: number) => void,
): void {
  let at = 0;
  let page = -1;
  for (let left = Math.min(postings.next(), all.length); left > 0; left--) {
    page += postings.next() + 1;
    const fields = postings.next();
    while (at < pages.length && (pages[at] as PageEvidence).page < page) at++;
    if (at === pages.length) return;
    if ((pages[at] as PageEvidence).page === page) add(at, fields);
  }
}

/** A page found by the first stage. */
export interface Candidate {
  page: number;
  /** Of its best section, 0–1. */
  score: number;
  /** How close the words of the query are in the part that was read, 0–1. */
  nearness: number;
}

/** The reference values for lengths. */
export interface Lengths
  extends Pick<SearchData, 'sectionLength' | 'pageLength' | 'firstSection' | 'pageBreadth'> {
  averageSection: number;
  averagePage: number;
}

/** The features of how a page matches a query. */
export const QUERY_COLUMNS = [
  'score',
  'relative',
  'rank',
  'nearness',
  'inTitle',
  'inTrail',
  'inTheme',
  'inPage',
  'inSection',
  'rareInTheme',
  'rareInPage',
  'rareInSection',
  'headings',
  'prose',
  'code',
  'together',
  'bestSection',
  'secondSection',
  'threeSections',
  'sectionHeading',
  'sectionProse',
  'sectionPlace',
  'sectionLength',
  'opensPage',
  'wordsInSection',
  'wordsInPage',
  'focus',
] as const;

const RARE_WORDS = 2;
/** Below 1, so that a page of a few words is not first for each of them. */
const BREADTH_POWER = 0.8;
const saturated = (count: number, half: number): number =>
  count === 0 ? 0 : count / (count + half);

/** Values in the order of `QUERY_COLUMNS`, for each candidate; candidates come best first. */
export function queryColumns(
  candidates: readonly Candidate[],
  evidence: QueryEvidence,
  lengths: Lengths,
): Float64Array[] {
  const best = Math.max(candidates[0]?.score ?? 0, 1e-9);
  const rare = rarest(evidence.weights);
  return candidates.map(({ score, nearness }, rank) => {
    const values = [score, score / best, Math.log(1 + rank), nearness];
    return Float64Array.from([
      ...values,
      ...wordColumns(evidence.pages[rank] as PageEvidence, evidence, rare, lengths),
      focusOf(evidence.pages[rank] as PageEvidence, evidence.importance, lengths.pageBreadth),
    ]);
  });
}

function rarest(weights: Float64Array): number[] {
  const words = Array.from(weights, (_, word) => word);
  return words
    .sort((a, b) => (weights[b] as number) - (weights[a] as number) || a - b)
    .slice(0, RARE_WORDS);
}

function wordColumns(
  page: PageEvidence,
  { weights, total }: QueryEvidence,
  rare: readonly number[],
  lengths: Lengths,
): number[] {
  const { sectionCount, fields } = page;
  const words = weights.length;
  const [heading, prose, code] = [
    inPage(page.heading, page),
    inPage(page.prose, page),
    inPage(page.code, page),
  ];
  const relative = (lengths.pageLength[page.page] as number) / lengths.averagePage;
  const norm = 0.4 + 0.6 * relative;
  const first = lengths.firstSection[page.page] as number;

  const mean = (value: (word: number) => number): number => {
    let sum = 0;
    for (let word = 0; word < words; word++)
      if (weights[word]) sum += (weights[word] as number) * value(word);
    return sum / total;
  };
  const share = (has: (word: number) => boolean): number => mean((word) => (has(word) ? 1 : 0));
  const rareTotal = rare.reduce((sum, word) => sum + (weights[word] as number), 0) || 1;
  const rareShare = (has: (word: number) => boolean): number =>
    rare.reduce((sum, word) => sum + (has(word) ? (weights[word] as number) : 0), 0) / rareTotal;
  const plainShare = (has: (word: number) => boolean): number => {
    let count = 0;
    for (let word = 0; word < words; word++) if (weights[word] && has(word)) count++;
    return count / Math.max(1, words);
  };

  const at = (word: number, section: number): number => word * sectionCount + section;
  const has = (word: number, field: number): boolean => ((fields[word] as number) & field) !== 0;
  const sections = sectionScores(page, mean, first, lengths);
  const [best = { section: 0, score: 0 }, second = { score: 0 }, third = { score: 0 }] = sections;
  const inSection = (word: number): boolean => {
    const place = at(word, best.section);
    return (
      (page.heading[place] as number) +
        (page.prose[place] as number) +
        (page.code[place] as number) >
      0
    );
  };
  const isInPage = (word: number): boolean =>
    has(word, ~PageField.trail) ||
    (heading[word] as number) + (prose[word] as number) + (code[word] as number) > 0;
  const inTheme = (word: number): boolean =>
    has(word, PageField.title | PageField.description) || (heading[word] as number) > 0;
  const bestLength = lengths.sectionLength[first + best.section] as number;
  return [
    share((word) => has(word, PageField.title)),
    share((word) => has(word, PageField.trail)),
    share(inTheme),
    share(isInPage),
    share(inSection),
    rareShare(inTheme),
    rareShare(isInPage),
    rareShare(inSection),
    mean((word) => saturated(heading[word] as number, 1.2 * (0.7 + (0.3 * sectionCount) / 8))),
    mean((word) => saturated(prose[word] as number, 1.5 * norm)),
    mean((word) => saturated(code[word] as number, 2 * norm)),
    mean((word) => {
      const inNames =
        (has(word, PageField.title) ? 4 : 0) +
        (has(word, PageField.path) ? 3 : 0) +
        (has(word, PageField.description) ? 4 : 0);
      return saturated(
        inNames +
          2 * (heading[word] as number) +
          ((prose[word] as number) + 0.3 * (code[word] as number)) / norm,
        5,
      );
    }),
    best.score,
    second.score,
    (best.score + second.score + third.score) / 3,
    mean((word) => saturated(page.heading[at(word, best.section)] as number, 0.5)),
    mean((word) =>
      saturated(
        page.prose[at(word, best.section)] as number,
        1.2 * (0.6 + (0.4 * bestLength) / lengths.averageSection),
      ),
    ),
    best.section / sectionCount,
    Math.log2(1 + bestLength),
    best.section === 0 ? 1 : 0,
    plainShare(inSection),
    plainShare(isInPage),
  ];
}

/** Returns how much of what a page is about is the question. */
function focusOf(
  { page, focus }: PageEvidence,
  importance: readonly number[],
  breadth: Float32Array,
) {
  const sum = importance.reduce(
    (total, weight, word) => total + weight * (focus[word] as number),
    0,
  );
  return sum / Math.max(1, breadth[page] as number) ** BREADTH_POWER;
}

/** The matches of each word in the whole page. */
function inPage(counts: Float32Array, { sectionCount, fields }: PageEvidence): Float64Array {
  return Float64Array.from(fields, (_, word) => {
    let sum = 0;
    for (let section = 0; section < sectionCount; section++)
      sum += counts[word * sectionCount + section] as number;
    return sum;
  });
}

/** The sections that contain a word of the query, best first. */
function sectionScores(
  { sectionCount, heading, prose, code, fields }: PageEvidence,
  mean: (value: (word: number) => number) => number,
  first: number,
  { sectionLength, averageSection }: Lengths,
): { section: number; score: number }[] {
  const scores: { section: number; score: number }[] = [];
  for (let section = 0; section < sectionCount; section++) {
    const norm = 0.6 + (0.4 * (sectionLength[first + section] as number)) / averageSection;
    let hasAny = false;
    const score = mean((word) => {
      const at = word * sectionCount + section;
      const count =
        2 * (heading[at] as number) + ((prose[at] as number) + 0.3 * (code[at] as number)) / norm;
      if (count > 0) hasAny = true;
      return saturated(count + ((fields[word] as number) & PageField.title ? 1 : 0), 2);
    });
    if (hasAny) scores.push({ section, score });
  }
  return scores.sort((a, b) => b.score - a.score || a.section - b.section);
}
