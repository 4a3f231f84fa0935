import type { SettingsCache } from '../kernel/process-state.ts';
import type { SiteSearch } from '../ports/site-search.ts';

/** A search that follows the rules of each site, unless its caller has others to try. */
export function ruledSearch(
  search: SiteSearch,
  settings: Pick<SettingsCache, 'searchRules'>,
): SiteSearch {
  return {
    hits: async (site, query, options) =>
      search.hits(site, query, {
        ...options,
        rules: options.rules ?? (await settings.searchRules(site.siteId)),
      }),
  };
}
