import { isPlatformHostname, type PlatformNames } from '@docent/format/access/host-name.ts';
import { type Actor, requirePermission, siteIdsOf } from '@docent/format/access/may.ts';
import { isNewSlug } from '@docent/format/access/site-name.ts';
import {
  defaultSiteSecurity,
  type SiteSecurity,
  type SiteSettings,
} from '@docent/format/access/site-settings.ts';
import { DocentError, type FieldError } from '@docent/format/errors.ts';
import * as z from 'zod';
import { listHostnameClaims } from '../hostnames/claim-hostnames.ts';
import type { HostnameClaim } from '../hostnames/queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { exportSlots, publishSlots } from '../kernel/jobs/slots.ts';
import { foreignCursor, type ListPage, type PageRequest } from '../kernel/list-pages.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { defaultHostnameOf } from '../kernel/sites/site-address.ts';
import { outsideFolderOf, pagePackKeyOf } from '../kernel/sites/site-blobs.ts';
import {
  listSiteIds,
  type SiteListQuery,
  type SitePlace,
  type SiteWord,
} from '../kernel/sites/site-list.ts';
import {
  deleteAliases,
  deleteSiteRows,
  findAliasHolder,
  findSite,
  findSites,
  insertAlias,
  isSlugInUse,
  listAliases,
  lockSite,
  readSiteStates,
  type SiteRow,
  type SiteState,
  updateSite,
  updateSiteSettings,
} from '../kernel/sites/site-queries.ts';
import { isUniqueViolation, type Transaction } from '../ports/database.ts';
import { requireRoomForPreviews } from '../previews/open-preview.ts';
import { correctSiteWords } from './mistyped-sites.ts';
import { reserveIdentifiers, takeReservedIdentifier } from './reserved-identifiers.ts';

interface SiteChanges {
  /** `null`: use the name in docs.json. */
  name?: string | null | undefined;
  slug?: string | undefined;
  settings?: Partial<SiteSettings> | undefined;
}

/** Maximum former identifiers that redirect to a site. */
const MAX_ALIASES = 10;

/**
 * Changes the given properties of a site and keeps the others. Its former identifier redirects to
 * the new one.
 * @param isExpected returns whether the site is as the actor knows it; called while it is locked
 * @throws DocentError `site_not_found`, `invalid_request`, `site_exists`, `precondition_failed`
 */
export async function changeSite(
  deps: Pick<Deps, 'database' | 'clock' | 'config' | 'liveSites'>,
  actor: Actor,
  project: string,
  changes: SiteChanges,
  isExpected: (site: SiteRow) => boolean,
): Promise<SiteDetails> {
  const { id, slug: before } = await findPermittedSite(deps, actor, 'sites.write', project);
  const { slug, name } = changes;
  const docsName =
    name === null ? (await deps.liveSites.find(before))?.build.config.name : undefined;
  const errors = slug === undefined ? [] : slugFaults(slug, deps.config);
  if (errors.length > 0)
    throw new DocentError('invalid_request', errors.map((error) => error.message).join(' '), {
      errors,
    });
  const now = deps.clock.now();
  try {
    await deps.database.queries.transaction().execute(async (transaction) => {
      const site = (await lockSite(transaction, id)) ? await findSite(transaction, id) : undefined;
      if (!site) throw new DocentError('site_not_found', 'The site was deleted in the meantime.');
      if (!isExpected(site)) {
        const message =
          'The site was changed in the meantime; get it again, then repeat the change.';
        throw new DocentError('precondition_failed', message);
      }
      const isNewSlug = slug !== undefined && slug !== site.slug;
      if (isNewSlug && (await isSlugInUse(transaction, slug))) throw slugTaken(slug);
      if (isNewSlug) await requireRoomForPreviews(transaction, id, slug);
      await updateSite(transaction, id, { ...changes, docsName, now });
      if (isNewSlug) await moveSlug(transaction, actor, site, slug, now);
    });
  } catch (error) {
    // Another site took the identifier at the same time.
    if (slug !== undefined && isUniqueViolation(error)) throw slugTaken(slug);
    throw error;
  }
  deps.liveSites.invalidate(id);
  return getSite(deps, actor, id);
}

async function moveSlug(
  transaction: Transaction,
  actor: Actor,
  site: SiteRow,
  slug: string,
  createdAt: Date,
): Promise<void> {
  await takeFormerSlug(transaction, actor, slug);
  await insertAlias(transaction, { slug: site.slug, siteId: site.id, createdAt });
  const oldest = (await listAliases(transaction, site.id)).slice(MAX_ALIASES);
  await deleteAliases(transaction, oldest);
  await reserveIdentifiers(transaction, site, oldest, createdAt);
}

