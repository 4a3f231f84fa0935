import type { Reader } from '@docent/format/access/may-read.ts';
import type { SiteSecurity, SiteSettings } from '@docent/format/access/site-settings.ts';
import type { PageContent, SiteBuild } from '@docent/format/build/site-build.ts';
import type { SearchIndex } from '@docent/search/search-index.ts';

/** Who may read a site. */
export interface SiteAccess {
  /** Whether it asks its readers to sign in. */
  isPrivate: boolean;
  /** Whether readers can sign in. */
  canSignIn: boolean;
}

/** For everybody, and without a way to sign in. */
export const PUBLIC_ACCESS: Readonly<SiteAccess> = { isPrivate: false, canSignIn: false };

/** A preview as it is served. */
export interface ShownPreview {
  id: string;
  /** Identifier of its site. */
  site: string;
  name: string;
  branch: string;
  passwordHash: string | null;
  membersOnly: boolean;
  expiresAt: Date | null;
}

/** Who sees a site: a reader, nobody in particular, or an owner, who sees all of it. */
export type Viewer = Reader | undefined | 'owner';

/**
 * A site with its current live build, or a preview of it, as one viewer sees it: nothing of what
 * the viewer may not read is in it. It is found as nobody in particular sees it. Everything in it
 * is immutable.
 */
export interface LiveSite {
  /** The `projectId` of the API. */
  siteId: string;
  organizationId: string;
  /** The site's identifier, the `domain` of the API. */
  slug: string;
  hostnames: string[];
  deploymentId: string;
  /** What its owners allow browsers to do on its pages. */
  security: SiteSecurity;
  settings: SiteSettings;
  access: SiteAccess;
  build: SiteBuild;
  /** Present if this is a preview rather than live. */
  preview?: ShownPreview;
  /** Absolute address without a trailing slash; page addresses are this plus `BuiltPage.href`. */
  publicUrl: string;
  /** Returns the site as another viewer sees it: the same object for all who may read the same. */
  as(viewer: Viewer): LiveSite;
  /**
   * Returns the site without the pages that are for other groups only: what a caller of the API
   * asks for, who sees no more than before.
   */
  narrowed(groups: readonly string[]): LiveSite;
  searchIndex(): Promise<SearchIndex>;
  /** Returns the body of a page by `BuiltPage.path`. */
  pageContent(path: string): Promise<PageContent | undefined>;
}

/** Live sites by identifier or hostname, cached in memory. */
export interface LiveSites {
  /** Returns `undefined` if there is no such site or nothing was published to it yet. */
  find(domain: string): Promise<LiveSite | undefined>;
  /**
   * Returns the site of an address: the live site, or a preview, by the label
   * `<preview>--<identifier>`.
   */
  findShown(slug: string): Promise<LiveSite | undefined>;
  /** Number of builds that can be served from memory, even if everything else is unavailable. */
  readonly heldCount: number;
  /** Removes a site from the cache, after its live pointer or who may read it changed. */
  invalidate(siteId: string): void;
  /**
   * Has a newer build looked for before the next page of a site. Its former build is served if the
   * database is unavailable just then.
   */
  outdate(siteId: string): void;
}
