import type { Dependency } from '@docent/format/dependencies.ts';
import type { Commit, GitPart } from '@docent/format/deployments/commit.ts';
import { type InferResult, type Insertable, sql } from 'kysely';
import { columnsOf, type Fields, type ListSlice, onPage } from '../kernel/db/query-parts.ts';
import { DEPLOYMENT_ROWS, queuePosition } from '../kernel/jobs/slot-queries.ts';
import type { QueryRunner, Transaction } from '../ports/database.ts';
import {
  DELETED_MANIFEST,
  type DeploymentStatus,
  type EndReason,
  type RowOf,
  type Tables,
} from '../ports/tables.ts';
import { isInUse } from './kept-build-queries.ts';

/** What a queued deployment waits for while that is unavailable. */
const waitingFor =
  sql<Dependency | null>`CASE WHEN deployments.status = 'queued' THEN deployments.waiting_for END`.as(
    'waitingFor',
  );

const columns = [
  'deployments.id as id',
  'deployments.site_id as siteId',
  'sites.slug as slug',
  'deployments.status as status',
  'deployments.source_key as sourceKey',
  'deployments.summary as summary',
  waitingFor,
  queuePosition(DEPLOYMENT_ROWS).as('queuePosition'),
  'deployments.report as report',
  'deployments.git as commit',
  'deployments.git_ref as gitRef',
  'deployments.git_parts as gitParts',
  'deployments.source as source',
  'deployments.created_at as createdAt',
  'deployments.ended_at as endedAt',
] as const;

export type DeploymentRow = RowOf<'deployments' | 'sites', typeof columns>;

export async function insertDeployment(
  queries: QueryRunner,
  deployment: Pick<
    Fields<Insertable<Tables['deployments']>>,
    | 'id'
    | 'siteId'
    | 'previewId'
    | 'sourceKey'
    | 'waiting'
    | 'share'
    | 'turn'
    | 'sourceBytes'
    | 'actor'
    | 'source'
    | 'requestId'
    | 'gitRef'
  > & { createdAt: Date; commit?: Commit | null; gitParts?: readonly GitPart[] | undefined },
): Promise<void> {
  const { commit = null, gitParts, ...row } = deployment;
  const git = {
    git: commit && JSON.stringify(commit),
    gitParts: gitParts && JSON.stringify(gitParts),
  };
  await queries
    .insertInto('deployments')
    .values({ ...columnsOf({ ...row, ...git, updatedAt: row.createdAt }), status: 'queued' })
    .execute();
}

function selectDeployments(queries: QueryRunner) {
  return queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select(columns);
}

/** Returns a deployment of a site of that organization. */
export async function findOwnDeployment(queries: QueryRunner, organizationId: string, id: string) {
  return selectDeployments(queries)
    .where('deployments.id', '=', id)
    .where('deployments.deleted_at', 'is', null)
    .where('sites.organization_id', '=', organizationId)
    .executeTakeFirst();
}

/**
 * Returns the most recently started deployment of a site or one of its previews, whatever its
 * status.
 */
