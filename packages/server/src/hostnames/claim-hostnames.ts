import { randomBytes } from 'node:crypto';
import { isReservedHostname, type PlatformNames } from '@docent/format/access/host-name.ts';
import { isHostname } from '@docent/format/access/site-name.ts';
import { allOf, firstOf } from '../kernel/db/query-parts.ts';
import type { Deps } from '../kernel/deps.ts';
import type { QueryRunner, Transaction } from '../ports/database.ts';
import { checkHostnameJob } from '../ports/jobs.ts';
import { type HostnameClaim, insertHostnameClaims } from './queries.ts';

/** If the job of the first check is lost, the claim becomes due after this time. */
const FIRST_CHECK_WITHIN_MS = 5 * 60_000;

/** Returns why no site can have a hostname; `undefined` if it is allowed. */
export function hostnameFault(hostname: string, names: PlatformNames): string | undefined {
  const name = hostname.toLowerCase();
  if (isHostname(name) && name.includes('.') && !isReservedHostname(name, names)) return undefined;
  return `"${hostname}" is not a hostname that a site can have, such as docs.example.com.`;
}

/**
 * Records a site's claims of hostnames, and starts DNS checks. A site may claim a hostname that
 * another has.
 */
export async function claimHostnames(
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  transaction: Transaction,
  siteId: string,
  hostnames: readonly string[],
): Promise<void> {
  const now = clock.now();
  const checkAt = new Date(now.getTime() + FIRST_CHECK_WITHIN_MS);
  const claims = hostnames.map((hostname) => ({
    hostname,
    siteId,
    token: randomBytes(16).toString('hex'),
    pendingSince: now,
    checkAt,
  }));
  await insertHostnameClaims(transaction, claims);
  for (const { hostname } of claims)
    await jobs.enqueue(checkHostnameJob, { hostname, siteId }, transaction);
}

/** Returns the claims of sites, by name. */
export async function listHostnameClaims(
  queries: QueryRunner,
  siteIds: readonly string[],
): Promise<HostnameClaim[]> {
  if (siteIds.length === 0) return [];
  return allOf(
    queries
      .selectFrom('hostname_claims')
      .selectAll()
      .where('site_id', 'in', siteIds)
      .orderBy('hostname'),
  );
}

/** Returns one claim; with `forUpdate`, locked until the transaction ends. */
export async function findHostnameClaim(
  queries: QueryRunner,
  hostname: string,
  siteId: string,
  { forUpdate = false } = {},
) {
  const claimQuery = queries
    .selectFrom('hostname_claims')
    .selectAll()
    .where('hostname', '=', hostname)
    .where('site_id', '=', siteId);
  return firstOf(forUpdate ? claimQuery.forUpdate() : claimQuery);
}
