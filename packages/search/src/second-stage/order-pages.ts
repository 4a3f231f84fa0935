import type { SearchData } from '../index/search-data.ts';
import type { QueryGroup } from '../query/query-groups.ts';
import type { ScoredSection } from '../search-index.ts';
import { type Candidate, type Lengths, queryColumns, queryEvidence } from './query-columns.ts';
import { secondStageWeights } from './weights.ts';

/** Maximum pages to rank; answers are hardly ever further down. */
export const MAX_CANDIDATES = 20;
/** Their sections are among this many first ones. */
export const MAX_SECTIONS = 160;
/** Weight of the reader's context (version, language, folder), which no training question has. */
const STEER = 2;

/** A page as ranked by the second stage. */
export interface OrderedPage {
  page: number;
  /** The probability that it is the right one among the pages found: 0–1, summing to 1. */
  share: number;
}

/** The result of the first stage for a query. */
export interface FirstStage {
  groups: readonly QueryGroup[];
  /** Best first. */
  sections: readonly ScoredSection[];
  /** How close the words of the query are in the sections that were read. */
  nearness: ReadonlyMap<number, number>;
  /** The query-independent factor of a page: 1 for most. */
  readerFactor: (page: number) => number;
}

/** The candidates of a query with their features. */
export interface Rows {
  candidates: Candidate[];
  columns: Float64Array[];
}

/** Ranks the pages of the first stage by a linear model. One instance serves one index. */
export class SecondStage {
  readonly #data: SearchData;
  readonly #lengths: Omit<Lengths, 'pageBreadth'>;

  constructor(data: SearchData) {
    this.#data = data;
    const { sectionLength, pageLength, firstSection } = data;
    this.#lengths = {
      sectionLength,
      pageLength,
      firstSection,
      averageSection: mean(sectionLength),
      averagePage: mean(pageLength),
    };
  }

  /** Returns the candidate pages with their features; `order` sums them. */
  rows({ groups, sections, nearness }: Omit<FirstStage, 'readerFactor'>): Rows {
    const candidates = candidatesOf(sections, nearness, this.#data.pageOfSection);
    const words = groups.filter(({ importance }) => importance > 0.1);
    const pages = candidates.map(({ page }) => page);
    const evidence = queryEvidence(this.#data, words, pages);
    const lengths = { ...this.#lengths, pageBreadth: this.#data.pageBreadth };
    return { candidates, columns: queryColumns(candidates, evidence, lengths) };
  }

  /** @returns the first pages, best first, at most `MAX_CANDIDATES` */
  order(firstStage: FirstStage): OrderedPage[] {
    const { candidates, columns } = this.rows(firstStage);
    const { query } = secondStageWeights;
    const worth = this.#data.pageWorth;
    const sums = candidates.map(({ page }, at) => {
      const steer = STEER * Math.log(Math.max(firstStage.readerFactor(page), 1e-3));
      const values = columns[at] as Float64Array;
      return values.reduce(
        (sum, value, column) => sum + value * (query[column] as number),
        (worth[page] as number) + steer,
      );
    });
    const top = Math.max(...sums);
    const powers = sums.map((sum) => Math.exp(sum - top));
    const all = powers.reduce((sum, power) => sum + power, 0);
    const ordered = candidates.map(({ page }, at) => ({
      page,
      share: (powers[at] as number) / all,
    }));
    // Sorting is stable, so ties keep the order of the first stage.
    return ordered.sort((a, b) => b.share - a.share);
  }

  /**
   * Sorts the sections of the first pages by the order of their pages. Redistributes the pages'
   * scores, so that a score still indicates how well the words match, and decreases with rank.
   */
  reorder(firstStage: FirstStage): ScoredSection[] {
    const { pageOfSection } = this.#data;
    const ordered = this.order(firstStage);
    const before = new Map<number, number>();
    for (const { section, score } of firstStage.sections) {
      const page = pageOfSection[section] as number;
      if (!before.has(page)) before.set(page, score);
    }
    const scores = [...before.values()];
    const now = new Map(
      ordered.map(({ page, share }, place) => [
        page,
        { place, share, score: scores[place] as number },
      ]),
    );
    const sections = firstStage.sections.map(
      ({ section, score }): ScoredSection & { place: number } => {
        const page = pageOfSection[section] as number;
        const to = now.get(page);
        if (to === undefined) return { section, score, place: ordered.length };
        return {
          section,
          score: (score / Math.max(before.get(page) as number, 1e-9)) * to.score,
          share: to.share,
          place: to.place,
        };
      },
    );
    sections.sort((a, b) => b.score - a.score || a.place - b.place);
    return sections.map(({ place: _, ...section }) => section);
  }
}

function candidatesOf(
  sections: readonly ScoredSection[],
  nearness: ReadonlyMap<number, number>,
  pageOfSection: Uint32Array,
): Candidate[] {
  const byPage = new Map<number, Candidate>();
  for (const { section, score } of sections.slice(0, MAX_SECTIONS)) {
    const page = pageOfSection[section] as number;
    const near = nearness.get(section) ?? 0;
    const candidate = byPage.get(page);
    if (candidate) candidate.nearness = Math.max(candidate.nearness, near);
    else if (byPage.size < MAX_CANDIDATES) byPage.set(page, { page, score, nearness: near });
  }
  return [...byPage.values()];
}

function mean(numbers: Float32Array): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length) + 1;
}
