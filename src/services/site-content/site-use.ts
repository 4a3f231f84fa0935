import { createHash } from 'node:crypto';
import type { ThemeFiles } from '../../compiler/assets/dist-files.ts';
import { type SearchCut, searchHead, wholeCut } from '../../compiler/site/search-scripts.ts';
import { hostedAddresses } from '../../compiler/site/site-addresses.ts';
import { createSiteRenderer, type SiteRenderer } from '../../compiler/site/site-renderer.ts';
import type { BuiltPage } from '../../core/site-build.ts';
import { createRedirects } from '../../core/site-files/redirects.ts';
import type { LiveSite } from '../sites/live-sites.ts';
import { previewPath } from './preview-image.ts';

/** A live site as it is served at one base path; everything that can be prepared ahead of a request. */
export interface SiteUse {
  site: LiveSite;
  /** `''` on the site's own host; `/sites/<slug>` on the platform's, where pages are sandboxed. */
  basePath: string;
  renderer: SiteRenderer;
  pagesByHref: ReadonlyMap<string, BuiltPage>;
  redirect: ReturnType<typeof createRedirects>;
  /** The scripts under `/_docent/` that contain the search index. */
  searchCut: SearchCut;
  /**
   * Identifies everything that a rendered page depends on, for `ETag`s and caching. Two sites with the same source have the same
   * build, but not the same address.
   */
  version: string;
}

/** Creates the uses of live sites, each once. */
export function createSiteUses(
  theme: ThemeFiles,
): (
  site: LiveSite,
  basePath: string,
  origin: string,
  options?: { hasAssistant?: boolean; hasAnalytics?: boolean; hasIntegrations?: boolean },
) => SiteUse {
  const themeVersion = [...theme.values()].map((file) => file.sha256).join();
  const made = new WeakMap<LiveSite, Map<string, SiteUse>>();
  return (site, basePath, origin, { hasAssistant = false, hasAnalytics = false, hasIntegrations = false } = {}) => {
    const uses = made.get(site) ?? new Map<string, SiteUse>();
    made.set(site, uses);
    const name = `${basePath} ${hasAssistant} ${hasAnalytics} ${hasIntegrations}`;
    const known = uses.get(name);
    if (known) return known;
    const { build } = site;
    const searchCut = wholeCut(build);
    const use: SiteUse = {
      site,
      basePath,
      renderer: createSiteRenderer(build, {
        addresses: hostedAddresses(basePath, build),
        assetFile: (asset) => theme.get(asset)?.name ?? asset,
        searchIndexFile: (language) => searchHead(searchCut, language),
        origin,
        mcpUrl: `${origin}/mcp`,
        hasAssistant,
        hasIntegrations,
        ...(hasAnalytics && { analyticsUrl: '/_docent/events' }),
        // A sandboxed page has an opaque origin, and its requests are refused.
        ...(basePath === '' && { feedbackUrl: '/_docent/feedback' }),
        previewImage: (page) => `${origin}${previewPath(build, page)}`,
      }),
      pagesByHref: pagesByHref(build.pages),
      redirect: createRedirects(build.config.redirects),
      searchCut,
      version: createHash('sha256').update(`${build.id} ${name} ${origin} ${themeVersion}`).digest('base64url').slice(0, 16),
    };
    uses.set(name, use);
    return use;
  };
}

function pagesByHref(pages: readonly BuiltPage[]): Map<string, BuiltPage> {
  const byHref = new Map<string, BuiltPage>();
  for (const page of pages) if (!page.externalUrl && !byHref.has(page.href)) byHref.set(page.href, page);
  return byHref;
}
