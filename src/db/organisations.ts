import { type Selectable, sql } from 'kysely';
import type { QueryRunner } from '../ports/database.ts';
import { columnsOf, countRows, type Fields, firstOf, hasRow } from './query-parts.ts';
import type { Tables } from './tables.ts';

export type OrganisationRow = Fields<Selectable<Tables['organisations']>>;

/** Returns the organization with that id or identifier. */
export async function findOrganisation(queries: QueryRunner, name: string): Promise<OrganisationRow | undefined> {
  const organisations = queries.selectFrom('organisations').selectAll();
  return firstOf(organisations.where((row) => row.or([row('slug', '=', name), row('id', '=', name)])));
}

/** Returns the operator's organization. */
export async function findDefaultOrganisation(queries: QueryRunner): Promise<OrganisationRow | undefined> {
  return firstOf(queries.selectFrom('organisations').selectAll().where('is_default', '=', true));
}

/**
 * Adds an organization; does nothing if the slug exists, or if it is to be the default one and there is one already.
 * @returns whether it was added
 */
export async function insertOrganisation(
  queries: QueryRunner,
  organisation: Pick<OrganisationRow, 'id' | 'slug' | 'name' | 'plan' | 'createdAt'> &
    Partial<Pick<OrganisationRow, 'highestPlan' | 'isDefault' | 'createdByUser'>>,
): Promise<boolean> {
  const { plan, createdAt } = organisation;
  return hasRow(
    queries
      .insertInto('organisations')
      .values(columnsOf({ highestPlan: plan, ...organisation, updatedAt: createdAt }))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  );
}

/** Updates the given fields. The database throws if another organization has the slug. */
export async function updateOrganisation(
  queries: QueryRunner,
  id: string,
  changes: Partial<Omit<OrganisationRow, 'id' | 'isDefault' | 'createdAt' | 'updatedAt'>>,
  now: Date,
): Promise<void> {
  await queries
    .updateTable('organisations')
    .set(columnsOf({ ...changes, updatedAt: now }))
    .where('id', '=', id)
    .execute();
}

/** Returns the person who created an organization, or else its own id. */
export async function findAccountable(queries: QueryRunner, id: string): Promise<string | undefined> {
  const found = await queries
    .selectFrom('organisations')
    .select(({ fn, ref }) => fn.coalesce(ref('created_by_user'), ref('id')).as('accountable'))
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.accountable;
}

/** Returns the number of organizations that a person created and that exist. */
export async function countOrganisationsBy(queries: QueryRunner, userId: string): Promise<number> {
  return countRows(queries.selectFrom('organisations').where('created_by_user', '=', userId));
}

/** Locks the organizations that a person creates until the transaction ends, so that only one request counts them at a time. */
export async function lockOrganisationsBy(queries: QueryRunner, userId: string): Promise<void> {
  await sql`SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE`.execute(queries);
}

/** The organizations that share their limits with one: those of the person who created it, and itself. */
export const sharingLimitsWith = (organisationId: string) => sql`(
  SELECT organisations.id FROM organisations
  WHERE organisations.id = ${organisationId} OR organisations.created_by_user = (
    SELECT organisation.created_by_user FROM organisations organisation WHERE organisation.id = ${organisationId}
  )
)`;

/** Deletes an organization with all rows that belong to it. */
export async function deleteOrganisation(queries: QueryRunner, id: string): Promise<void> {
  await queries.deleteFrom('organisations').where('id', '=', id).execute();
}

/** Stores a token, and deletes all but the newest `kept` before it. */
export async function replaceSetupTokens(queries: QueryRunner, hash: string, createdAt: Date, kept: number): Promise<void> {
  await queries
    .deleteFrom('setup_tokens')
    .where('hash', 'not in', (query) =>
      query.selectFrom('setup_tokens').select('hash').orderBy('created_at', 'desc').orderBy('hash').limit(kept),
    )
    .execute();
  await queries.insertInto('setup_tokens').values({ hash, created_at: createdAt }).execute();
}

/** Returns the hashes of the valid tokens. */
export async function listSetupTokens(queries: QueryRunner): Promise<string[]> {
  return (await queries.selectFrom('setup_tokens').select('hash').execute()).map(({ hash }) => hash);
}

/**
 * Deletes all tokens. @returns whether the one with that hash was among them, so that only one of two concurrent uses succeeds
 */
export async function takeSetupTokens(queries: QueryRunner, hash: string): Promise<boolean> {
  const taken = await queries.deleteFrom('setup_tokens').returning('hash').execute();
  return taken.some((one) => one.hash === hash);
}
