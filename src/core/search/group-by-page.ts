import type { SearchHit } from './search-index.ts';

/** A page with those of its sections that matched. */
export interface PageHit {
  path: string;
  /** 0–1. */
  score: number;
  /** Best first. */
  sections: SearchHit[];
}

/** What further sections of a page add to the score of its best one. */
const OTHERS_SHARE = 0.04;
const MOST_OTHERS = 3;

/** Joins the sections of each page. Takes hits best first, gives pages best first. */
export function groupByPage(hits: readonly SearchHit[]): PageHit[] {
  const pages = new Map<string, PageHit>();
  for (const hit of hits) {
    const page = pages.get(hit.document.path);
    if (page === undefined) pages.set(hit.document.path, { path: hit.document.path, score: hit.score, sections: [hit] });
    else {
      if (page.sections.length <= MOST_OTHERS) page.score = Math.min(1, page.score + hit.score * OTHERS_SHARE);
      page.sections.push(hit);
    }
  }
  // Sorting is stable: pages of equal score stay in the order of their best sections.
  return [...pages.values()].sort((a, b) => b.score - a.score);
}
