import { randomBytes } from 'node:crypto';
import { isReservedHostname, type PlatformNames } from '@docent/format/access/host-name.ts';
import { isHostname } from '@docent/format/access/site-name.ts';
import type { Deps } from '../kernel/deps.ts';
import type { Transaction } from '../ports/database.ts';
import { checkHostnameJob } from '../ports/jobs.ts';
import { insertHostnameClaims } from './queries.ts';

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
