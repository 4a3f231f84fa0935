import type { Actor } from '@docent/format/access/may.ts';
import { isHostname } from '@docent/format/access/site-name.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';
import { findActorSite, findPermittedSite } from '../kernel/sites/find-site.ts';
import type { SiteRow } from '../kernel/sites/site-queries.ts';
import { checkHostname } from './check-hostname.ts';
import {
  claimHostnames,
  findHostnameClaim,
  hostnameFault,
  listHostnameClaims,
} from './claim-hostnames.ts';
import {
  deleteHostnameClaim,
  type HostnameClaim,
  takeHostname,
  updateHostnameClaim,
} from './queries.ts';

type HostnameDeps = Pick<Deps, 'database' | 'dns' | 'clock' | 'config' | 'jobs' | 'liveSites'>;

/** Maximum hostnames that one site may claim. */
const MAX_HOSTNAMES = 100;

/** A hostname with its site, whose name its records need. */
export interface SiteHostname {
  site: Pick<SiteRow, 'id' | 'slug'>;
  claim: HostnameClaim;
}

/** Returns the hostnames of a site, by name. @throws DocentError `site_not_found` */
export async function listHostnames(
  deps: HostnameDeps,
  actor: Actor,
  project: string,
): Promise<SiteHostname[]> {
  const site = await findPermittedSite(deps, actor, 'projects.read', project);
  return (await listHostnameClaims(deps.database.queries, [site.id])).map((claim) => ({
    site,
    claim,
  }));
}

/**
 * Claims a hostname. It serves the site once DNS proves the ownership. An existing claim of the
 * site is unchanged.
 * @throws DocentError `site_not_found`; `invalid_request` if no site can have it, or the site has
 *   too many
 */
export async function addHostname(
  deps: HostnameDeps,
  actor: Actor,
  project: string,
  hostname: string,
): Promise<SiteHostname> {
  const site = await findPermittedSite(deps, actor, 'hostnames.write', project);
  const name = hostname.toLowerCase();
  const fault = hostnameFault(hostname, deps.config);
  if (fault !== undefined)
    throw new DocentError('invalid_request', fault, {
      errors: [{ path: '/hostname', message: fault }],
    });
  await deps.database.queries.transaction().execute(async (transaction) => {
    const claims = await listHostnameClaims(transaction, [site.id]);
    if (claims.some((claim) => claim.hostname === name)) return;
    if (claims.length >= MAX_HOSTNAMES)
      throw new DocentError(
        'invalid_request',
        `A site can have ${MAX_HOSTNAMES} hostnames; remove one first.`,
      );
    await claimHostnames(deps, transaction, site.id, [name]);
  });
  return hostnameOf(deps, site, name);
}

/**
 * Checks DNS now. A failed claim becomes pending again.
 * @throws DocentError `site_not_found`, `hostname_not_found`
 */
export async function verifyHostname(
  deps: HostnameDeps,
  actor: Actor,
  project: string,
  hostname: string,
): Promise<SiteHostname> {
  const site = await findPermittedSite(deps, actor, 'hostnames.write', project);
  const { claim } = await hostnameOf(deps, site, hostname);
  if (claim.status === 'failed')
    await updateHostnameClaim(deps.database.queries, claim, {
      status: 'pending',
      pendingSince: deps.clock.now(),
    });
  await checkHostname(deps, claim.hostname, site.id);
  deps.liveSites.invalidate(site.id);
  return hostnameOf(deps, site, hostname);
}

/**
 * Assigns a hostname to the site without a proof, for names that the server's DNS does not know.
 * Operator only.
 * @throws DocentError `operator_required`, `site_not_found`, `hostname_not_found`; `hostname_taken`
 *   if another site has it
 */
export async function approveHostname(
  deps: HostnameDeps,
  actor: Actor,
  project: string,
  hostname: string,
): Promise<SiteHostname> {
  if (actor.kind !== 'operator')
    throw new DocentError(
      'operator_required',
      'Only the operator approves a hostname, with "docent hostnames approve" on the server.',
    );
  const site = await findActorSite(deps, actor, project);
  const { claim } = await hostnameOf(deps, site, hostname);
  await deps.database.queries.transaction().execute(async (transaction) => {
    if ((await takeHostname(transaction, claim.hostname, site.id)) !== site.id)
      throw new DocentError(
        'hostname_taken',
        `${claim.hostname} belongs to another site; remove it there first.`,
      );
    await updateHostnameClaim(transaction, claim, {
      status: 'verified',
      approved: true,
      problem: null,
      checkAt: null,
    });
  });
  deps.liveSites.invalidate(site.id);
  return hostnameOf(deps, site, hostname);
}

/** Removes a hostname from a site. @throws DocentError `site_not_found`, `hostname_not_found` */
export async function removeHostname(
  deps: HostnameDeps,
  actor: Actor,
  project: string,
  hostname: string,
): Promise<void> {
  const site = await findPermittedSite(deps, actor, 'hostnames.write', project);
  const { claim } = await hostnameOf(deps, site, hostname);
  const { queries } = deps.database;
  const removed = await queries
    .transaction()
    .execute((transaction) => deleteHostnameClaim(transaction, claim.hostname, site.id));
  if (!removed) throw notFound(hostname);
  deps.liveSites.invalidate(site.id);
}

async function hostnameOf(
  { database }: HostnameDeps,
  site: SiteRow,
  hostname: string,
): Promise<SiteHostname> {
  const name = hostname.toLowerCase();
  const claim = isHostname(name)
    ? await findHostnameClaim(database.queries, name, site.id)
    : undefined;
  if (!claim) throw notFound(hostname);
  return { site, claim };
}

function notFound(hostname: string): DocentError {
  return new DocentError(
    'hostname_not_found',
    `The site has no hostname "${hostname.slice(0, 253)}"; add it first.`,
  );
}
