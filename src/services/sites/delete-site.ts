import type { Actor } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { deleteSiteRows } from '../../db/sites/sites.ts';
import { lockOrganisation } from '../../db/slots.ts';
import type { Deps } from '../deps.ts';
import { exportSlots, publishSlots } from '../publishing/slots.ts';
import { findPermittedSite } from './find-actor-site.ts';
import { outsideFolderOf, pagePackKeyOf } from './site-blobs.ts';

/**
 * Deletes a site with everything that belongs to it: builds, uploads, exports, conversations, keys and hostnames. Readers get 404
 * at once. Files shared with other builds are deleted by the next clean-up.
 * @param confirm must be the identifier of the site
 * @throws DocentError `site_not_found`; `invalid_request` without the confirmation
 */
export async function deleteSite(
  deps: Pick<
    Deps,
    'database' | 'blobs' | 'jobs' | 'config' | 'liveSites' | 'assistantSettings' | 'keyCache' | 'analytics' | 'logger'
  >,
  actor: Actor,
  project: string,
  confirm: string | undefined,
): Promise<void> {
  const site = await findPermittedSite(deps, actor, 'sites.write', project);
  if (confirm !== site.slug) {
    const message = `Must be the identifier of the site, "${site.slug}".`;
    throw new DocentError('invalid_request', `To delete the site with everything in it, send confirm=${site.slug}.`, {
      errors: [{ path: '/confirm', message }],
    });
  }
  const remains = await deps.database.queries.transaction().execute(async (transaction) => {
    await lockOrganisation(transaction, site.organisationId);
    const left = await deleteSiteRows(transaction, site.id);
    // Its builds and exports make room for those of other sites.
    await publishSlots.fill(deps, transaction, site.organisationId);
    await exportSlots.fill(deps, transaction, site.organisationId);
    return left;
  });
  deps.liveSites.invalidate(site.id);
  deps.assistantSettings.invalidate(site.id);
  for (const keyId of remains.keyIds) deps.keyCache.invalidate(keyId);
  await deleteCounts(deps, site.id);
  await deleteBlobs(deps, site.id, [...remains.sourceKeys, ...remains.bundleKeys]).catch((error: unknown) =>
    deps.logger.warn(
      { siteId: site.id, error: String(error) },
      'files of a deleted site could not be deleted; the clean-up job deletes them',
    ),
  );
}

/** Deletes readers' events. Not part of the transaction, because they may be stored elsewhere. */
async function deleteCounts({ analytics, logger }: Pick<Deps, 'analytics' | 'logger'>, siteId: string): Promise<void> {
  try {
    await analytics.flush();
    await analytics.store.delete(siteId, {});
  } catch (error) {
    logger.warn({ siteId, error: String(error) }, 'analytics of a deleted site could not be deleted; they expire');
  }
}

async function deleteBlobs({ blobs }: Pick<Deps, 'blobs'>, siteId: string, keys: readonly string[]): Promise<void> {
  for (const key of [...keys, pagePackKeyOf(siteId)]) await blobs.delete(key);
  for await (const key of blobs.list(outsideFolderOf(siteId))) await blobs.delete(key);
}
