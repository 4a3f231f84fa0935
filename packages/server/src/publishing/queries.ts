import type { BuildSummary } from '@docent/compiler/site/build-summary.ts';
import type { BuildReport } from '@docent/format/build/site-build.ts';
import type { Dependency } from '@docent/format/dependencies.ts';
import type { BuildStage, LogLine } from '@docent/format/deployments/build-progress.ts';
import type { Commit, GitPart } from '@docent/format/deployments/commit.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import { hasRow } from '../kernel/db/query-parts.ts';
import type { QueryRunner, Transaction } from '../ports/database.ts';
import type { EndReason, Tables } from '../ports/tables.ts';

/** The deployment of a job: the one that was enqueued, or the one that has since replaced it. */
const hasTurn = (turn: string) => sql<boolean>`coalesce(turn, deployments.id) = ${turn}`;

/**
 * Claims a deployment to build it, even if a process that died had started it.
 * @param turn the deployment that was enqueued; if a newer one has superseded it, that one is built
 *   instead
 * @returns `undefined` if it is already finished
 */
export async function beginDeployment(queries: QueryRunner, turn: string, now: Date) {
  return queries
    .updateTable('deployments')
    .set({
      status: 'in_progress',
      waiting_for: null,
      attempts: sql<number>`attempts + 1`,
      stages: '[]',
      started_at: now,
      updated_at: now,
    })
    .where(hasTurn(turn))
    .where('status', 'in', ['queued', 'in_progress'])
    .returning([
      'id',
      'site_id as siteId',
      'source_key as sourceKey',
      'preview_id as previewId',
      'source',
      'git_ref as gitRef',
      'git_parts as gitParts',
      'attempts',
      'log',
      'request_id as requestId',
      sql<string>`(select organization_id from sites where sites.id = deployments.site_id)`.as(
        'organizationId',
      ),
    ])
    .executeTakeFirst();
}

/**
 * A deployment that this attempt builds, with the log of earlier attempts. `attempts` is the number
 * of this one, from 1; an earlier one has lost the deployment.
 */
export type StartedDeployment = NonNullable<Awaited<ReturnType<typeof beginDeployment>>>;

const isHeldBy =
  ({ id, attempts }: StartedDeployment) =>
  (where: ExpressionBuilder<Tables, 'deployments'>) =>
    where.and({ id, attempts, status: 'in_progress' });

/** Returns whether the deployment still waits for the result of this attempt. */
export async function ownsDeployment(
  queries: QueryRunner,
  attempt: StartedDeployment,
): Promise<boolean> {
  return hasRow(queries.selectFrom('deployments').select('id').where(isHeldBy(attempt)));
}

/** What was fetched for a deployment. */
interface FetchedSource {
  sourceBytes: number;
  /** The commit that it is shown with. */
  commit: Commit | null;
  /** Those of all its sources, if there are several. */
  parts?: readonly GitPart[];
}

/**
 * Records the source that an attempt has fetched. @returns whether the deployment still waits for
 * its result
 */
export async function recordFetchedSource(
  queries: QueryRunner,
  attempt: StartedDeployment,
  { sourceBytes, commit, parts }: FetchedSource,
): Promise<boolean> {
  const git = {
    ...(commit && { git: JSON.stringify(commit) }),
    ...(parts && { git_parts: JSON.stringify(parts) }),
  };
  const update = queries.updateTable('deployments').set({ source_bytes: sourceBytes, ...git });
  return hasRow(update.where(isHeldBy(attempt)).returning('id'));
}

/** Stores the progress of an attempt. @returns whether the deployment still waits for its result */
export async function recordProgress(
  queries: QueryRunner,
  attempt: StartedDeployment,
  { stages, log, now }: { stages: readonly BuildStage[]; log: readonly LogLine[]; now: Date },
): Promise<boolean> {
  return hasRow(
    queries
      .updateTable('deployments')
      .set({ stages: JSON.stringify(stages), log: JSON.stringify(log), updated_at: now })
      .where(isHeldBy(attempt))
      .returning('id'),
  );
}

/**
 * Finishes a deployment and moves the site's live pointer to it, in the transaction. The pointer is
 * unchanged if a deployment that was requested later is already live, or an owner has since chosen
 * what is live. A preview's deployment moves the pointer of the preview.
 * @returns whether it was published: one that was canceled or deleted meanwhile is not
 */
export async function publishDeployment(
  transaction: Transaction,
  done: {
    id: string;
    siteId: string;
    manifestKey: string;
    build: BuildSummary;
    summary: string;
    now: Date;
  },
): Promise<boolean> {
  const deployment = await transaction
    .updateTable('deployments')
    .set({
      status: 'success',
      manifest_key: done.manifestKey,
      build_id: done.build.id,
      build_bytes: done.build.buildBytes,
      added_bytes: done.build.addedBytes,
      summary: done.summary,
      report: JSON.stringify(done.build.report),
      page_count: done.build.report.pageCount,
      ...countsOf(done.build.report),
      ...(done.build.changes && { changes: JSON.stringify(done.build.changes) }),
      updated_at: done.now,
      ended_at: done.now,
    })
    .where('id', '=', done.id)
    .where('status', '=', 'in_progress')
    .returning(['id', 'number', 'preview_id', 'source'])
    .executeTakeFirst();
  if (!deployment) return false;
  if (deployment.preview_id !== null) {
    await showInPreview(transaction, deployment.preview_id, deployment, done.now);
    return true;
  }
  const live = await transaction
    .updateTable('sites')
    .set({
      live_deployment_id: done.id,
      name: sql<string>`CASE WHEN has_chosen_name THEN name ELSE ${done.build.siteName} END`,
      updated_at: done.now,
    })
    .where('id', '=', done.siteId)
    .where((where) =>
      where.or([
        where('promoted_number', 'is', null),
        where('promoted_number', '<', deployment.number),
      ]),
    )
    // It may have been started at the moment of the rollback.
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('git_sources')
            .select('git_sources.id')
            .whereRef('git_sources.site_id', '=', 'sites.id')
            .where('paused_at', 'is not', null)
            .where(sql<boolean>`${deployment.source} = 'git'`),
        ),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('deployments as live')
            .select('live.id')
            .whereRef('live.id', '=', 'sites.live_deployment_id')
            .where('live.number', '>', deployment.number),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  const summary = `${done.summary}. Not live: a newer build is, or an owner has chosen another one since.`;
  await transaction
    .updateTable('deployments')
    .set(live ? { first_live_at: done.now } : { summary })
    .where('id', '=', done.id)
    .execute();
  return true;
}

