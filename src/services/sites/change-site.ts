import type { Actor } from '../../core/access/may.ts';
import { maxPreviewName } from '../../core/access/site-name.ts';
import { defaultSiteSecurity, type SiteSecurity, type SiteSettings } from '../../core/access/site-settings.ts';
import { DocentError } from '../../core/errors.ts';
import { findLongPreviewName } from '../../db/deployments/previews.ts';
import {
  deleteAliases,
  findSite,
  insertAlias,
  isSlugInUse,
  listAliases,
  lockSite,
  type SiteRow,
  updateSite,
  updateSiteSettings,
} from '../../db/sites/sites.ts';
import { isUniqueViolation, type Transaction } from '../../ports/database.ts';
import type { Deps } from '../deps.ts';
import { findPermittedSite } from './find-actor-site.ts';
import { getSite, type SiteDetails } from './list-sites.ts';
import { slugFaults, slugTaken, takeFormerSlug } from './site-slug.ts';

export interface SiteChanges {
  /** `null`: use the name in docs.json from the next publish on. */
  name?: string | null | undefined;
  slug?: string | undefined;
  settings?: Partial<SiteSettings> | undefined;
}

/** Maximum former identifiers that redirect to a site. */
const MAX_ALIASES = 10;

/**
 * Changes the given properties of a site and keeps the others. Its former identifier redirects to the new one.
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
  const { id } = await findPermittedSite(deps, actor, 'sites.write', project);
  const { slug } = changes;
  const errors = slug === undefined ? [] : slugFaults(slug, deps.config);
  if (errors.length > 0) throw new DocentError('invalid_request', errors.map((error) => error.message).join(' '), { errors });
  const now = deps.clock.now();
  try {
    await deps.database.queries.transaction().execute(async (transaction) => {
      const site = (await lockSite(transaction, id)) ? await findSite(transaction, id) : undefined;
      if (!site) throw new DocentError('site_not_found', 'The site was deleted in the meantime.');
      if (!isExpected(site)) {
        throw new DocentError(
          'precondition_failed',
          'The site was changed in the meantime; get it again, then repeat the change.',
        );
      }
      const isNewSlug = slug !== undefined && slug !== site.slug;
      if (isNewSlug && (await isSlugInUse(transaction, slug))) throw slugTaken(slug);
      if (isNewSlug) await requireRoomForPreviews(transaction, id, slug);
      await updateSite(transaction, id, { ...changes, now });
      if (isNewSlug) await moveSlug(transaction, site, slug, now);
    });
  } catch (error) {
    // Another site took the identifier at the same time.
    if (slug !== undefined && isUniqueViolation(error)) throw slugTaken(slug);
    throw error;
  }
  deps.liveSites.invalidate(id);
  return getSite(deps, actor, id);
}

/** The address of a preview has both names in one DNS label. */
async function requireRoomForPreviews(transaction: Transaction, siteId: string, slug: string): Promise<void> {
  const name = await findLongPreviewName(transaction, siteId, maxPreviewName(slug));
  if (name === undefined) return;
  const message = `The preview "${name}" makes the address too long together with "${slug}"; choose a shorter identifier, or delete the preview.`;
  throw new DocentError('invalid_request', message, { errors: [{ path: '/slug', message }] });
}

async function moveSlug(transaction: Transaction, site: SiteRow, slug: string, createdAt: Date): Promise<void> {
  await takeFormerSlug(transaction, slug, site.organisationId);
  await insertAlias(transaction, { slug: site.slug, siteId: site.id, createdAt });
  await deleteAliases(transaction, (await listAliases(transaction, site.id)).slice(MAX_ALIASES));
}

type SecurityDeps = Pick<Deps, 'database' | 'liveSites' | 'config'>;

/** @throws DocentError `site_not_found` */
export async function readSiteSecurity(deps: SecurityDeps, actor: Actor, site: string): Promise<SiteSecurity> {
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
