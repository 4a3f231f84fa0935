import type { SearchHit, SearchOptions } from '@docent/search/search-index.ts';
import type { LiveSite } from './live-sites.ts';

/**
 * Finds sections of a site, for every client of the server: the assistant, its tools, the API, MCP.
 */
export interface SiteSearch {
  /**
   * Best first; scores 0–1. Never fails because of a model: results then lack the model's
   * contribution.
   */
  hits(site: LiveSite, query: string, options: SearchOptions): Promise<SearchHit[]>;
}

/** Searches by words only; needs no network. */
export const wordSearch: SiteSearch = {
  hits: async (site, query, options) => (await site.searchIndex()).search(query, options),
};
