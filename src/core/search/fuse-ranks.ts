import { bestFirst } from './best-first.ts';
import type { AddMeaning, ScoredSection } from './search-index.ts';

/** A ranking of sections, best first, and the factor of each page's rank in it. */
interface RankedSections {
  sections: readonly number[];
  /** 1 for a plain page. */
  pageFactor: (page: number) => number;
}

/** The usual constant of reciprocal rank fusion: how flat the top ranks are. */
const FLATNESS = 60;

/**
 * Fuses rankings by different measures: each gives a section 1 / (60 + its rank), and the sums decide. A section's rank is that
 * of its page, then its own inside the page, so that a page with many sections does not push others down.
 * @returns the sections of all rankings with their sums, best first
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
 * Fuses the hits of the keyword search with the sections that are semantically nearest to the query. The best hit gets the higher
 * of both scores, which indicates whether anything fits at all; the scores of the others decrease with their rank.
 * @param similarities similarity of each section of the index to the query, −1 to 1
 */
export function addSimilar(similarities: Float32Array): AddMeaning {
  return (byWord, { pageOfSection, isIncluded, pageFactor, limit }) => {
    const candidates: number[] = [];
    for (let section = 0; section < pageOfSection.length; section++) {
      if (isIncluded(pageOfSection[section] as number) && (similarities[section] as number) > 0) candidates.push(section);
    }
    const near = bestFirst(candidates, similarities, limit);
    // Keyword ranks already include the factors of the pages.
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
