import type { SearchHit } from './search-index.ts';

/** A page with those of its sections that matched. */
export interface PageHit {
  path: string;
  /** 0–1: that of its best section, which already holds how well the page as a whole fits. */
  score: number;
  /** As `SearchHit.share`; absent further down, and where a page has none of the words. */
  share?: number;
  /** Best first. */
  sections: SearchHit[];
}

/** Joins the sections of each page. Takes hits best first, gives pages best first. */
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