type SecurityDeps = Pick<Deps, 'database' | 'liveSites' | 'config'>;

/** @throws DocentError `site_not_found` */
export async function readSiteSecurity(
  deps: SecurityDeps,
  actor: Actor,
  site: string,
): Promise<SiteSecurity> {
  return (await findPermittedSite(deps, actor, 'projects.read', site)).security;
}

/**
 * Changes the given settings and keeps the others; pages are sent with them within a second.
 * @throws DocentError `site_not_found`
 */
export async function changeSiteSecurity(
  deps: SecurityDeps,
  actor: Actor,
  site: string,
  changes: Partial<SiteSecurity>,
): Promise<SiteSecurity> {
  const { id } = await findPermittedSite(deps, actor, 'security.write', site);
  const stored = await updateSiteSettings(deps.database.queries, id, 'security', changes);
  deps.liveSites.invalidate(id);
  return { ...defaultSiteSecurity, ...stored };
}

/**
 * Deletes a site with everything that belongs to it: builds, uploads, exports, conversations, keys
 * and hostnames. Its identifiers stay reserved for the organization. Readers get 404 at once. Files
 * shared with other builds are deleted by the next clean-up.
 * @param confirm must be the identifier of the site
 * @throws DocentError `site_not_found`; `invalid_request` without the confirmation
 */
export async function deleteSite(
  deps: Pick<
    Deps,
    | 'database'
    | 'blobs'
    | 'jobs'
    | 'clock'
    | 'config'
    | 'liveSites'
    | 'assistantSettings'
    | 'keyCache'
    | 'analytics'
    | 'logger'
  >,
  actor: Actor,
  project: string,
  confirm: string | undefined,
): Promise<void> {
  const site = await findPermittedSite(deps, actor, 'sites.write', project);
  requireConfirmation('site', site.slug, confirm);
  const remains = await deps.database.queries.transaction().execute(async (transaction) => {
    // Its builds and exports make room for those of other sites.
    const remove = async () => {
      const slugs = [site.slug, ...(await listAliases(transaction, site.id))];
      await reserveIdentifiers(transaction, site, slugs, deps.clock.now());
      return deleteSiteRows(transaction, site.id);
    };
    const withinExports = () =>
      exportSlots.withinTransaction(deps, transaction, site.organizationId, remove);
    return publishSlots.withinTransaction(deps, transaction, site.organizationId, withinExports);
  });
  deps.liveSites.invalidate(site.id);
  deps.assistantSettings.invalidate(site.id);
  for (const keyId of remains.keyIds) deps.keyCache.invalidate(keyId);
  await deleteCounts(deps, site.id);
  await deleteBlobs(deps, site.id, [...remains.sourceKeys, ...remains.bundleKeys]).catch(
    (error: unknown) => {
      const fields = { siteId: site.id, error: String(error) };
      deps.logger.warn(
        fields,
        'files of a deleted site could not be deleted; the clean-up job deletes them',
      );
    },
  );
}

/**
 * Refuses to delete anything large without its identifier as confirmation.
 * @throws DocentError `invalid_request`
 */
export function requireConfirmation(
  what: 'site' | 'organization',
  slug: string,
  confirm: string | undefined,
): void {
  if (confirm === slug) return;
  const message = `Must be the identifier of the ${what}, "${slug}".`;
  throw new DocentError(
    'invalid_request',
    `To delete the ${what} with everything in it, send confirm=${slug}.`,
    {
      errors: [{ path: '/confirm', message }],
    },
  );
}

/** Deletes readers' events. Not part of the transaction, because they may be stored elsewhere. */
async function deleteCounts(
  { analytics, logger }: Pick<Deps, 'analytics' | 'logger'>,
  siteId: string,
): Promise<void> {
  try {
    await analytics.flush();
    await analytics.store.delete(siteId, {});
  } catch (error) {
    logger.warn(
      { siteId, error: String(error) },
      'analytics of a deleted site could not be deleted; they expire',
    );
  }
}

async function deleteBlobs(
  { blobs }: Pick<Deps, 'blobs'>,
  siteId: string,
  keys: readonly string[],
): Promise<void> {
  for (const key of [...keys, pagePackKeyOf(siteId)]) await blobs.delete(key);
  for await (const key of blobs.list(outsideFolderOf(siteId))) await blobs.delete(key);
}

/** A site with every hostname that it claims, proven or not, and its deployments' states. */
export interface SiteDetails extends SiteRow {
  claims: HostnameClaim[];
  state: Pick<SiteState, 'name' | 'live' | 'last'>;
}

