import { type Selectable, sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';
import {
  columnsOf,
  countRows,
  type Fields,
  firstOf,
  hasRow,
  type ListSlice,
  onPage,
} from '../db/query-parts.ts';

export type OrganizationRow = Fields<Selectable<Tables['organizations']>>;

/** Returns the organizations with the sizes of what they have, oldest first. */
export async function listOrganizations(queries: QueryRunner, { after, limit }: ListSlice) {
  const rowsOf = (table: 'members' | 'sites') =>
    sql<number>`(SELECT count(*)::integer FROM ${sql.table(table)} WHERE organization_id = organizations.id)`;
  return queries
    .selectFrom('organizations')
    .select([
      'id',
      'slug',
      'name',
      'plan',
      rowsOf('members').as('members'),
      rowsOf('sites').as('sites'),
      'created_at as createdAt',
    ])
    .$call(onPage({ after, limit }, ['created_at', 'id'], 'asc'))
    .execute();
}

/**
 * The organization with that id or identifier, or else the oldest one that had the identifier: it
 * goes into `orderBy`, too, in descending order.
 */
export const isNamed = (name: string) => sql<boolean>`(
  organizations.id = ${name} OR organizations.slug = ${name} OR ${name} = ANY (organizations.former_slugs)
)`;
export const isNamedNow = (name: string) =>
  sql<boolean>`${name} <> ALL (organizations.former_slugs)`;

/** Returns the organization with that id or identifier, or else the one that had the identifier. */
export async function findOrganization(
  queries: QueryRunner,
  name: string,
): Promise<OrganizationRow | undefined> {
  return firstOf(
    queries
      .selectFrom('organizations')
      .selectAll()
      .where(isNamed(name))
      .orderBy(isNamedNow(name), 'desc')
      .orderBy('id')
      .limit(1),
  );
}

/** Returns the operator's organization. */
export async function findDefaultOrganization(
  queries: QueryRunner,
): Promise<OrganizationRow | undefined> {
  return firstOf(queries.selectFrom('organizations').selectAll().where('is_default', '=', true));
}

/**
 * Adds an organization; does nothing if the slug exists, or if it is to be the default one and
 * there is one already.
 * @returns whether it was added
 */
export async function insertOrganization(
  queries: QueryRunner,
  organization: Pick<OrganizationRow, 'id' | 'slug' | 'name' | 'plan' | 'createdAt'> &
    Partial<Pick<OrganizationRow, 'highestPlan' | 'isDefault' | 'createdByUser'>>,
): Promise<boolean> {
  const { plan, createdAt } = organization;
  return hasRow(
    queries
      .insertInto('organizations')
      .values(columnsOf({ highestPlan: plan, ...organization, updatedAt: createdAt }))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  );
}

/** Updates the given fields. The database throws if another organization has the slug. */
export async function updateOrganization(
  queries: QueryRunner,
  id: string,
  changes: Partial<Omit<OrganizationRow, 'id' | 'isDefault' | 'createdAt' | 'updatedAt'>>,
  now: Date,
): Promise<void> {
  await queries
    .updateTable('organizations')
    .set(columnsOf({ ...changes, updatedAt: now }))
    .where('id', '=', id)
    .execute();
}

/** Returns the person who created an organization, or else its own id. */
export async function findAccountable(
  queries: QueryRunner,
  id: string,
): Promise<string | undefined> {
  const organization = await queries
    .selectFrom('organizations')
    .select(({ fn, ref }) => fn.coalesce(ref('created_by_user'), ref('id')).as('accountable'))
    .where('id', '=', id)
    .executeTakeFirst();
  return organization?.accountable;
}

/** Returns the number of organizations that a person created and that exist. */
export async function countOrganizationsBy(queries: QueryRunner, userId: string): Promise<number> {
  return countRows(queries.selectFrom('organizations').where('created_by_user', '=', userId));
}

/**
 * Locks the organizations that a person creates until the transaction ends, so that only one
 * request counts them at a time.
 */
export async function lockOrganizationsBy(queries: QueryRunner, userId: string): Promise<void> {
  await sql`SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE`.execute(queries);
}

/**
 * The organizations that share their limits with one: those of the person who created it, and
 * itself.
 */
export const sharingLimitsWith = (organizationId: string) => sql`(
  SELECT organizations.id FROM organizations
  WHERE organizations.id = ${organizationId} OR organizations.created_by_user = (
    SELECT organization.created_by_user FROM organizations organization WHERE organization.id = ${organizationId}
  )
)`;

/** Deletes an organization with all rows that belong to it. */
export async function deleteOrganization(queries: QueryRunner, id: string): Promise<void> {
  await queries.deleteFrom('organizations').where('id', '=', id).execute();
}

/** Stores a token, and deletes all but the newest `kept` before it. */
export async function replaceSetupTokens(
  queries: QueryRunner,
  hash: string,
  createdAt: Date,
  kept: number,
): Promise<void> {
  await queries
    .deleteFrom('setup_tokens')
    .where('hash', 'not in', (query) =>
      query
        .selectFrom('setup_tokens')
        .select('hash')
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .limit(kept),
    )
    .execute();
  await queries.insertInto('setup_tokens').values({ hash, created_at: createdAt }).execute();
}

/** Returns the hashes of the valid tokens. */
export async function listSetupTokens(queries: QueryRunner): Promise<string[]> {
  return (await queries.selectFrom('setup_tokens').select('hash').execute()).map(
    ({ hash }) => hash,
  );
}

/**
 * Deletes all tokens. @returns whether the one with that hash was among them, so that only one of
 * two concurrent uses succeeds
 */
export async function takeSetupTokens(queries: QueryRunner, hash: string): Promise<boolean> {
  const taken = await queries.deleteFrom('setup_tokens').returning('hash').execute();
  return taken.some((token) => token.hash === hash);
}
