import { findOrganisation, insertOrganisation, type OrganisationRow } from '../db/organisations.ts';
import type { Deps } from './deps.ts';
import { createUlid } from './ids.ts';

const SLUG = 'default';

/** The organisation that a server of one's own has, made on the first call. */
export async function ensureDefaultOrganisation(deps: Pick<Deps, 'database' | 'clock'>): Promise<OrganisationRow> {
  const { queries } = deps.database;
  const known = await findOrganisation(queries, SLUG);
  if (known) return known;
  const createdAt = deps.clock.now();
  await insertOrganisation(queries, { id: createUlid(createdAt), slug: SLUG, name: 'Default', plan: 'enterprise', createdAt });
  const made = await findOrganisation(queries, SLUG);
  if (!made) throw new Error('The default organisation is missing right after it was added.');
  return made;
}
