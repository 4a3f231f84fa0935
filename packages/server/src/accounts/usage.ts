import { limitsFrom, type NamedLimit } from '@docent/format/access/limits.ts';
import {
  type Actor,
  requirePermission,
  requireWholeOrganization,
} from '@docent/format/access/may.ts';
import { ceilDay } from '@docent/format/analytics/days.ts';
import { countQuestions } from '../analytics/read-analytics.ts';
import { countMembers } from '../kernel/access/member-queries.ts';
import {
  readSharedBytes,
  readStoredBytes,
  type StoredBytes,
} from '../kernel/access/stored-bytes.ts';
import type { Deps } from '../kernel/deps.ts';
import { countOwnSites, countSharedSites, listSiteIdsOf } from '../kernel/sites/site-queries.ts';

/** What one of an organization's limits per hour or day has left. */
export interface LimitUsage {
  name: UsageLimit;
  used: number;
  limit: number;
  windowSeconds: number;
  /** When the count starts anew; null while nothing is counted. */
  resetsAt: Date | null;
}

export const USAGE_LIMITS = [
  'questions',
  'searches',
  'publishes',
  'exports',
  'keys',
  'invitations',
] as const;

type UsageLimit = (typeof USAGE_LIMITS)[number];

type UsageDeps = Pick<
  Deps,
  'database' | 'config' | 'limiter' | 'clock' | 'analytics' | 'accountable'
>;

/**
 * Returns the usage and the limits of an organization: its quotas are what other organizations of
 * the same person leave.
 */
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
    storedBytes: {
      used: sumOf(stored),
      limit: Math.max(0, quotas.storedBytes - othersBytes),
      ...stored,
    },
    members,
    limits,
    month: { ...month, from: monthStart },
  };
}

const sumOf = ({ sources, builds, bundles }: StoredBytes) => sources + builds + bundles;

async function readLimits(
  { limiter, config, accountable }: UsageDeps,
  organizationId: string,
  now: Date,
): Promise<LimitUsage[]> {
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
async function countMonth(
  { database, analytics }: UsageDeps,
  organizationId: string,
  from: Date,
  to: Date,
) {
  const siteIds = await listSiteIdsOf(database.queries, organizationId);
  const [views, questions] = await Promise.all([
    analytics.store.readerViews(siteIds, { from, to }),
    countQuestions(database.queries, organizationId, from),
  ]);
  return { views, questions };
}