/** Makes a build the one that a preview shows, unless it shows a newer one. */
async function showInPreview(
  transaction: Transaction,
  previewId: string,
  { id, number }: { id: string; number: string },
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('previews')
    .set({ deployment_id: id, updated_at: now })
    .where('id', '=', previewId)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('deployments as shown')
            .select('shown.id')
            .whereRef('shown.id', '=', 'previews.deployment_id')
            .where('shown.number', '>', number),
        ),
      ),
    )
    .execute();
}

/**
 * Records that an attempt ended with an error.
 * @param leftBytes size of what it left in the blob store
 * @returns the number of failed attempts; `undefined` if the deployment has ended
 */
export async function countDeploymentFailure(
  queries: QueryRunner,
  id: string,
  { now, leftBytes }: { now: Date; leftBytes: number },
): Promise<number | undefined> {
  const row = await queries
    .updateTable('deployments')
    .set({
      failures: sql<number>`failures + 1`,
      added_bytes: sql<number>`added_bytes + ${leftBytes}`,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .returning('failures')
    .executeTakeFirst();
  return row?.failures;
}

/**
 * Returns a deployment to its place in the queue, because something that its build needs is
 * unavailable.
 * @param leftBytes size of what the attempt left in the blob store
 */
export async function postponeDeployment(
  queries: QueryRunner,
  attempt: StartedDeployment,
  { waitingFor, leftBytes, now }: { waitingFor: Dependency; leftBytes: number; now: Date },
): Promise<void> {
  await queries
    .updateTable('deployments')
    .set({
      status: 'queued',
      waiting_for: waitingFor,
      added_bytes: sql<number>`added_bytes + ${leftBytes}`,
      updated_at: now,
    })
    .where(isHeldBy(attempt))
    .execute();
}

/**
 * Returns the unfinished deployment with that turn, its organization, and how often its build was
 * started.
 */
export async function findDeploymentOfTurn(queries: QueryRunner, turn: string) {
  return queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select([
      'deployments.id',
      'site_id as siteId',
      'request_id as requestId',
      'sites.organization_id as organizationId',
      'attempts',
    ])
    .where(hasTurn(turn))
    .where('status', 'in', ['queued', 'in_progress'])
    .executeTakeFirst();
}

/**
 * Ends the deployment of a site, or of a preview, whose build has not started.
 * @returns its place in the queue, for the one that replaces it
 */
export async function supersedeQueued(
  queries: QueryRunner,
  { siteId, previewId = null }: { siteId: string; previewId?: string | null | undefined },
  now: Date,
): Promise<{ turn: string; waiting: boolean; share: number | null } | undefined> {
  const rows = await queries
    .updateTable('deployments')
    .set({
      status: 'failure',
      end_reason: 'superseded',
      summary: 'Superseded by a newer deployment.',
      updated_at: now,
      ended_at: now,
    })
    .where('site_id', '=', siteId)
    .where('preview_id', previewId === null ? 'is' : '=', previewId)
    .where('status', '=', 'queued')
    .returning([sql<string>`coalesce(turn, id)`.as('turn'), 'waiting', 'share'])
    .execute();
  return rows.sort((a, b) => (a.turn < b.turn ? -1 : 1))[0];
}

/** Records what a canceled build left in the blob store. */
export async function noteLeftBytes(
  queries: QueryRunner,
  id: string,
  leftBytes: number,
): Promise<void> {
  const added = sql<number>`added_bytes + ${leftBytes}`;
  await queries
    .updateTable('deployments')
    .set({ added_bytes: added })
    .where('id', '=', id)
    .execute();
}

/**
 * Finishes a deployment that cannot be built, or is no longer wanted. The live site stays as it
 * was.
 * @returns whether it was unfinished before
 */
export async function failDeployment(
  queries: QueryRunner,
  failed: {
    id: string;
    summary: string;
    report: BuildReport | null;
    endReason?: EndReason;
    now: Date;
    leftBytes?: number;
  },
): Promise<boolean> {
  return hasRow(
    queries
      .updateTable('deployments')
      .set({
        status: 'failure',
        summary: failed.summary,
        report: JSON.stringify(failed.report),
        ...(failed.report && countsOf(failed.report)),
        ...(failed.endReason && {
          end_reason: failed.endReason === 'canceled' ? 'cancelled' : failed.endReason,
        }),
        added_bytes: sql<number>`added_bytes + ${failed.leftBytes ?? 0}`,
        updated_at: failed.now,
        ended_at: failed.now,
      })
      .where('id', '=', failed.id)
      .where('status', 'in', ['queued', 'in_progress'])
      .returning('id'),
  );
}

/** The part of a report that lists show. */
export function countsOf({ diagnostics }: BuildReport): {
  error_count: number;
  warning_count: number;
} {
  const count = (severity: string) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return { error_count: count('error'), warning_count: count('warning') };
}
