import type { Plan } from '../core/access/may.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { RowOf } from './tables.ts';

const columns = [
  'id',
  'slug',
  'name',
  'plan',
  'highest_plan as highestPlan',
  'two_factor_required as twoFactorRequired',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

export type OrganisationRow = RowOf<'organisations', typeof columns>;

/** Returns the organization with that id or identifier. */
export async function findOrganisation(queries: QueryRunner, name: string): Promise<OrganisationRow | undefined> {
  return queries
    .selectFrom('organisations')
    .select(columns)
    .where((row) => row.or([row('slug', '=', name), row('id', '=', name)]))
    .executeTakeFirst();
}

/** Returns the operator's organization. */
export async function findDefaultOrganisation(queries: QueryRunner): Promise<OrganisationRow | undefined> {
  return queries.selectFrom('organisations').select(columns).where('is_default', '=', true).executeTakeFirst();
}

/**
 * Adds an organization; does nothing if the slug exists, or if it is to be the default one and there is one already.
 * @returns whether it was added
 */
export async function insertOrganisation(
  queries: QueryRunner,
  organisation: {
    id: string;
    slug: string;
    name: string;
    plan: Plan;
    highestPlan?: Plan;
    createdAt: Date;
    isDefault?: boolean;
  },
): Promise<boolean> {
  const { createdAt, highestPlan = organisation.plan, isDefault = false, ...values } = organisation;
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('organisations')
    .values({ ...values, highest_plan: highestPlan, is_default: isDefault, created_at: createdAt, updated_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Updates the given fields. The database throws if another organization has the slug. */
export async function updateOrganisation(
  queries: QueryRunner,
  id: string,
  changes: {
    slug?: string | undefined;
    name?: string | undefined;
    plan?: Plan | undefined;
    highestPlan?: Plan | undefined;
    twoFactorRequired?: boolean | undefined;
  },
  now: Date,
): Promise<void> {
  const { highestPlan, twoFactorRequired, ...values } = changes;
  await queries
    .updateTable('organisations')
    .set({ ...values, highest_plan: highestPlan, two_factor_required: twoFactorRequired, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** Deletes an organization with all rows that belong to it. */
export async function deleteOrganisation(queries: QueryRunner, id: string): Promise<void> {
  await queries.deleteFrom('organisations').where('id', '=', id).execute();
}
