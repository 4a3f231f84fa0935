import type { PlatformNames } from '@docent/format/access/host-name.ts';
import {
  type Actor,
  requirePermission,
  requireWholeOrganization,
} from '@docent/format/access/may.ts';
import { DocentError, type FieldError } from '@docent/format/errors.ts';
import { claimHostnames, hostnameFault } from '../hostnames/claim-hostnames.ts';
import { requireRoomForSite } from '../kernel/access/quotas.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { countSharedSites, insertSite } from '../kernel/sites/site-queries.ts';
import {
  getSite,
  type SiteDetails,
  slugFaults,
  slugTaken,
  takeFormerSlug,
} from './manage-sites.ts';

interface SiteOptions {
  slug: string;
  /** Shown until the first build sets the site's own name. */
  name?: string;
  hostnames: string[];
}

/**
 * Creates a site without content.
 * @throws DocentError `wrong_site` for a key that is bound to sites; `invalid_request`,
 *   `site_exists`, `quota_exceeded`
 */
export async function createSite(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  actor: Actor,
  options: SiteOptions,
): Promise<SiteDetails> {
  const { database, clock, config } = deps;
  requirePermission(actor, 'projects.write');
  requireWholeOrganization(actor);
  if (options.hostnames.length > 0) requirePermission(actor, 'hostnames.write');
  const hostnames = [...new Set(options.hostnames.map((hostname) => hostname.toLowerCase()))];
  const errors = faultsOf(options, config);
  if (errors.length > 0)
    throw new DocentError('invalid_request', errors.map((error) => error.message).join(' '), {
      errors,
    });
  const createdAt = clock.now();
  const site = {
    id: createUlid(createdAt),
    organizationId: actor.organizationId,
    slug: options.slug,
    name: options.name ?? options.slug,
    createdAt,
  };
  await database.queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, site.organizationId);
    const countBefore = await countSharedSites(transaction, site.organizationId);
    const added = await insertSite(transaction, site);
    if (!added) throw slugTaken(site.slug);
    await takeFormerSlug(transaction, actor, site.slug);
    requireRoomForSite(config, countBefore);
    await claimHostnames(deps, transaction, site.id, hostnames);
  });
  return getSite(deps, actor, site.id);
}

function faultsOf({ slug, hostnames }: SiteOptions, names: PlatformNames): FieldError[] {
  const errors = slugFaults(slug, names);
  for (const [index, hostname] of hostnames.entries()) {
    const message = hostnameFault(hostname, names);
    if (message !== undefined) errors.push({ path: `/hostnames/${index}`, message });
  }
  return errors;
}
