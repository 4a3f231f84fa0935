import type { Actor } from '@docent/format/access/may.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { listHostnameClaims } from '../hostnames/claim-hostnames.ts';
import type { Deps } from '../kernel/deps.ts';
import { cnameTargetOf } from '../kernel/sites/site-address.ts';
import { wasEverLive } from '../kernel/sites/site-queries.ts';
import type { QueryRunner, Transaction } from '../ports/database.ts';
import type { DnsLookup } from '../ports/dns-lookup.ts';
import { DnsFault } from '../ports/dns-lookup.ts';
import {
  deleteReservedSlug,
  findReservedSlug,
  insertReservedSlugs,
  postponeReservedSlug,
  takeDueReservations,
} from './reserved-slug-queries.ts';

const RESERVED_MS = 90 * DAY_MS;
/** How often is checked whether a hostname still points to a reserved identifier. */
const CHECK_AGAIN_MS = 7 * DAY_MS;
const MAX_DUE = 50;

interface FormerSite {
  id: string;
  organizationId: string;
}

/**
 * Reserves identifiers of a site for its organization. A CNAME record that points to the address of
 * an identifier proves a hostname, and outlives the site. An identifier that readers and DNS never
 * knew is free at once.
 */
export async function reserveIdentifiers(
  transaction: Transaction,
  { id, organizationId }: FormerSite,
  slugs: readonly string[],
  now: Date,
): Promise<void> {
  const claims = await listHostnameClaims(transaction, [id]);
  const isKnown =
    claims.some(({ provenAt }) => provenAt !== null) || (await wasEverLive(transaction, id));
  if (!isKnown) return;
  const hostnames = claims.map(({ hostname }) => hostname);
  const checkAt = new Date(now.getTime() + RESERVED_MS);
  const rows = slugs.map((slug) => ({ slug, organizationId, hostnames, checkAt, createdAt: now }));
  await insertReservedSlugs(transaction, rows);
}

/**
 * Ends the reservation of an identifier for the organization that has it, or for the operator.
 * @returns whether the actor may use the identifier
 */
export async function takeReservedIdentifier(
  transaction: QueryRunner,
  actor: Actor,
  slug: string,
): Promise<boolean> {
  const reserved = await findReservedSlug(transaction, slug);
  if (!reserved) return true;
  if (reserved.organizationId !== actor.organizationId && actor.kind !== 'operator') return false;
  await deleteReservedSlug(transaction, slug);
  return true;
}

/** Frees identifiers whose time is over and to which no hostname points any more. */
export async function freeIdentifiers({
  database,
  dns,
  clock,
  config,
}: Pick<Deps, 'database' | 'dns' | 'clock' | 'config'>): Promise<void> {
  const now = clock.now();
  const { queries } = database;
  const due = await takeDueReservations(queries, {
    now,
    again: new Date(now.getTime() + DAY_MS),
    limit: MAX_DUE,
  });
  for (const { slug, hostnames } of due) {
    const state = await pointing(dns, hostnames, cnameTargetOf(slug, config));
    if (state === 'no') await deleteReservedSlug(queries, slug);
    if (state === 'yes')
      await postponeReservedSlug(queries, slug, new Date(now.getTime() + CHECK_AGAIN_MS));
  }
}

/**
 * Returns whether a hostname still points to an address; `unknown` without an answer of DNS, which
 * is asked again in a day.
 */
async function pointing(
  dns: DnsLookup,
  hostnames: readonly string[],
  target: string | undefined,
): Promise<'yes' | 'no' | 'unknown'> {
  if (target === undefined) return 'no';
  let state: 'no' | 'unknown' = 'no';
  for (const hostname of hostnames) {
    try {
      if ((await dns.cname(hostname)).includes(target)) return 'yes';
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error;
      state = 'unknown';
    }
  }
  return state;
}
