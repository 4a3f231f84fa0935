import { type Selectable, sql } from 'kysely';
import { type Fields, hasRow, type ListSlice, onPage } from '../../kernel/db/query-parts.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { ReaderTables } from '../../ports/readers/reader-tables.ts';

/** What a site says of an email address, or of all addresses of a domain. */
export type SiteReader = Omit<Fields<Selectable<ReaderTables['site_readers']>>, 'siteId'>;

/**
 * Returns the groups that a site gives to email addresses: those of the address and of its domain.
 * The one rule for invited readers and members.
 * @param addresses in lower case @returns by address; one that the site does not name is missing
 */
export async function groupsOfAddresses(
  queries: QueryRunner,
  siteId: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (addresses.length === 0) return new Map();
  const namesOf = (address: string) => [address, address.slice(address.lastIndexOf('@') + 1)];
  const entries = await queries
    .selectFrom('site_readers')
    .select(['address', 'groups'])
    .where('site_id', '=', siteId)
    .where('address', 'in', [...new Set(addresses.flatMap(namesOf))])
    .execute();
  const groupsByName = new Map(entries.map(({ address, groups }) => [address, groups]));
  const named = addresses.filter((address) =>
    namesOf(address).some((name) => groupsByName.has(name)),
  );
  return new Map(
    named.map((address) => [
      address,
      [...new Set(namesOf(address).flatMap((name) => groupsByName.get(name) ?? []))],
    ]),
  );
}

/** Adds an entry, or gives the one of the same address other groups. */
export async function upsertSiteReader(
  queries: QueryRunner,
  siteId: string,
  { id, address, groups, createdAt }: SiteReader,
): Promise<SiteReader> {
  const json = JSON.stringify(groups);
  return queries
    .insertInto('site_readers')
    .values({ id, site_id: siteId, address, groups: json, created_at: createdAt })
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'address']).doUpdateSet({ groups: json }),
    )
    .returning(['id', 'address', 'groups', 'created_at as createdAt'])
    .executeTakeFirstOrThrow();
}

/** Returns a page of the entries of a site, newest first. */
export async function listSiteReaderRows(
  queries: QueryRunner,
  siteId: string,
  slice: ListSlice,
): Promise<SiteReader[]> {
  return queries
    .selectFrom('site_readers')
    .select(['id', 'address', 'groups', 'created_at as createdAt'])
    .where('site_id', '=', siteId)
    .$call(onPage(slice, ['created_at', 'id']))
    .execute();
}

export async function countSiteReaders(queries: QueryRunner, siteId: string): Promise<number> {
  const { count } = await queries
    .selectFrom('site_readers')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Deletes an entry, and the sessions of the readers who signed in by mail and are named by none any
 * more.
 * @returns whether there was such an entry
 */
export async function deleteSiteReader(
  queries: QueryRunner,
  siteId: string,
  id: string,
): Promise<boolean> {
  const isDeleted = await hasRow(
    queries
      .deleteFrom('site_readers')
      .where('site_id', '=', siteId)
      .where('id', '=', id)
      .returning('id'),
  );
  await queries
    .deleteFrom('reader_sessions')
    .where('site_id', '=', siteId)
    .where('method', '=', 'mail')
    .where(sql<boolean>`NOT EXISTS (SELECT FROM site_readers WHERE site_readers.site_id = reader_sessions.site_id
      AND site_readers.address IN (reader_sessions.name, split_part(reader_sessions.name, '@', 2)))`)
    .execute();
  return isDeleted;
}
