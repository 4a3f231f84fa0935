import { LRUCache } from 'lru-cache';
import { fileKey } from '../../compiler/bundle/file-sink.ts';
import { readStoredPage } from '../../compiler/pages/stored-page.ts';
import { siteNameOf } from '../../core/access/host-name.ts';
import { readPreviewLabel } from '../../core/access/site-name.ts';
import { loadSearchIndex } from '../../core/search/index/load-search-index.ts';
import type { SearchIndex } from '../../core/search/search-index.ts';
import { readSiteBuild } from '../../core/site-build.ts';
import { findLiveSite, type LiveSiteRow, listNewestLive } from '../../db/deployments/live-sites.ts';
import { findShownPreview } from '../../db/deployments/previews.ts';
import { findSite } from '../../db/sites/sites.ts';
import type { Deps } from '../deps.ts';
import { createFreshCache } from '../fresh-cache.ts';
import type { LiveSite, LiveSites } from './live-sites.ts';
import { publicUrlOf } from './site-address.ts';

/** How long a site's live pointer is used without querying the database. */
const POINTER_MS = 1000;
/** How long a reader waits for the database before the cached build is served. */
const STALE_AFTER_MS = 1000;
const MAX_DOMAINS_HELD = 10_000;
/** Maximum builds in memory; a build is its manifest and, once requested, its search index. */
const MAX_BUILDS_HELD = 64;

/** The row of a live site or of a preview. */
type ShownRow = LiveSiteRow & Pick<LiveSite, 'preview'>;

const decoder = new TextDecoder();

/** Live sites from the database and the blob store, with a small cache so that serving a page queries neither. */
export function openLiveSites({
  database,
  blobs,
  clock,
  config,
}: Pick<Deps, 'database' | 'blobs' | 'clock' | 'config'>): LiveSites {
  // Older ones are refreshed before use: a build that was rolled back or deleted must not be served again.
  const times = { freshMs: POINTER_MS, usableMs: POINTER_MS, staleAfterMs: STALE_AFTER_MS };
  const byDomain = createFreshCache<LiveSite>({ clock, ...times, maxEntries: MAX_DOMAINS_HELD });
  const shownPreviews = createFreshCache<LiveSite>({ clock, ...times, maxEntries: MAX_DOMAINS_HELD });
  /**
   * Cached by the parts of a live site: its deployment, its settings, and its identifier and hostnames, which change its address.
   */
  const opened = new LRUCache<string, Promise<LiveSite>>({ max: MAX_BUILDS_HELD });

  async function open(row: ShownRow): Promise<LiveSite> {
    const manifest = await blobs.read(row.manifestKey);
    if (!manifest) throw new Error(`The manifest ${row.manifestKey} of deployment ${row.deploymentId} is missing.`);
    const build = readSiteBuild(decoder.decode(manifest));
    const pages = new Map(build.pages.map((page) => [page.path, page]));
    let index: Promise<SearchIndex> | undefined;
    const openIndex = async () => {
      const bytes = await blobs.read(fileKey(build.searchIndex));
      if (!bytes) throw new Error(`The search index of deployment ${row.deploymentId} is missing.`);
      return loadSearchIndex(bytes);
    };
    const { manifestKey: _, ...identity } = row;
    return {
      ...identity,
      build,
      publicUrl: publicUrlOf(row, config),
      searchIndex: () => {
        index ??= openIndex();
        index.catch(() => {
          index = undefined;
        });
        return index;
      },
      pageContent: async (path) => {
        const page = pages.get(path);
        const file = page && (await blobs.read(fileKey(page.content)));
        return file && readStoredPage(file);
      },
    };
  }

  function openOnce(row: ShownRow): Promise<LiveSite> {
    const key = `${row.deploymentId} ${JSON.stringify([row.slug, row.preview, row.security, row.settings, row.hostnames])}`;
    const known = opened.get(key);
    if (known) return known;
    const site = open(row);
    opened.set(key, site);
    site.catch(() => opened.delete(key));
    return site;
  }

  async function load(domain: string): Promise<LiveSite | undefined> {
    const row = await findLiveSite(database.queries, domain);
    return row && openOnce(row);
  }

  /** A preview has the settings of its site, and its own address. */
  async function loadPreview(label: string): Promise<LiveSite | undefined> {
    const named = readPreviewLabel(label);
    const shown = named && (await findShownPreview(database.queries, named, clock.now()));
    const site = shown && (await findSite(database.queries, shown.siteId));
    if (!site) return undefined;
    const { id, passwordHash, membersOnly, branch, expiresAt, ...deployed } = shown;
    const { organisationId, security, settings } = site;
    const own = {
      slug: label,
      hostnames: [],
      settings: { ...settings, publicUrl: null },
      preview: { ...named, site: site.slug, id, branch, passwordHash, membersOnly, expiresAt },
    };
    return openOnce({ ...deployed, organisationId, security, ...own });
  }

  async function find(domain: string): Promise<LiveSite | undefined> {
    const key = siteNameOf(domain, config)?.toLowerCase();
    return key === undefined ? undefined : byDomain.get(key, () => load(key));
  }

  return {
    find,
    async findShown(slug) {
      const site = await find(slug);
      const label = slug.toLowerCase();
      return site || !readPreviewLabel(label) ? site : shownPreviews.get(label, () => loadPreview(label));
    },
    get heldCount() {
      return opened.size;
    },
    invalidate(siteId) {
      for (const held of [byDomain, shownPreviews]) held.invalidateWhere((site) => site.siteId === siteId);
    },
  };
}

/** More would use memory for sites that may never be requested. */
const MAX_SITES = 5;

/**
 * Opens the most recently published sites and searches each of them once, so that the first reader after a start does not wait
 * longer than others. Errors are only logged: readers get them on their own requests.
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
      index?.search(`how to begin with ${site?.build.config.name}`, { limit: 60, completeLastWord: false });
    }
  } catch (error) {
    if (!isLeaving()) logger.warn({ error: String(error) }, 'sites could not be preloaded');
  }
}
