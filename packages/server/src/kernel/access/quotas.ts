import { type LimitSettings, limitsFrom, pastLimit } from '@docent/format/access/limits.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { RateLimitState } from '../../ports/rate-limiter.ts';
import type { Deps } from '../deps.ts';
import { readSharedBytes } from './stored-bytes.ts';

const MB = 1024 * 1024;

/**
 * Returns the bytes that an organization may still store; other organizations of the same person
 * count too.
 * @param exceptSiteId a site whose builds are about to be replaced
 */
export async function roomOf(
  queries: QueryRunner,
  { quotas }: Pick<Deps['config'], 'quotas'>,
  organizationId: string,
  exceptSiteId?: string,
): Promise<number> {
  const { sources, builds, spare, bundles } = await readSharedBytes(
    queries,
    organizationId,
    exceptSiteId,
  );
  // Builds that are not live make room for new ones.
  return quotas.storedBytes - (sources + builds - spare + bundles);
}

/** Creates the error for exceeding the storage quota. */
export function pastStorageQuota(
  { quotas }: Pick<Deps['config'], 'quotas'>,
  what: string,
): DocentError {
  return new DocentError(
    'quota_exceeded',
    `${what} does not fit: an organization may store ${Math.floor(quotas.storedBytes / MB)} MB. Publish fewer or smaller files, or ask the operator of the server for more (DOCENT_STORAGE_MB_PER_ORGANIZATION). GET /v1/organization/usage shows what is stored.`,
  );
}

/**
 * The size of a bundle is unknown before it is built; so one is built while there is any room.
 * @throws DocentError `quota_exceeded`
 */
export async function requireRoomForBundle(
  { config }: Pick<Deps, 'config'>,
  queries: QueryRunner,
  organizationId: string,
): Promise<void> {
  if ((await roomOf(queries, config, organizationId)) <= 0)
    throw pastStorageQuota(config, 'Another bundle');
}

/** @throws DocentError `quota_exceeded` if the organization has its maximum number of sites */
export function requireRoomForSite(
  { quotas }: Pick<Deps['config'], 'quotas'>,
  sites: number,
): void {
  if (sites < quotas.sites) return;
  throw new DocentError(
    'quota_exceeded',
    `An organization may have ${quotas.sites} sites. Publish to one of them, or ask the operator of the server for more (DOCENT_SITES_PER_ORGANIZATION).`,
  );
}

type ActionLimit =
  | 'keysPerOrganization'
  | 'invitationsPerOrganization'
  | 'exportsPerOrganization'
  | 'publishesPerOrganization';

/**
 * Counts an action against the limit that the actor's organization shares. The local operator, who
 * owns the machine, is not limited.
 * @param onCounted called with the remaining limit
 * @throws DocentError `rate_limited`
 */
export async function countAction(
  {
    limiter,
    config,
    accountable,
  }: Pick<Deps, 'limiter' | 'accountable'> & { config: { limits: LimitSettings } },
  actor: Actor,
  action: ActionLimit,
  onCounted: (state: RateLimitState) => void = () => {},
): Promise<void> {
  if (actor.kind === 'operator') return;
  const limit = limitsFrom(config.limits)[action];
  const state = await limiter.consume(limit, await accountable(actor.organizationId));
  onCounted(state);
  if (!state.allowed) throw pastLimit(limit, state.resetSeconds);
}
