import type { SearchHit, SearchOptions } from '../../core/search/search-index.ts';
import type { LiveSite } from '../sites/live-sites.ts';

/** How the sections of a site are found for everybody who asks the server: the assistant, its tools, the API, MCP. */
export interface SiteSearch {
  /** Best first; scores 0–1. Never fails because of a model: what a model would add is left out then. */
  hits(site: LiveSite, query: string, options: SearchOptions): Promise<SearchHit[]>;
}

/** Searches by words alone; needs no network. */
export const wordSearch: SiteSearch = {
  hits: async (site, query, options) => (await site.searchIndex()).search(query, options),
};
