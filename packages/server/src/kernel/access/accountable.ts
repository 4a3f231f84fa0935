import type { Clock } from '../../ports/clock.ts';
import type { Database } from '../../ports/database.ts';
import { createFreshCache } from '../fresh-cache.ts';
import type { Accountable } from '../process-state.ts';
import { findAccountable } from './organization-queries.ts';

/** Hardly ever changes, and is needed for every question. */
const FRESH_MS = 60_000;
const USABLE_MS = 3_600_000;
/** Several thousand organizations. */
const MAX_BYTES = 4 * 1024 * 1024;

export function createAccountable({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): Accountable {
  const times = { freshMs: FRESH_MS, usableMs: USABLE_MS };
  const people = createFreshCache<string>({
    name: 'accountable_people',
    clock,
    ...times,
    maxBytes: MAX_BYTES,
  });
  return async (organizationId) =>
    (await people.get(organizationId, () => findAccountable(database.queries, organizationId))) ??
    organizationId;
}
