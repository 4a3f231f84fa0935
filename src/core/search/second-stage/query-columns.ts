import { PageField } from '../index/posting-list.ts';
import type { PageEvidence, QueryEvidence } from './query-evidence.ts';

/** A page found by the first stage. */
export interface Candidate {
  page: number;
  /** Of its best section, 0–1. */
  score: number;
  /** How close the words of the query are in the part that was read, 0–1. */
  nearness: number;
}

/** The reference values for lengths. */
export interface Lengths {
  sectionLength: Float32Array;
  pageLength: Float32Array;
  firstSection: Uint32Array;
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
] as const;

const RARE_WORDS = 2;
const saturated = (count: number, half: number): number => (count === 0 ? 0 : count / (count + half));

/** Values in the order of `QUERY_COLUMNS`, for each candidate; candidates come best first. */
export function queryColumns(candidates: readonly Candidate[], evidence: QueryEvidence, lengths: Lengths): Float64Array[] {
  const best = Math.max(candidates[0]?.score ?? 0, 1e-9);
  const rare = rarest(evidence.weights);
  return candidates.map(({ score, nearness }, rank) => {
    const values = [score, score / best, Math.log(1 + rank), nearness];
    return Float64Array.from([...values, ...wordColumns(evidence.pages[rank] as PageEvidence, evidence, rare, lengths)]);
  });
}

function rarest(weights: Float64Array): number[] {
  const words = Array.from(weights, (_, word) => word);
  return words.sort((a, b) => (weights[b] as number) - (weights[a] as number) || a - b).slice(0, RARE_WORDS);
}

function wordColumns(page: PageEvidence, { weights, total }: QueryEvidence, rare: readonly number[], lengths: Lengths): number[] {
  const { sectionCount, fields } = page;
  const words = weights.length;
  const [heading, prose, code] = [inPage(page.heading, page), inPage(page.prose, page), inPage(page.code, page)];
  const relative = (lengths.pageLength[page.page] as number) / lengths.averagePage;
  const norm = 0.4 + 0.6 * relative;
  const first = lengths.firstSection[page.page] as number;

  const mean = (value: (word: number) => number): number => {
    let sum = 0;
    for (let word = 0; word < words; word++) if (weights[word]) sum += (weights[word] as number) * value(word);
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
    return (page.heading[place] as number) + (page.prose[place] as number) + (page.code[place] as number) > 0;
  };
  const isInPage = (word: number): boolean =>
    has(word, ~PageField.trail) || (heading[word] as number) + (prose[word] as number) + (code[word] as number) > 0;
  const inTheme = (word: number): boolean => has(word, PageField.title | PageField.description) || (heading[word] as number) > 0;
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
        (has(word, PageField.title) ? 4 : 0) + (has(word, PageField.path) ? 3 : 0) + (has(word, PageField.description) ? 4 : 0);
      return saturated(
        inNames + 2 * (heading[word] as number) + ((prose[word] as number) + 0.3 * (code[word] as number)) / norm,
        5,
      );
    }),
    best.score,
    second.score,
    (best.score + second.score + third.score) / 3,
    mean((word) => saturated(page.heading[at(word, best.section)] as number, 0.5)),
    mean((word) =>
      saturated(page.prose[at(word, best.section)] as number, 1.2 * (0.6 + (0.4 * bestLength) / lengths.averageSection)),
    ),
    best.section / sectionCount,
    Math.log2(1 + bestLength),
    best.section === 0 ? 1 : 0,
    plainShare(inSection),
    plainShare(isInPage),
  ];
}

/** The matches of each word in the whole page. */
function inPage(counts: Float32Array, { sectionCount, fields }: PageEvidence): Float64Array {
  return Float64Array.from(fields, (_, word) => {
    let sum = 0;
    for (let section = 0; section < sectionCount; section++) sum += counts[word * sectionCount + section] as number;
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
      const count = 2 * (heading[at] as number) + ((prose[at] as number) + 0.3 * (code[at] as number)) / norm;
      if (count > 0) hasAny = true;
      return saturated(count + ((fields[word] as number) & PageField.title ? 1 : 0), 2);
    });
    if (hasAny) scores.push({ section, score });
  }
  return scores.sort((a, b) => b.score - a.score || a.section - b.section);
}

/** The features of a candidate from a model that embeds pages. */
export const MEANING_COLUMNS = ['meaning', 'meaningRank'] as const;

/** The similarity of each page of the index to the query, −1 to 1, and which pages are in scope. */
export interface Nearness {
  nearness: Float32Array;
  isIncluded: (page: number) => boolean;
}

/** Values in the order of `MEANING_COLUMNS`: the similarity of a page, and how many pages are nearer. */
export function meaningColumns(page: number, { nearness, isIncluded }: Nearness): [number, number] {
  const own = nearness[page] as number;
  let nearer = 0;
  for (let other = 0; other < nearness.length; other++) if ((nearness[other] as number) > own && isIncluded(other)) nearer++;
  return [own, Math.log(1 + nearer)];
}
