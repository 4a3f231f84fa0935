import { type LimitSettings, limitsFrom, type NamedLimit, pastLimit } from '@docent/format/access/limits.ts';
import { type Actor, requirePermission, requireWholeOrganization } from '@docent/format/access/may.ts';
import { ceilDay } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import { countQuestions } from '../../db/conversations.ts';
import { readSharedBytes, readStoredBytes, type StoredBytes } from '../../db/deployments/kept-builds.ts';
import { countMembers } from '../../db/members.ts';
import { countOwnSites, countSharedSites, listSiteIdsOf } from '../../db/sites/sites.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { RateLimitState } from '../../ports/rate-limiter.ts';
import type { Deps } from '../kernel/deps.ts';

const MB = 1024 * 1024;

/**
 * Returns the bytes that an organization may still store; other organizations of the same person count too.
 * @param exceptSiteId a site whose builds are about to be replaced
 */
export async function roomOf(
  queries: QueryRunner,
  { quotas }: Pick<Deps['config'], 'quotas'>,
  organizationId: string,
  exceptSiteId?: string,
): Promise<number> {
  const { sources, builds, spare, bundles } = await readSharedBytes(queries, organizationId, exceptSiteId);
  // Builds that are not live make room for new ones.
  return quotas.storedBytes - (sources + builds - spare + bundles);
}

/** Creates the error for exceeding the storage quota. */
export function pastStorageQuota({ quotas }: Pick<Deps['config'], 'quotas'>, what: string): DocentError {
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
  if ((await roomOf(queries, config, organizationId)) <= 0) throw pastStorageQuota(config, 'Another bundle');
}

/** @throws DocentError `quota_exceeded` if the organization has its maximum number of sites */
export function requireRoomForSite({ quotas }: Pick<Deps['config'], 'quotas'>, sites: number): void {
  if (sites < quotas.sites) return;
  throw new DocentError(
    'quota_exceeded',
    `An organization may have ${quotas.sites} sites. Publish to one of them, or ask the operator of the server for more (DOCENT_SITES_PER_ORGANIZATION).`,
  );
}

/** What one of an organization's limits per hour or day has left. */
export interface LimitUsage {
  name: UsageLimit;
  used: number;
  limit: number;
  windowSeconds: number;
  /** When the count starts anew; null while nothing is counted. */
  resetsAt: Date | null;
}

export const USAGE_LIMITS = ['questions', 'searches', 'publishes', 'exports', 'keys', 'invitations'] as const;
type UsageLimit = (typeof USAGE_LIMITS)[number];

type UsageDeps = Pick<Deps, 'database' | 'config' | 'limiter' | 'clock' | 'analytics' | 'accountable'>;

/** Returns the usage and the limits of an organization: its quotas are what other organizations of the same person leave. */
export async function readUsage(deps: UsageDeps, actor: Actor) {
  requirePermission(actor, 'projects.read');
  requireWholeOrganization(actor);
  const { queries } = deps.database;
  const { organizationId } = actor;
  const now = deps.clock.now();
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const [sites, sharedSites, stored, shared, members, limits, month] = await Promise.all([
    countOwnSites(queries, organizationId),
    countSharedSites(queries, organizationId),
    readStoredBytes(queries, organizationId),
    readSharedBytes(queries, organizationId),
    countMembers(queries, organizationId),
    readLimits(deps, organizationId, now),
    countMonth(deps, organizationId, monthStart, ceilDay(new Date(now.getTime() + 1))),
  ]);
  const { quotas } = deps.config;
  const othersBytes = sumOf(shared) - sumOf(stored);
  return {
    sites: { used: sites, limit: Math.max(0, quotas.sites - (sharedSites - sites)) },
    storedBytes: { used: sumOf(stored), limit: Math.max(0, quotas.storedBytes - othersBytes), ...stored },
    members,
    limits,
    month: { ...month, from: monthStart },
  };
}

const sumOf = ({ sources, builds, bundles }: StoredBytes) => sources + builds + bundles;

async function readLimits({ limiter, config, accountable }: UsageDeps, organizationId: string, now: Date): Promise<LimitUsage[]> {
  const whose = await accountable(organizationId);
  const { assistant, search, ...actions } = limitsFrom(config.limits);
  const named = {
    questions: assistant.perOrganization,
    searches: search.perOrganization,
    publishes: actions.publishesPerOrganization,
    exports: actions.exportsPerOrganization,
    keys: actions.keysPerOrganization,
    invitations: actions.invitationsPerOrganization,
  } satisfies Record<UsageLimit, NamedLimit>;
  return Promise.all(
    USAGE_LIMITS.map(async (name) => {
      const { points, windowSeconds } = named[name];
      const { remaining, resetSeconds } = await limiter.peek(named[name], whose);
      const resetsAt = resetSeconds > 0 ? new Date(now.getTime() + resetSeconds * 1000) : null;
      return { name, used: points - remaining, limit: points, windowSeconds, resetsAt };
    }),
  );
}

/** Counts what readers did on all sites in a time. */
async function countMonth({ database, analytics }: UsageDeps, organizationId: string, from: Date, to: Date) {
  const siteIds = await listSiteIdsOf(database.queries, organizationId);
  const [views, questions] = await Promise.all([
    analytics.store.readerViews(siteIds, { from, to }),
    countQuestions(database.queries, organizationId, from),
  ]);
  return { views, questions };
}

type ActionLimit = 'keysPerOrganization' | 'invitationsPerOrganization' | 'exportsPerOrganization' | 'publishesPerOrganization';

/**
 * Counts an action against the limit that the actor's organization shares. The local operator, who owns the machine, is not limited.
 * @param onCounted called with the remaining limit
 * @throws DocentError `rate_limited`
 */
export async function countAction(
  { limiter, config, accountable }: Pick<Deps, 'limiter' | 'accountable'> & { config: { limits: LimitSettings } },
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
