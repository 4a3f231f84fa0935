import type { RetrievedPage } from '@docent/assistant/chat/answer-event.ts';
import { retrievedPage } from '@docent/assistant/retrieve/retrieve.ts';
import { defaultLabels } from '@docent/format/build/default-slice.ts';
import { highlightsOf } from '@docent/search/query/excerpt.ts';
import type { SearchFilter } from '@docent/search/search-index.ts';
import { groupByPage, type PageHit } from '@docent/search/search-index.ts';
import type { Deps } from '../kernel/deps.ts';
import type { LiveSite } from '../ports/live-sites.ts';

export interface PageSearch {
  query: string;
  /** Maximum pages, 1–50. */
  pageSize: number;
  /** Minimum score of pages, 0–1. */
  scoreThreshold: number;
  filter?: SearchFilter;
}

type SearchDeps = Pick<Deps, 'siteSearch'>;

const SECTIONS_SEARCHED_PER_PAGE = 12;

/** Returns the pages of a site that match a query, best first, each with its matching sections. */
export async function searchSite(
  deps: SearchDeps,
  site: LiveSite,
  search: PageSearch,
): Promise<RetrievedPage[]> {
  const pages = await findPages(deps, site, search);
  return pages.map((page) => retrievedPage(page, site.publicUrl));
}

/** Like `searchSite`, for results shown to people: with the excerpts that match. */
export async function searchSiteForReaders(deps: SearchDeps, site: LiveSite, search: PageSearch) {
  const pages = await findPages(deps, site, search);
  return pages.map((page) => ({
    ...retrievedPage(page, site.publicUrl),
    highlights: highlightsOf(search.query, page.sections),
  }));
}

async function findPages(
  { siteSearch }: SearchDeps,
  site: LiveSite,
  search: PageSearch,
): Promise<PageHit[]> {
  const hits = await siteSearch.hits(site, search.query, {
    limit: Math.max(60, search.pageSize * SECTIONS_SEARCHED_PER_PAGE),
    completeLastWord: false,
    filter: search.filter,
    defaults: defaultLabels(site.build),
  });
  return groupByPage(hits)
    .slice(0, search.pageSize)
    .filter((page) => page.score >= search.scoreThreshold);
}
