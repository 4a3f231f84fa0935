import type { SearchHit } from './search-index.ts';

/** A page with those of its sections that matched. */
export interface PageHit {
  path: string;
  /** 0–1: that of its best section, which already holds how well the page as a whole fits. */
  score: number;
  /** Best first. */
  sections: SearchHit[];
}

/** Joins the sections of each page. Takes hits best first, gives pages best first. */
export function groupByPage(hits: readonly SearchHit[]): PageHit[] {
  const pages = new Map<string, PageHit>();
  for (const hit of hits) {
    const page = pages.get(hit.document.path);
    if (page === undefined) pages.set(hit.document.path, { path: hit.document.path, score: hit.score, sections: [hit] });
    else page.sections.push(hit);
  }
  return [...pages.values()];
}
