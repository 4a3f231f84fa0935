import { findAccountable } from '../../db/organisations.ts';
import type { Deps } from '../deps.ts';
import { createFreshCache } from '../fresh-cache.ts';

/**
 * Returns the id whose limits an organization uses up: that of the person who created it, so that several organizations of one
 * person have together what one has; or its own, if the operator created it.
 */
export type Accountable = (organisationId: string) => Promise<string>;

/** Hardly ever changes, and is needed for every question. */
const FRESH_MS = 60_000;
const USABLE_MS = 3_600_000;
const MAX_ENTRIES = 10_000;

export function createAccountable({ database, clock }: Pick<Deps, 'database' | 'clock'>): Accountable {
  const people = createFreshCache<string>({ clock, freshMs: FRESH_MS, usableMs: USABLE_MS, maxEntries: MAX_ENTRIES });
  return async (organisationId) =>
    (await people.get(organisationId, () => findAccountable(database.queries, organisationId))) ?? organisationId;
}