export async function findLatestDeployment(
  queries: QueryRunner,
  siteId: string,
  previewId: string | null = null,
) {
  return selectDeployments(queries)
    .where('deployments.site_id', '=', siteId)
    .where('deployments.preview_id', previewId === null ? 'is' : '=', previewId)
    .where('deployments.deleted_at', 'is', null)
    .orderBy('deployments.number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the source of a deployment of a site, and the preview that it was built for. */
export async function findRebuildable(queries: QueryRunner, siteId: string, id: string) {
  return queries
    .selectFrom('deployments')
    .select([
      'source_key as sourceKey',
      'preview_id as previewId',
      'git as commit',
      'git_ref as gitRef',
      'git_parts as gitParts',
    ])
    .where('id', '=', id)
    .where('site_id', '=', siteId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

const isLive = sql<boolean>`sites.live_deployment_id IS NOT DISTINCT FROM deployments.id`.as(
  'isLive',
);
/** Its build is stored, so it can be made live. */
const isKept =
  sql<boolean>`coalesce(deployments.manifest_key, ${DELETED_MANIFEST}) <> ${DELETED_MANIFEST}`.as(
    'isKept',
  );

/** It is what its preview shows. */
const isShown = sql<boolean>`coalesce(previews.deployment_id = deployments.id, false)`.as(
  'isShown',
);
/** It was live before the build that is live now. */
const wasLiveBefore =
  sql<boolean>`coalesce(deployments.first_live_at < live.first_live_at, false)`.as('wasLiveBefore');

/** Another one has become live for the first time since it did. */
const isReplaced = sql<boolean>`EXISTS (
  SELECT FROM deployments AS newer
  WHERE newer.site_id = deployments.site_id AND newer.first_live_at > deployments.first_live_at
)`.as('isReplaced');

/** It is live although something newer was: pushes are not published until somebody deploys. */
const pausesPushes = sql<boolean>`sites.live_deployment_id IS NOT DISTINCT FROM deployments.id
  AND EXISTS (SELECT FROM git_sources WHERE git_sources.site_id = deployments.site_id
    AND git_sources.paused_at IS NOT NULL)`.as('pausesPushes');

/** The names of files may be many; lists do not show them. */
const commit = sql<Omit<Commit, 'filesChanged'> | null>`deployments.git - 'filesChanged'`.as(
  'commit',
);
const pageChanges = sql<PageCounts | null>`
  CASE WHEN jsonb_typeof(deployments.changes) = 'object' THEN jsonb_build_object(
    'added', deployments.changes -> 'added' -> 'count',
    'changed', deployments.changes -> 'changed' -> 'count',
    'removed', deployments.changes -> 'removed' -> 'count'
  ) END`.as('pageChanges');

/** How many pages a deployment changed. */
interface PageCounts {
  added: number;
  changed: number;
  removed: number;
}

const summaryColumns = [
  'deployments.id',
  'deployments.site_id as siteId',
  'previews.name as preview',
  'deployments.promoted_from as promotedFrom',
  'previews.branch as previewBranch',
  isShown,
  'deployments.source',
  'deployments.actor as actorId',
  'users.name as personName',
  'api_keys.name as keyName',
  commit,
  pageChanges,
  'deployments.status',
  sql<EndReason | null>`replace(deployments.end_reason, 'cancelled', 'canceled')`.as('endReason'),
  'deployments.summary',
  waitingFor,
  queuePosition(DEPLOYMENT_ROWS).as('queuePosition'),
  'deployments.request_id as requestId',
  'deployments.pinned',
  isLive,
  pausesPushes,
  isKept,
  wasLiveBefore,
  'deployments.first_live_at as liveAt',
  'deployments.page_count as pages',
  'deployments.error_count as errors',
  'deployments.warning_count as warnings',
  'deployments.build_bytes as bytes',
  'deployments.attempts',
  'deployments.created_at as createdAt',
  'deployments.started_at as startedAt',
  'deployments.ended_at as endedAt',
] as const;

export function deploymentsOf(queries: QueryRunner, siteId: string) {
  return queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .leftJoin('deployments as live', 'live.id', 'sites.live_deployment_id')
    .leftJoin('previews', 'previews.id', 'deployments.preview_id')
    .leftJoin('users', 'users.id', 'deployments.actor')
    .leftJoin('api_keys', 'api_keys.id', 'deployments.actor')
    .select(summaryColumns)
    .where('deployments.site_id', '=', siteId)
    .where('deployments.deleted_at', 'is', null);
}

/** A deployment as shown in lists. */
export type DeploymentSummary = InferResult<ReturnType<typeof deploymentsOf>>[number];

export interface DeploymentFilter extends ListSlice {
  status?: DeploymentStatus | undefined;
  /** Only those of previews, only others, or only those of the preview with that id. */
  preview?: boolean | { id: string } | undefined;
  /** Only those with this text in a name, a message, a branch, or at the start of a hash. */
  text?: string | undefined;
}

/** Returns the deployments of a site, newest first. */
export async function listDeployments(
  queries: QueryRunner,
  siteId: string,
  filter: DeploymentFilter,
) {
  const { status, preview, text, after, limit } = filter;
  let rows = deploymentsOf(queries, siteId);
  if (status !== undefined) rows = rows.where('deployments.status', '=', status);
  if (typeof preview === 'object') rows = rows.where('deployments.preview_id', '=', preview.id);
  else if (preview !== undefined)
    rows = rows.where('deployments.preview_id', preview ? 'is not' : 'is', null);
  if (text !== undefined) rows = rows.where(hasText(text));
  return rows
    .$call(onPage({ after, limit }, ['deployments.created_at', 'deployments.id']))
    .execute();
}

function hasText(text: string) {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  const within = `%${literal}%`;
  return sql<boolean>`(
    concat_ws(E'\\n',
      deployments.git ->> 'message', deployments.git ->> 'ref', deployments.git ->> 'author',
      previews.name, previews.branch, deployments.promoted_from, users.name, api_keys.name
    ) ILIKE ${within}
    OR deployments.git ->> 'sha' LIKE ${`${literal.toLowerCase()}%`}
    OR deployments.id = ${text.toUpperCase()}
  )`;
}

/** Returns a deployment of a site with its stages and its log. */
export async function findProgress(queries: QueryRunner, siteId: string, id: string) {
  return deploymentsOf(queries, siteId)
    .select(['deployments.stages', 'deployments.log'])
    .where('deployments.id', '=', id)
    .executeTakeFirst();
}

/** A deployment as shown while it is followed. */
export type DeploymentProgress = NonNullable<Awaited<ReturnType<typeof findProgress>>>;

/**
 * Locks a deployment of a site until the transaction ends. The caller has locked the site.
 * @returns the state that decides whether it can be changed
 */
export async function lockDeployment(transaction: Transaction, siteId: string, id: string) {
  const locked = await transaction
    .selectFrom('deployments')
    .select('id')
    .where('id', '=', id)
    .where('site_id', '=', siteId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!locked) return undefined;
  return transaction
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select(['deployments.status', isKept, isLive, isReplaced, isInUse.as('isInUse')])
    .where('deployments.id', '=', id)
    .executeTakeFirst();
}

export type LockedDeployment = NonNullable<Awaited<ReturnType<typeof lockDeployment>>>;

/** Moves the live pointer of a site to a stored build. */
export async function setLive(
  queries: QueryRunner,
  siteId: string,
  deploymentId: string,
  now: Date,
): Promise<void> {
  await queries
    .updateTable('sites')
    .set({
      live_deployment_id: deploymentId,
      promoted_at: now,
      promoted_number: sql<string>`nextval('deployment_numbers')`,
      updated_at: now,
    })
    .where('id', '=', siteId)
    .execute();
  // A preview's deployment belongs to the site from now on: it outlives the preview.
  await queries
    .updateTable('deployments')
    .set({
      preview_id: null,
      promoted_from: sql<
        string | null
      >`coalesce((SELECT name FROM previews WHERE id = deployments.preview_id), promoted_from)`,
      first_live_at: sql<Date>`coalesce(first_live_at, ${now})`,
    })
    .where('id', '=', deploymentId)
    .execute();
}

/** Pins the build of a deployment, or unpins it, so that it can expire. */
export async function setPinned(
  queries: QueryRunner,
  id: string,
  pinned: boolean,
  now: Date,
): Promise<void> {
  await queries
    .updateTable('deployments')
    .set({ pinned, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/**
 * Deletes everything that a deployment stores; its row stays for the exports that were made from
 * it.
 */
export async function deleteDeploymentRow(
  queries: QueryRunner,
  id: string,
  now: Date,
): Promise<void> {
  await queries
    .updateTable('deployments')
    .set({
      deleted_at: now,
      updated_at: now,
      pinned: false,
      manifest_key: sql<
        string | null
      >`CASE WHEN manifest_key IS NULL THEN NULL ELSE ${DELETED_MANIFEST} END`,
      build_bytes: 0,
      added_bytes: 0,
      report: JSON.stringify(null),
      stages: '[]',
      log: '[]',
      changes: null,
    })
    .where('id', '=', id)
    .execute();
}
