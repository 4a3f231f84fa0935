import { emptyPostings, type Postings } from '../index/posting-list.ts';
import type { SearchData } from '../index/search-data.ts';
import type { QueryGroup } from '../query-groups.ts';
import type { ScoredSection } from '../search-index.ts';
import { meaningColumns, type Nearness } from './meaning-columns.ts';
import { type Candidate, type Lengths, queryColumns } from './query-columns.ts';
import { queryEvidence } from './query-evidence.ts';
import type { SecondStageWeights } from './second-stage-weights.ts';
import { secondStageWeights } from './weights.ts';

/** Pages that are put in order; what answers is hardly ever further down. */
export const MAX_CANDIDATES = 20;
/** Their sections are among so many of the first. */
export const MAX_SECTIONS = 160;
/** How much the reader's place counts (version, language, folder), which no training question has. */
const STEER = 2;

/** A page in the order of the second stage. */
export interface OrderedPage {
  page: number;
  /** How likely it is the one that was meant, among those that were found: 0–1, all together 1. */
  share: number;
}

/** A query as the first stage answered it. */
export interface FirstStage {
  groups: readonly QueryGroup[];
  /** Best first. */
  sections: readonly ScoredSection[];
  /** How near the words of the query stand in the sections that were read. */
  nearness: ReadonlyMap<number, number>;
  /** What speaks for a page beside the query: 1 for most. */
  readerFactor: (page: number) => number;
  /** Where the weights were trained with a model that embeds pages. */
  meaning?: Nearness;
}

/** The candidates of a query with the values of their columns. */
export interface Rows {
  candidates: Candidate[];
  columns: Float64Array[];
}

/** Orders the pages that the first stage found by a linear model. One object serves one index. */
export class SecondStage {
  readonly #data: SearchData;
  readonly #weights: SecondStageWeights;
  /** As `pageWorth` counts it with these weights. */
  readonly #worth: () => Float32Array;
  readonly #postings: Postings;
  readonly #lengths: Lengths;

  constructor(data: SearchData, weights: SecondStageWeights = secondStageWeights, worth = () => data.pageWorth) {
    this.#data = data;
    this.#weights = weights;
    this.#worth = worth;
    this.#postings = emptyPostings(data.sectionCount, data.pages.length);
    const { sectionLength, pageLength, firstSection } = data;
    this.#lengths = {
      sectionLength,
      pageLength,
      firstSection,
      averageSection: mean(sectionLength),
      averagePage: mean(pageLength),
    };
  }

  /** The pages that come into question and what their columns say; `order` sums them up. */
  rows({ groups, sections, nearness, meaning }: Omit<FirstStage, 'readerFactor'>): Rows {
    const candidates = candidatesOf(sections, nearness, this.#data.pageOfSection);
    const words = groups.filter(({ importance }) => importance > 0.1);
    const pages = candidates.map(({ page }) => page);
    const evidence = queryEvidence(this.#data, words, pages, this.#postings);
    const columns = queryColumns(candidates, evidence, this.#lengths);
    if (meaning === undefined) return { candidates, columns };
    return {
      candidates,
      columns: columns.map((values, at) => Float64Array.of(...values, ...meaningColumns(pages[at] as number, meaning))),
    };
  }

  /** @returns the first pages, best first, at most `MAX_CANDIDATES` */
  order(found: FirstStage): OrderedPage[] {
    const { candidates, columns } = this.rows(found);
    const { query } = this.#weights;
    const worth = this.#worth();
    const sums = candidates.map(({ page }, at) => {
      const steer = STEER * Math.log(Math.max(found.readerFactor(page), 1e-3));
      const values = columns[at] as Float64Array;
      return values.reduce((sum, value, column) => sum + value * (query[column] as number), (worth[page] as number) + steer);
    });
    const top = Math.max(...sums);
    const powers = sums.map((sum) => Math.exp(sum - top));
    const all = powers.reduce((sum, power) => sum + power, 0);
    const ordered = candidates.map(({ page }, at) => ({ page, share: (powers[at] as number) / all }));
    // Sorting keeps the order of equals, which is that of the first stage.
    return ordered.sort((a, b) => b.share - a.share);
  }

  /**
   * Puts the sections of the first pages in the order of their pages. The scores that the pages had are dealt out anew, so that
   * a score still says how well the words fit, and falls from place to place.
   */
  reorder(found: FirstStage): ScoredSection[] {
    const { pageOfSection } = this.#data;
    const ordered = this.order(found);
    const before = new Map<number, number>();
    for (const { section, score } of found.sections) {
      const page = pageOfSection[section] as number;
      if (!before.has(page)) before.set(page, score);
    }
    const scores = [...before.values()];
    const now = new Map(ordered.map(({ page, share }, place) => [page, { place, share, score: scores[place] as number }]));
    const sections = found.sections.map(({ section, score }): ScoredSection & { place: number } => {
      const page = pageOfSection[section] as number;
      const to = now.get(page);
      if (to === undefined) return { section, score, place: ordered.length };
      return {
        section,
        score: (score / Math.max(before.get(page) as number, 1e-9)) * to.score,
        share: to.share,
        place: to.place,
      };
    });
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
    const known = byPage.get(page);
    if (known) known.nearness = Math.max(known.nearness, near);
    else if (byPage.size < MAX_CANDIDATES) byPage.set(page, { page, score, nearness: near });
  }
  return [...byPage.values()];
}

function mean(numbers: Float32Array): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length) + 1;
}
