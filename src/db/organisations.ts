import type { Plan } from '../core/access/may.ts';
import type { QueryRunner } from '../ports/database.ts';

export interface OrganisationRow {
  id: string;
  slug: string;
  plan: Plan;
}

export async function findOrganisation(queries: QueryRunner, slug: string): Promise<OrganisationRow | undefined> {
  return queries.selectFrom('organisations').select(['id', 'slug', 'plan']).where('slug', '=', slug).executeTakeFirst();
}

/** Adds an organisation; does nothing where one with that slug exists. */
export async function insertOrganisation(
  queries: QueryRunner,
  organisation: { id: string; slug: string; name: string; plan: Plan; createdAt: Date },
): Promise<void> {
  const { createdAt, ...values } = organisation;
  await queries
    .insertInto('organisations')
    .values({ ...values, created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
