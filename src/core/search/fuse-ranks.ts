import { bestFirst } from './best-first.ts';
import type { AddMeaning, ScoredSection } from './search-index.ts';

/** Sections in an order, best first, and how much each page's place in it counts. */
interface RankedSections {
  sections: readonly number[];
  /** 1 for a plain page. */
  pageFactor: (page: number) => number;
}

/** The usual constant of reciprocal rank fusion: how flat the first places are. */
const FLATNESS = 60;

/**
 * Joins orders that were made by different measures: each gives a section 1 / (60 + its place), and the sums decide. A
 * section's place is that of its page, then its own inside the page, so that a page with many sections pushes no other
 * page down.
 * @returns the sections of all orders with their sums, best first
 */
function fuseRanks(orders: readonly RankedSections[], pageOfSection: Uint32Array): { section: number; sum: number }[] {
  const sums = new Map<number, number>();
  for (const { sections, pageFactor } of orders) {
    const pages = new Map<number, { place: number; taken: number }>();
    for (const section of sections) {
      const number = pageOfSection[section] as number;
      const page = pages.get(number) ?? { place: pages.size, taken: 0 };
      pages.set(number, page);
      const worth = pageFactor(number) / (FLATNESS + 1 + page.place + page.taken);
      page.taken++;
      if (worth > 0) sums.set(section, (sums.get(section) ?? 0) + worth);
    }
  }
  return [...sums].map(([section, sum]) => ({ section, sum })).sort((a, b) => b.sum - a.sum || a.section - b.section);
}

/**
 * For the search by words: joins its hits with the sections that are nearest to the query in meaning. The best hit keeps the
 * better of both measures as its score, which says whether anything fits at all; the others fall from there with their place.
 * @param similarities how near each section of the index is to the query, −1 to 1
 */
export function addSimilar(similarities: Float32Array): AddMeaning {
  return (byWord, { pageOfSection, isIncluded, pageFactor, limit }) => {
    const candidates: number[] = [];
    for (let section = 0; section < pageOfSection.length; section++) {
      if (isIncluded(pageOfSection[section] as number) && (similarities[section] as number) > 0) candidates.push(section);
    }
    const near = bestFirst(candidates, similarities, limit);
    // Places by word have the factors of pages in them already.
    const words = { sections: byWord.map(({ section }) => section), pageFactor: () => 1 };
    const fused = fuseRanks([words, { sections: near, pageFactor }], pageOfSection).slice(0, limit);
    const nearest = near[0] === undefined ? 0 : (similarities[near[0]] as number);
    const best = Math.min(1, Math.max(byWord[0]?.score ?? 0, nearest));
    const shares = new Map(byWord.map(({ section, share }) => [section, share]));
    return fused.map(({ section, sum }): ScoredSection => {
      const share = shares.get(section);
      return { section, score: (best * sum) / (fused[0]?.sum ?? 1), ...(share !== undefined && { share }) };
    });
  };
}
