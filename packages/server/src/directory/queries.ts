import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { columnsOf, countRows, type Fields, fieldsOf } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { GroupRole } from '../ports/people/directory-tables.ts';
import type { Tables } from '../ports/tables.ts';

export type Directory = Fields<Selectable<Tables['organization_directories']>>;
export type Person = Fields<Selectable<Tables['directory_people']>>;
export type Group = Fields<Selectable<Tables['directory_groups']>> & { personIds: string[] };

/** Changes the directory of an organization. */
export async function saveDirectory(
  queries: QueryRunner,
  organizationId: string,
  {
    groupRoles,
    ...changes
  }: Partial<Omit<Directory, 'organizationId' | 'updatedAt'>> & { updatedAt: Date },
): Promise<void> {
  const columns = {
    ...columnsOf(changes),
    ...(groupRoles && { group_roles: JSON.stringify(groupRoles satisfies GroupRole[]) }),
  };
  await queries
    .insertInto('organization_directories')
    .values({
      token_hash: null,
      token_created_at: null,
      token_used_at: null,
      ...columns,
      organization_id: organizationId,
    })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
    .execute();
}

/** Returns whose directory sends a token. */
export async function findDirectoryByToken(queries: QueryRunner, tokenHash: string) {
  return queries
    .selectFrom('organization_directories')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .select(['organization_id as organizationId', 'plan', 'token_used_at as tokenUsedAt'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** Which people or groups of an organization are read: one by its id, those of a name, or all. */
export interface Choice {
  organizationId: string;
  id?: string | undefined;
  /** `userName` of people, `displayName` of groups; case does not matter. */
  name?: string | undefined;
}

/** Returns people of a directory, in the order in which they were sent. */
export async function listPeople(
  queries: QueryRunner,
  { organizationId, id, name }: Choice,
): Promise<Person[]> {
  const rows = await queries
    .selectFrom('directory_people')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .$if(name !== undefined, (query) =>
      query.where(sql<boolean>`lower(user_name) = lower(${name as string})`),
    )
    .orderBy('id')
    .execute();
  return rows.map(fieldsOf);
}

export async function countPeople(queries: QueryRunner, organizationId: string): Promise<number> {
  return countRows(
    queries.selectFrom('directory_people').where('organization_id', '=', organizationId),
  );
}

/** Returns somebody else with this name or address. */
export async function findNamesake(
  queries: QueryRunner,
  {
    organizationId,
    id = '',
    userName,
    email,
  }: Pick<Person, 'organizationId' | 'userName' | 'email'> & { id?: string | undefined },
): Promise<{ userName: string } | undefined> {
  return queries
    .selectFrom('directory_people')
    .select('user_name as userName')
    .where('organization_id', '=', organizationId)
    .where('id', '!=', id)
    .where((row) =>
      row.or([row('email', '=', email), sql<boolean>`lower(user_name) = lower(${userName})`]),
    )
    .executeTakeFirst();
}

export async function insertPerson(queries: QueryRunner, person: Person): Promise<void> {
  const { names, ...row } = person;
  await queries
    .insertInto('directory_people')
    .values({ ...columnsOf(row), names: JSON.stringify(names) })
    .execute();
}

export async function updatePerson(
  queries: QueryRunner,
  { id, organizationId, createdAt: _, names, ...changes }: Person,
): Promise<void> {
  await queries
    .updateTable('directory_people')
    .set({ ...columnsOf(changes), names: JSON.stringify(names) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deletePerson(
  queries: QueryRunner,
  { organizationId, id }: Pick<Person, 'organizationId' | 'id'>,
): Promise<void> {
  await queries
    .deleteFrom('directory_people')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Returns groups of a directory with the ids of their people. */
export async function listGroups(
  queries: QueryRunner,
  { organizationId, id, name }: Choice,
): Promise<Group[]> {
  const rows = await queries
    .selectFrom('directory_groups')
    .selectAll()
    .select(
      sql<string[]>`ARRAY(
        SELECT person_id FROM directory_group_people WHERE group_id = directory_groups.id ORDER BY 1
      )`.as('person_ids'),
    )
    .where('organization_id', '=', organizationId)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .$if(name !== undefined, (query) =>
      query.where(sql<boolean>`lower(name) = lower(${name as string})`),
    )
    .orderBy('id')
    .execute();
  return rows.map(fieldsOf);
}

/** Returns the names of the groups that people are in, by the ids of the people. */
export async function listGroupsOf(
  queries: QueryRunner,
  personIds: readonly string[],
): Promise<{ personId: string; id: string; name: string }[]> {
  if (personIds.length === 0) return [];
  return queries
    .selectFrom('directory_group_people')
    .innerJoin('directory_groups', 'directory_groups.id', 'group_id')
    .select(['person_id as personId', 'directory_groups.id as id', 'name'])
    .where('person_id', 'in', personIds)
    .orderBy('name')
    .execute();
}

/** Adds a group, or changes its names. */
export async function saveGroup(
  queries: QueryRunner,
  { personIds: _, ...group }: Group,
): Promise<void> {
  const { name, external_id, updated_at, ...row } = columnsOf(group);
  const changes = { name, external_id, updated_at };
  await queries
    .insertInto('directory_groups')
    .values({ ...row, ...changes })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute();
}

/** Adds people of the same organization to a group, and removes others; the rest stays. */
export async function changeGroupPeople(
  queries: QueryRunner,
  { id, organizationId }: Pick<Group, 'id' | 'organizationId'>,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): Promise<void> {
  if (removed.length > 0)
    await queries
      .deleteFrom('directory_group_people')
      .where('group_id', '=', id)
      .where('person_id', 'in', removed)
      .execute();
  if (added.length > 0)
    await queries
      .insertInto('directory_group_people')
      .columns(['group_id', 'person_id'])
      .expression((row) =>
        row
          .selectFrom('directory_people')
          .select([sql<string>`${id}`.as('group_id'), 'id as person_id'])
          .where('organization_id', '=', organizationId)
          .where('id', 'in', added),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function deleteGroup(
  queries: QueryRunner,
  { organizationId, id }: Pick<Group, 'organizationId' | 'id'>,
): Promise<void> {
  await queries
    .deleteFrom('directory_groups')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
