import { type Selectable, sql } from 'kysely';
import {
  allOf,
  columnsOf,
  type Fields,
  firstOf,
  hasRow,
  type ListSlice,
  onPage,
} from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

type PullRequestFields = Fields<Selectable<Tables['pull_requests']>>;

/** A pull request with the name of its preview. */
export type PullRequestRow = PullRequestFields & { previewName: string | null };

const selectPulls = (queries: QueryRunner) =>
  queries
    .selectFrom('pull_requests')
    .leftJoin('previews', 'previews.id', 'pull_requests.preview_id')
    .selectAll('pull_requests')
    .select('previews.name as preview_name');

/**
 * Stores what a message says about a pull request.
 * @param headSha the commit that the message names; null if it names none
 * @returns whether it is news: an older message than the last changes nothing. One from before a
 *   look found it open closes it only if nothing was pushed since, because refs do not say whether
 *   a pull request is open
 */
export async function storePullRequest(
  queries: QueryRunner,
  pull: Pick<
    PullRequestFields,
    | 'id'
    | 'sourceId'
    | 'number'
    | 'ref'
    | 'title'
    | 'author'
    | 'isMember'
    | 'isOpen'
    | 'toldAt'
    | 'createdAt'
  > &
    Partial<Pick<PullRequestFields, 'seenOpenAt'>>,
  headSha: string | null = null,
): Promise<boolean> {
  const { id: _, sourceId: _source, number: _number, createdAt, ...message } = pull;
  return hasRow(
    queries
      .insertInto('pull_requests')
      .values(columnsOf({ ...pull, state: 'new' as const, updatedAt: createdAt }))
      .onConflict((conflict) =>
        conflict
          .columns(['source_id', 'number'])
          .doUpdateSet(columnsOf({ ...message, updatedAt: createdAt }))
          .where((where) =>
            where.or([
              where('pull_requests.told_at', 'is', null),
              where('pull_requests.told_at', '<=', where.ref('excluded.told_at')),
            ]),
          )
          .where((where) =>
            where.or([
              where('excluded.is_open', 'is', true),
              where('pull_requests.seen_open_at', 'is', null),
              where('pull_requests.seen_open_at', '<=', where.ref('excluded.told_at')),
              where('pull_requests.head_sha', '=', headSha),
            ]),
          ),
      )
      .returning('id'),
  );
}

export async function findPullRequest(
  queries: QueryRunner,
  { sourceId, number }: Pick<PullRequestFields, 'sourceId' | 'number'>,
): Promise<PullRequestRow | undefined> {
  return firstOf(
    selectPulls(queries).where('source_id', '=', sourceId).where('number', '=', number),
  );
}

/** Returns the open pull request of a source that a ref is fetched for. */
export async function findPullRequestOf(
  queries: QueryRunner,
  sourceId: string,
  ref: string,
): Promise<PullRequestRow | undefined> {
  return firstOf(
    selectPulls(queries)
      .where('source_id', '=', sourceId)
      .where('ref', '=', ref)
      .where('is_open', 'is', true),
  );
}

/** Returns the open pull requests of these sources, newest first. */
export async function listOpenPullRequests(
  queries: QueryRunner,
  sourceIds: readonly string[],
  slice: ListSlice,
): Promise<PullRequestRow[]> {
  const page = onPage(slice, ['pull_requests.created_at', 'pull_requests.id']);
  return allOf(
    selectPulls(queries)
      .where('source_id', 'in', sourceIds)
      .where('is_open', 'is', true)
      .$call(page),
  );
}

/** Returns every pull request of a source. */
export async function listPullRequests(
  queries: QueryRunner,
  sourceId: string,
): Promise<PullRequestRow[]> {
  return allOf(selectPulls(queries).where('source_id', '=', sourceId));
}

/** Returns the pull request whose preview a deployment is built for. */
export async function findPullRequestOfDeployment(queries: QueryRunner, deploymentId: string) {
  return queries
    .selectFrom('deployments')
    .innerJoin('pull_requests', 'pull_requests.preview_id', 'deployments.preview_id')
    .select(['pull_requests.source_id as sourceId', 'pull_requests.number'])
    .where('deployments.id', '=', deploymentId)
    .executeTakeFirst();
}

export async function updatePullRequest(
  queries: QueryRunner,
  id: string,
  changes: Partial<Omit<PullRequestFields, 'id' | 'sourceId' | 'number' | 'createdAt'>>,
): Promise<void> {
  await queries.updateTable('pull_requests').set(columnsOf(changes)).where('id', '=', id).execute();
}

/**
 * Stores the preview of a pull request. @returns whether it is still to have one: it is open, and
 * its source wants previews
 */
export async function keepPreview(
  queries: QueryRunner,
  id: string,
  previewId: string,
): Promise<boolean> {
  const update = queries
    .updateTable('pull_requests')
    .set({ preview_id: previewId })
    .where('id', '=', id)
    .where('is_open', 'is', true)
    .where((where) =>
      where.exists(
        where
          .selectFrom('git_sources')
          .select('git_sources.id')
          .whereRef('git_sources.id', '=', 'pull_requests.source_id')
          .where('previews', '<>', 'none'),
      ),
    );
  return hasRow(update.returning('id'));
}

/**
 * Lets the open pull requests of a source be looked at as if for the first time. @returns their
 * numbers
 */
export async function forgetSeen(queries: QueryRunner, sourceId: string): Promise<number[]> {
  const rows = await queries
    .updateTable('pull_requests')
    .set({ seen_sha: null, seen_tree: null })
    .where('source_id', '=', sourceId)
    .where('is_open', 'is', true)
    .returning('number')
    .execute();
  return rows.map(({ number }) => number);
}

/**
 * Deletes pull requests that were closed before that time; until then, a late message does not open
 * them again. Whoever lists the refs of a repository takes none of these for new.
 */
export async function deleteClosedPullRequests(queries: QueryRunner, before: Date): Promise<void> {
  await queries
    .with('deleted', (query) =>
      query
        .deleteFrom('pull_requests')
        .where('is_open', 'is', false)
        .where('updated_at', '<', before)
        .returning(['source_id', 'number']),
    )
    .with('highest', (query) =>
      query
        .selectFrom('deleted')
        .select(({ fn }) => ['source_id', fn.max('number').as('number')])
        .groupBy('source_id'),
    )
    .updateTable('git_sources')
    .from('highest')
    .set({ pulls_above: sql<number>`greatest(pulls_above, highest.number)` })
    .whereRef('git_sources.id', '=', 'highest.source_id')
    .where('pulls_above', 'is not', null)
    .execute();
}

export async function deletePullRequestsOf(queries: QueryRunner, sourceId: string): Promise<void> {
  await queries.deleteFrom('pull_requests').where('source_id', '=', sourceId).execute();
}
