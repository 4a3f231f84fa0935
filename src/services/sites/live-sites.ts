import type { SiteSecurity } from '../../core/access/site-security.ts';
import type { SiteSettings } from '../../core/access/site-settings.ts';
import type { SearchIndex } from '../../core/search/search-index.ts';
import type { PageContent, SiteBuild } from '../../core/site-build.ts';

/** A site with the build that readers see now, or a preview of it. Everything in it is immutable. */
export interface LiveSite {
  /** The `projectId` of the API. */
  siteId: string;
  organisationId: string;
  /** The site's identifier, the `domain` of the API. */
  slug: string;
  hostnames: string[];
  deploymentId: string;
  /** What its owners allow browsers that show it. */
  security: SiteSecurity;
  settings: SiteSettings;
  build: SiteBuild;
  /** Present where this is a preview and not live. */
  preview?: { id: string; passwordHash: string | null };
  /** Absolute address without a trailing slash; page addresses are this plus `BuiltPage.href`. */
  publicUrl: string;
  searchIndex(): Promise<SearchIndex>;
  /** The body of a page by `BuiltPage.path`. */
  pageContent(path: string): Promise<PageContent | undefined>;
}

/** Live sites by identifier or hostname, held in memory. */
export interface LiveSites {
  /** `undefined` where there is no such site or nothing was published to it yet. */
  find(domain: string): Promise<LiveSite | undefined>;
  /** What is served at an address: the live site, or a preview, by the label `<preview>--<identifier>`. */
  findShown(slug: string): Promise<LiveSite | undefined>;
  /** How many builds can be served from memory, whatever else is away. */
  readonly heldCount: number;
  /** Forgets what is held of a site, after its live pointer moved. */
  forget(siteId: string): void;
}