export type SiteListRequest = PageRequest &
  Pick<SiteListQuery, 'state' | 'order'> & { text?: string | undefined };

/**
 * Returns the sites of the actor's organization with each word of a text, or else with words that
 * are nearly written like it.
 * @throws DocentError `invalid_request` for a cursor that this server did not create
 */
export async function listSites(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  { cursor, limit, text = '', state, order }: SiteListRequest,
): Promise<ListPage<SiteDetails>> {
  requirePermission(actor, 'projects.read');
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const { queries } = database;
  const siteIds = siteIdsOf(actor);
  const list = (words: readonly SiteWord[]) =>
    listSiteIds(queries, actor.organizationId, {
      siteIds,
      words,
      state,
      order,
      after,
      limit: limit + 1,
    });
  const words = text.split(/\s+/).filter(Boolean);
  let places = await list(words.map((word) => [word]));
  // A correction would tell the names of other sites.
  if (places.length === 0 && words.length > 0 && siteIds.length === 0) {
    const corrected = await correctSiteWords(queries, actor.organizationId, words);
    if (corrected) places = await list(corrected);
  }
  const ids = places.slice(0, limit).map(({ id }) => id);
  const sites = new Map((await findSites(queries, ids)).map((site) => [site.id, site]));
  // A site may be deleted between the two queries.
  const rows = ids.flatMap((id) => sites.get(id) ?? []);
  const last = places.length > limit ? places[limit - 1] : undefined;
  return {
    rows: await withDetails({ database }, rows),
    nextCursor: last ? writeCursor(last) : null,
  };
}

/**
 * Returns one site, by identifier, project id or hostname.
 * @throws DocentError `site_not_found`
 */
export async function getSite(
  deps: Pick<Deps, 'database' | 'config'>,
  actor: Actor,
  name: string,
): Promise<SiteDetails> {
  const [site] = await withDetails(deps, [
    await findPermittedSite(deps, actor, 'projects.read', name),
  ]);
  return site as SiteDetails;
}

async function withDetails(
  { database }: Pick<Deps, 'database'>,
  sites: readonly SiteRow[],
): Promise<SiteDetails[]> {
  const ids = sites.map(({ id }) => id);
  const [claims, states] = await Promise.all([
    listHostnameClaims(database.queries, ids),
    readSiteStates(database.queries, ids),
  ]);
  const claimsOf = Map.groupBy(claims, ({ siteId }) => siteId);
  return sites.map((site) => ({
    ...site,
    claims: claimsOf.get(site.id) ?? [],
    state: states.get(site.id) ?? { name: 'empty', live: null, last: null },
  }));
}

function writeCursor({ key, slug }: SitePlace): string {
  return Buffer.from(JSON.stringify([key, slug])).toString('base64url');
}

const place = z.tuple([z.string().max(300), z.string().max(100)]);

function readCursor(cursor: string): SitePlace {
  try {
    const [key, slug] = place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (!`${key}${slug}`.includes('\u0000')) return { key, slug };
  } catch {
    // Refused below.
  }
  throw foreignCursor();
}

/** Returns why no site can have an identifier; undefined if it is allowed. */
export function slugFaults(slug: string, names: PlatformNames): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (message: string) => errors.push({ path: '/slug', message });
  if (!isNewSlug(slug))
    refuse(
      'An identifier has 1 to 63 lower-case letters, digits and single inner hyphens, for example "docs" or "acme-docs".',
    );
  const hostname = defaultHostnameOf(slug, names);
  if (hostname !== undefined && isPlatformHostname(hostname, names))
    refuse(`"${slug}" cannot be used: ${hostname} is a name of the platform.`);
  return errors;
}

/**
 * Takes over a former identifier of another site, or of a deleted one, of the same organization.
 * Call it once the site's row has the identifier, so that concurrent changes of the same one wait.
 * @throws DocentError `site_exists` if it belonged to a site of another organization
 */
export async function takeFormerSlug(
  transaction: Transaction,
  actor: Actor,
  slug: string,
): Promise<void> {
  const holder = await findAliasHolder(transaction, slug);
  if (holder && holder.organizationId !== actor.organizationId) throw slugTaken(slug);
  if (!(await takeReservedIdentifier(transaction, actor, slug))) throw slugTaken(slug);
  if (holder) await deleteAliases(transaction, [slug]);
}

export function slugTaken(slug: string): DocentError {
  return new DocentError(
    'site_exists',
    `The identifier "${slug}" belongs to a site, or belonged to one until lately; choose another.`,
  );
}
