import { hasRole, ROLES } from '@docent/format/access/may.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import {
  columnsOf,
  type Fields,
  firstOf,
  hasRow,
  type ListSlice,
  onPage,
} from '../../kernel/db/query-parts.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { ReaderTables } from '../../ports/readers/reader-tables.ts';

export type ReaderSessionRow = Fields<Selectable<ReaderTables['reader_sessions']>>;

/** Who may see a site as a reader. */
const VIEWER_ROLES = sql.join(ROLES.filter((role) => hasRole(role, 'admin')));

/**
 * A session is valid as long as its way to sign in is unchanged and, for a member, the membership
 * lasts. That of an admin who sees the site as a reader, as long as the session of the dashboard
 * and the role.
 */
const isValid = sql<boolean>`(EXISTS (
  SELECT FROM site_access WHERE site_access.site_id = reader_sessions.site_id
    AND methods -> reader_sessions.method ->> 'generation' = reader_sessions.generation
) OR (reader_sessions.method = 'view' AND EXISTS (
  SELECT FROM user_sessions JOIN members ON members.user_id = user_sessions.user_id
    JOIN sites ON sites.organization_id = members.organization_id
  WHERE user_sessions.id = reader_sessions.viewer_session_id AND sites.id = reader_sessions.site_id
    AND members.role IN (${VIEWER_ROLES})
))) AND (reader_sessions.user_id IS NULL OR EXISTS (
  SELECT FROM members JOIN sites ON sites.organization_id = members.organization_id
  WHERE sites.id = reader_sessions.site_id AND members.user_id = reader_sessions.user_id
))`;

export async function insertReaderSession(
  queries: QueryRunner,
  session: Omit<Fields<Insertable<ReaderTables['reader_sessions']>>, 'reader'> &
    Pick<ReaderSessionRow, 'reader'>,
): Promise<void> {
  const row = columnsOf({ ...session, reader: JSON.stringify(session.reader) });
  await queries.insertInto('reader_sessions').values(row).execute();
}

/** Returns the session of a site with that token or id, unless it has expired or was ended. */
export async function findReaderSession(
  queries: QueryRunner,
  key: { token_hash: string } | { id: string },
  { siteId, now }: { siteId: string; now: Date },
): Promise<ReaderSessionRow | undefined> {
  const select = queries
    .selectFrom('reader_sessions')
    .selectAll()
    .where(({ and }) => and(key));
  return firstOf(select.where('site_id', '=', siteId).where('expires_at', '>', now).where(isValid));
}

/** Returns which of these sessions have neither expired nor ended. */
export async function listOpenSessionIds(
  queries: QueryRunner,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queries
    .selectFrom('reader_sessions')
    .select('id')
    .where(sql<boolean>`id = ANY(${ids})`)
    .where('expires_at', '>', now)
    .where(isValid)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns a page of the open sessions of a site, newest first. */
export async function listReaderSessions(
  queries: QueryRunner,
  siteId: string,
  { now, ...slice }: ListSlice & { now: Date },
): Promise<
  Pick<
    ReaderSessionRow,
    'id' | 'method' | 'name' | 'createdAt' | 'usedAt' | 'expiresAt' | 'reader'
  >[]
> {
  return queries
    .selectFrom('reader_sessions')
    .select([
      'id',
      'method',
      'name',
      'reader',
      'created_at as createdAt',
      'used_at as usedAt',
      'expires_at as expiresAt',
    ])
    .where('site_id', '=', siteId)
    .where('expires_at', '>', now)
    .where(isValid)
    .$call(onPage(slice, ['created_at', 'id']))
    .execute();
}

export async function touchReaderSession(
  queries: QueryRunner,
  id: string,
  now: Date,
): Promise<void> {
  await queries.updateTable('reader_sessions').set({ used_at: now }).where('id', '=', id).execute();
}

/** @returns whether there was such a session */
export async function deleteReaderSession(
  queries: QueryRunner,
  siteId: string,
  id: string,
): Promise<boolean> {
  return hasRow(
    queries
      .deleteFrom('reader_sessions')
      .where('site_id', '=', siteId)
      .where('id', '=', id)
      .returning('id'),
  );
}

/** @returns how many there were */
export async function deleteReaderSessions(queries: QueryRunner, siteId: string): Promise<number> {
  return (
    await queries
      .deleteFrom('reader_sessions')
      .where('site_id', '=', siteId)
      .returning('id')
      .execute()
  ).length;
}

export async function deleteExpiredReaderSessions(queries: QueryRunner, now: Date): Promise<void> {
  await queries.deleteFrom('reader_sessions').where('expires_at', '<', now).execute();
}
