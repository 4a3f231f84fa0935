import type { Commit } from '@docent/format/deployments/commit.ts';
import { type InferResult, type Selectable, sql } from 'kysely';
import { actorIn } from '../kernel/access/named-actors.ts';
import {
  columnsOf,
  countRows,
  type Fields,
  fieldsOf,
  firstOf,
  type ListSlice,
  onPage,
} from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

export type PreviewRow = Fields<Selectable<Tables['previews']>>;

/** Whether a preview has not expired. */
export const isKept = (now: Date) =>
  sql<boolean>`(previews.expires_at IS NULL OR previews.expires_at > ${now}::timestamptz)`;

/** Returns a preview of a site by name. */
export async function findPreview(
  queries: QueryRunner,
  siteId: string,
  name: string,
): Promise<PreviewRow | undefined> {
  return firstOf(
    queries
      .selectFrom('previews')
      .selectAll()
      .where('site_id', '=', siteId)
      .where('name', '=', name),
  );
}

export async function findPreviewById(
  queries: QueryRunner,
  id: string,
): Promise<PreviewRow | undefined> {
  return firstOf(queries.selectFrom('previews').selectAll().where('id', '=', id));
}

function previewsOf(queries: QueryRunner, siteId: string, now: Date) {
  return queries
    .selectFrom('previews')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('deployments')
          .select([
            'deployments.id as lastId',
            'deployments.status',
            'deployments.summary',
            'deployments.source',
            'deployments.actor',
          ])
          .select(
            sql<Omit<Commit, 'filesChanged'> | null>`deployments.git - 'filesChanged'`.as('commit'),
          )
          .whereRef('deployments.preview_id', '=', 'previews.id')
          .orderBy('deployments.number', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .selectAll('previews')
    .select(['last.lastId', 'last.status', 'last.summary', 'last.source', 'last.commit'])
    .select([actorIn('last.actor').as('lastActor'), actorIn('previews.created_by').as('creator')])
    .where('previews.site_id', '=', siteId)
    .where(isKept(now));
}

function withState(row: InferResult<ReturnType<typeof previewsOf>>[number]) {
  const { lastId, status, summary, source, commit, lastActor, creator, ...preview } = row;
  const last =
    lastId === null || status === null
      ? null
      : { id: lastId, status, summary: summary ?? '', source, commit, actor: lastActor };
  return { ...fieldsOf(preview), creator, last };
}

/** Returns the previews of a site that have not expired, newest first. */
export async function listPreviews(
  queries: QueryRunner,
  siteId: string,
  { now, after, limit }: ListSlice & { now: Date },
) {
  const page = onPage({ after, limit }, ['previews.created_at', 'previews.id']);
  return (await previewsOf(queries, siteId, now).$call(page).execute()).map(withState);
}

/** Returns a preview of a site with its state, unless it has expired. */
export async function findPreviewWithState(
  queries: QueryRunner,
  siteId: string,
  name: string,
  now: Date,
) {
  const row = await previewsOf(queries, siteId, now)
    .where('previews.name', '=', name)
    .executeTakeFirst();
  return row && withState(row);
}

/** A preview with its last deployment, shown or not. */
export type PreviewWithState = Awaited<ReturnType<typeof listPreviews>>[number];

export async function countPreviews(queries: QueryRunner, siteId: string): Promise<number> {
  return countRows(queries.selectFrom('previews').where('site_id', '=', siteId));
}

/** Returns the name of a preview of a site that is longer than `maxCharacters`, if there is one. */
export async function findLongPreviewName(
  queries: QueryRunner,
  siteId: string,
  maxCharacters: number,
) {
  const row = await queries
    .selectFrom('previews')
    .select('name')
    .where('site_id', '=', siteId)
    .where(sql<boolean>`length(name) > ${maxCharacters}`)
    .limit(1)
    .executeTakeFirst();
  return row?.name;
}

export async function insertPreview(
  queries: QueryRunner,
  preview: Omit<PreviewRow, 'deploymentId' | 'updatedAt'>,
): Promise<void> {
  await queries
    .insertInto('previews')
    .values(columnsOf({ ...preview, deploymentId: null, updatedAt: preview.createdAt }))
    .execute();
}

/** Stores an owner's changes, or a later expiry of a preview. */
export async function updatePreview(
  queries: QueryRunner,
  id: string,
  changes: Pick<
    PreviewRow,
    'passwordHash' | 'membersOnly' | 'lifetimeDays' | 'expiresAt' | 'updatedAt'
  >,
): Promise<void> {
  await queries.updateTable('previews').set(columnsOf(changes)).where('id', '=', id).execute();
}

/** Stores who may read a preview that everybody can read; does nothing to another. */
export async function restrictOpenPreview(
  queries: QueryRunner,
  id: string,
  access: Partial<Pick<PreviewRow, 'passwordHash' | 'membersOnly'>>,
): Promise<void> {
  await queries
    .updateTable('previews')
    .set(columnsOf(access))
    .where('id', '=', id)
    .where('password_hash', 'is', null)
    .execute();
}

/**
 * Deletes a preview with its deployments.
 * @returns blob keys of the sources that only they referred to
 */
export async function deletePreviewRow(queries: QueryRunner, id: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT DISTINCT source_key AS key FROM deployments WHERE preview_id = ${id} AND NOT EXISTS (
      SELECT 1 FROM deployments other WHERE other.source_key = deployments.source_key
        AND other.preview_id IS DISTINCT FROM ${id})`.execute(queries);
  await queries.deleteFrom('previews').where('id', '=', id).execute();
  return rows.map(({ key }) => key);
}

/** Deletes expired previews with their deployments, and returns them. */
export async function deleteExpiredPreviews(queries: QueryRunner, now: Date) {
  return queries
    .deleteFrom('previews')
    .where('expires_at', '<=', now)
    .returning(['site_id as siteId', 'name', 'branch'])
    .execute();
}
