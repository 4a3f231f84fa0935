import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import {
  findDefaultOrganization,
  findOrganization,
  insertOrganization,
  type OrganizationRow,
} from './organization-queries.ts';

const DEFAULT_SLUG = 'default';

/** Returns the organization of a single-organization server, created on the first call. */
export async function ensureDefaultOrganization(
  deps: Pick<Deps, 'database' | 'clock'>,
): Promise<OrganizationRow> {
  const { queries } = deps.database;
  const existingOrganization = await findDefaultOrganization(queries);
  if (existingOrganization) return existingOrganization;
  const createdAt = deps.clock.now();
  const id = createUlid(createdAt);
  // Another organization may have taken the name.
  const slug = (await findOrganization(queries, DEFAULT_SLUG))
    ? `${DEFAULT_SLUG}-${id.toLowerCase()}`
    : DEFAULT_SLUG;
  await insertOrganization(queries, {
    id,
    slug,
    name: 'Default',
    plan: 'enterprise',
    isDefault: true,
    createdAt,
  });
  const organization = await findDefaultOrganization(queries);
  if (!organization)
    throw new Error('The default organization is missing although it was just created.');
  return organization;
}
