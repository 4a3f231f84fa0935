import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { readStoredPage } from '@docent/compiler/pages/stored-page.ts';
import { siteNameOf } from '@docent/format/access/host-name.ts';
import { readPreviewLabel } from '@docent/format/access/site-name.ts';
import { oncePerObject } from '@docent/format/once.ts';
import { LRUCache } from 'lru-cache';
import { ReaderViews } from '../audience/reader-views.ts';
import type { Deps } from '../kernel/deps.ts';
import { createFreshCache } from '../kernel/fresh-cache.ts';
import { publicUrlOf } from '../kernel/sites/site-address.ts';
import { findSite } from '../kernel/sites/site-queries.ts';
import { type LiveSite, type LiveSites, PUBLIC_ACCESS } from '../ports/live-sites.ts';
import { protectionOf } from '../previews/preview-protection.ts';
import { findShownPreview } from '../previews/shown-preview.ts';
import { findLiveSite, type LiveSiteRow, listNewestLive } from '../publishing/published-builds.ts';
import { type HeldBuild, holdBuilds } from './held-builds.ts';

/** How long a site's live pointer is used without querying the database. */
const POINTER_MS = 1000;
/** How long a reader waits for the database before the cached pointer is used. */
const STALE_AFTER_MS = 1000;
/** Of each of two caches: several thousand sites. */
const MAX_POINTER_BYTES = 8 * 1024 * 1024;
/** Of sites whose live deployment is remembered. */
const MAX_REMEMBERED = 10_000;

/** The row of a live site or of a preview. */
type ShownRow = LiveSiteRow & Pick<LiveSite, 'preview'>;

/**
 * Live sites from the database and the blob store, with a small cache so that serving a page
 * queries neither.
 */
export function openLiveSites({
  database,
  blobs,
  clock,
  config,
}: Pick<Deps, 'database' | 'blobs' | 'clock' | 'config'>): LiveSites {
  // Older ones are refreshed before use: a build that was rolled back or deleted must not be served
  // again.
  const times = { freshMs: POINTER_MS, usableMs: POINTER_MS, staleAfterMs: STALE_AFTER_MS };
  const pointers = { name: 'site_pointers', clock, ...times, maxBytes: MAX_POINTER_BYTES } as const;
  const byDomain = createFreshCache<ShownRow>(pointers);
  const shownPreviews = createFreshCache<ShownRow>(pointers);
  const builds = holdBuilds(blobs, config.siteCacheBytes);
  /** The deployment that was live when the database was last asked about a site. */
  const lastLive = new LRUCache<string, string>({ max: MAX_REMEMBERED });

  const views = new ReaderViews();

  function siteOf(row: ShownRow, { build }: HeldBuild): LiveSite {
    const { manifestKey: _, ...identity } = row;
    return views.open(
      `${row.deploymentId} ${contentKey(row)}`,
      { ...identity, publicUrl: publicUrlOf(row, config) },
      {
        build,
        openIndex: (seen) => builds.openIndex(row, seen),
        readPage: async ({ content }) => {
          const file = await blobs.read(fileKey(content));
          return file && readStoredPage(file);
        },
      },
    );
  }

  /**
   * Returns the same object for the same row, so that what is prepared for a site is prepared once.
   */
  async function open(row: ShownRow | undefined): Promise<LiveSite | undefined> {
    if (!row) return undefined;
    const heldBuild = await builds.open(row);
    const key = contentKey(row);
    const site = heldBuild.sites.get(key) ?? siteOf(row, heldBuild);
    heldBuild.sites.set(key, site);
    return site;
  }

  async function load(domain: string): Promise<ShownRow | undefined> {
    const row = await findLiveSite(database.queries, domain);
    if (!row) return undefined;
    // A pointer to a build that cannot be opened is not used: the former build is served meanwhile.
    await builds.open(row);
    const former = lastLive.get(row.siteId);
    if (former !== undefined && former !== row.deploymentId) builds.drop(former);
    lastLive.set(row.siteId, row.deploymentId);
    return row;
  }

  /** A preview has the settings of its site, its own address, and its own protection. */
  async function loadPreview(label: string): Promise<ShownRow | undefined> {
    const named = readPreviewLabel(label);
    const preview = named && (await findShownPreview(database.queries, named, clock.now()));
    const site = preview && (await findSite(database.queries, preview.siteId));
    if (!site) return undefined;
    const { id, passwordHash: _, membersOnly: __, branch, expiresAt, ...deployed } = preview;
    const { organizationId, security, settings } = site;
    const previewFields = {
      slug: label,
      access: PUBLIC_ACCESS,
      hostnames: [],
      settings: { ...settings, publicUrl: null },
      preview: { ...named, site: site.slug, id, branch, ...protectionOf(site, preview), expiresAt },
    };
    const row = { ...deployed, organizationId, security, ...previewFields };
    await builds.open(row);
    return row;
  }

  async function find(domain: string): Promise<LiveSite | undefined> {
    const key = siteNameOf(domain, config)?.toLowerCase();
    return key === undefined ? undefined : open(await byDomain.get(key, () => load(key)));
  }

  return {
    find,
    async findShown(slug) {
      const site = await find(slug);
      const label = slug.toLowerCase();
      if (site || !readPreviewLabel(label)) return site;
      return open(await shownPreviews.get(label, () => loadPreview(label)));
    },
    get heldCount() {
      return builds.count;
    },
    invalidate(siteId) {
      for (const cache of [byDomain, shownPreviews])
        cache.invalidateWhere((row) => row.siteId === siteId);
    },
    outdate(siteId) {
      for (const cache of [byDomain, shownPreviews])
        cache.outdateWhere((row) => row.siteId === siteId);
    },
  };
}

/** Two rows with the same key are the same site. Every request asks for it several times. */
const contentKey = oncePerObject(
  ({ slug, preview, security, settings, access, hostnames }: ShownRow) =>
    JSON.stringify([slug, preview, security, settings, access, hostnames]),
);

/** More would use memory for sites that may never be requested. */
const MAX_SITES = 5;

/**
 * Opens the most recently published sites and searches each of them once, so that the first reader
 * after a start does not wait longer than others. Errors are only logged: readers get them on their
 * own requests.
 * @param isLeaving whether the process is about to stop, which ends this early
 */
export async function warmSites(
  { database, liveSites, logger }: Pick<Deps, 'database' | 'liveSites' | 'logger'>,
  isLeaving: () => boolean,
): Promise<void> {
  try {
    for (const slug of await listNewestLive(database.queries, MAX_SITES)) {
      if (isLeaving()) return;
      const site = await liveSites.find(slug);
      const index = await site?.searchIndex();
      index?.search(`how to begin with ${site?.build.config.name}`, {
        limit: 60,
        completeLastWord: false,
      });
    }
  } catch (error) {
    if (!isLeaving()) logger.warn({ error: String(error) }, 'sites could not be preloaded');
  }
}
