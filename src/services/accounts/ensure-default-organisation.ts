import { findDefaultOrganisation, findOrganisation, insertOrganisation, type OrganisationRow } from '../../db/organisations.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';

const SLUG = 'default';

/** Returns the organization of a single-organisation server, created on the first call. */
export async function ensureDefaultOrganisation(deps: Pick<Deps, 'database' | 'clock'>): Promise<OrganisationRow> {
  const { queries } = deps.database;
  const known = await findDefaultOrganisation(queries);
  if (known) return known;
  const createdAt = deps.clock.now();
  const id = createUlid(createdAt);
  // Another organization may have taken the name.
  const slug = (await findOrganisation(queries, SLUG)) ? `${SLUG}-${id.toLowerCase()}` : SLUG;
  await insertOrganisation(queries, { id, slug, name: 'Default', plan: 'enterprise', isDefault: true, createdAt });
  const made = await findDefaultOrganisation(queries);
  if (!made) throw new Error('The default organization is missing although it was just created.');
  return made;
}
