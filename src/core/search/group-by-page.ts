import type { SearchHit } from './search-index.ts';

/** A page with its matching sections. */
export interface PageHit {
  path: string;
  /** 0–1: that of its best section, which already includes the match of the whole page. */
  score: number;
  /** As `SearchHit.share`; absent for lower ranks, and if a page has none of the words. */
  share?: number;
  /** Best first. */
  sections: SearchHit[];
}

/** Groups hits by page. Takes hits best first, returns pages best first. */
export function groupByPage(hits: readonly SearchHit[]): PageHit[] {
  const pages = new Map<string, PageHit>();
  for (const hit of hits) {
    const { path } = hit.document;
    const page: PageHit = pages.get(path) ?? { path, score: hit.score, sections: [] };
    pages.set(path, page);
    page.sections.push(hit);
    if (hit.share !== undefined) page.share ??= hit.share;
  }
  return [...pages.values()];
}
