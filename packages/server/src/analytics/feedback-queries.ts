import {
  type FeedbackReason,
  type FeedbackSource,
  type FeedbackStatus,
  statusOfNew,
} from '@docent/format/analytics/feedback.ts';
import { type Selectable, sql } from 'kysely';
import {
  columnsOf,
  type Fields,
  given,
  hasRow,
  isWithin,
  type ListSlice,
  onPage,
  type TimeRange,
  unlessHandled,
} from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';
import { EXCERPT_CHARACTERS, questionBefore } from './conversation-queries.ts';

/**
 * Feedback about a page. The id is unique within the site; feedback sent again under the same id
 * replaces the earlier one.
 */
type NewFeedback = Omit<
  Fields<Selectable<Tables['feedback']>>,
  'messageId' | 'status' | 'note' | 'handledBy'
>;

/** Stores feedback about a page. It cannot replace feedback about an answer. */
export async function putFeedback(queries: QueryRunner, feedback: NewFeedback): Promise<void> {
  const { path, helpful, reason, comment, source } = feedback;
  const status = statusOfNew(feedback);
  await queries
    .insertInto('feedback')
    .values({ ...columnsOf(feedback), message_id: null, status })
    .onConflict((conflict) =>
      conflict
        .columns(['site_id', 'id'])
        .doUpdateSet({ helpful, reason, comment, source, status: unlessHandled(status) })
        .where('feedback.message_id', 'is', null)
        .where('feedback.path', '=', path),
    )
    .execute();
}

export interface FeedbackFilter extends TimeRange {
  siteId: string;
  /**
   * Answers in threads without messages since then are due for deletion, and are treated as
   * deleted.
   */
  keptSince: Date;
  path?: string | undefined;
  paths?: readonly string[] | undefined;
  version?: string | undefined;
  language?: string | undefined;
  source?: readonly FeedbackSource[] | undefined;
  status?: readonly FeedbackStatus[] | undefined;
  helpful?: boolean | undefined;
  about?: 'page' | 'answer' | undefined;
  /** Only feedback from previews; if absent, only feedback about the live site. */
  isOfPreviews?: boolean | undefined;
}

function feedbackOf(queries: QueryRunner, filter: FeedbackFilter) {
  const {
    siteId,
    keptSince,
    path,
    version,
    language,
    source,
    status,
    helpful,
    about,
    isOfPreviews,
    paths,
  } = filter;
  const equal = { path, version, language, helpful };
  let query = queries
    .selectFrom('feedback')
    .leftJoin('messages as answer', 'answer.id', 'feedback.message_id')
    .leftJoin('threads', 'threads.id', 'answer.thread_id')
    .where('feedback.site_id', '=', siteId)
    .where(({ or, eb }) =>
      or([eb('feedback.message_id', 'is', null), eb('threads.updated_at', '>=', keptSince)]),
    )
    .where('feedback.preview_id', isOfPreviews ? 'is not' : 'is', null)
    .where(isWithin('feedback.created_at', filter))
    .where(({ and }) => and(given(equal)));
  if (paths) query = query.where('feedback.path', 'in', paths);
  if (source) query = query.where('feedback.source', 'in', source);
  if (status) query = query.where('feedback.status', 'in', status);
  if (about !== undefined)
    query = query.where('feedback.message_id', about === 'answer' ? 'is not' : 'is', null);
  return query;
}

/** Returns the feedback of a site, newest first. */
export async function listFeedback(
  queries: QueryRunner,
  filter: FeedbackFilter & ListSlice & { id?: string | undefined },
) {
  return feedbackOf(queries, filter)
    .where(({ and }) => and(given({ 'feedback.id': filter.id })))
    .$call(onPage(filter, ['feedback.created_at', 'feedback.id']))
    .leftJoin('previews', 'previews.id', 'feedback.preview_id')
    .leftJoinLateral(questionBefore, (join) => join.onTrue())
    .select([
      'feedback.id',
      sql<
        'page' | 'answer'
      >`case when feedback.message_id is null then 'page' else 'answer' end`.as('about'),
      'feedback.source',
      'feedback.path',
      'feedback.version',
      'feedback.language',
      'feedback.helpful',
      sql<FeedbackReason | null>`feedback.reason`.as('reason'),
      'feedback.comment',
      'feedback.status',
      'feedback.note',
      'feedback.handled_by as handledBy',
      'feedback.created_at as createdAt',
      'previews.name as preview',
      'answer.thread_id as threadId',
      sql<string | null>`left(asked.content, ${EXCERPT_CHARACTERS})`.as('question'),
      sql<string | null>`left(answer.content, ${EXCERPT_CHARACTERS})`.as('answer'),
    ])
    .execute();
}

export type FeedbackRow = Awaited<ReturnType<typeof listFeedback>>[number];

/** Returns the amount of feedback per page, highest first. */
export async function countFeedbackByPage(
  queries: QueryRunner,
  filter: FeedbackFilter & { limit: number },
) {
  return feedbackOf(queries, filter)
    .select([
      'feedback.path',
      sql<number>`count(*) filter (where feedback.helpful)::integer`.as('thumbsUp'),
      sql<number>`count(*) filter (where not feedback.helpful)::integer`.as('thumbsDown'),
      sql<number>`count(*) filter (where feedback.source = 'code_snippet')::integer`.as('code'),
      sql<number>`count(*)::integer`.as('total'),
    ])
    .groupBy('feedback.path')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('feedback.path')
    .limit(filter.limit)
    .execute();
}

export type PageRatings = Awaited<ReturnType<typeof countFeedbackByPage>>[number];

/** Stores an owner's status or note. @returns false if the site has no such feedback */
export async function updateFeedback(
  queries: QueryRunner,
  {
    siteId,
    id,
    ...changes
  }: {
    siteId: string;
    id: string;
    status?: FeedbackStatus;
    note?: string | null;
    handledBy: string;
  },
): Promise<boolean> {
  const update = queries
    .updateTable('feedback')
    .set(columnsOf(changes))
    .where('site_id', '=', siteId)
    .where('id', '=', id);
  return hasRow(update.returning('id'));
}

/** Deletes feedback. @returns false if the site has no such feedback */
export async function deleteFeedbackOf(
  queries: QueryRunner,
  siteId: string,
  id: string,
): Promise<boolean> {
  const deletion = queries
    .deleteFrom('feedback')
    .where('site_id', '=', siteId)
    .where('id', '=', id);
  return hasRow(deletion.returning('id'));
}

/**
 * Deletes feedback about pages of a site in a time range; feedback about answers is deleted with
 * them. @returns the number deleted
 */
export async function deletePageFeedback(
  queries: QueryRunner,
  { siteId, ...range }: { siteId: string } & TimeRange,
): Promise<number> {
  const deletion = queries
    .deleteFrom('feedback')
    .where('site_id', '=', siteId)
    .where('message_id', 'is', null);
  const { numDeletedRows } = await deletion.where(isWithin('created_at', range)).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes feedback about pages that is older than its site's retention. */
export async function deleteExpiredFeedback(
  queries: QueryRunner,
  now: Date,
  defaultDays: number,
): Promise<void> {
  const days = sql<number>`coalesce((sites.analytics_settings ->> 'feedbackDays')::int, ${defaultDays})`;
  await queries
    .deleteFrom('feedback')
    .using('sites')
    .whereRef('sites.id', '=', 'feedback.site_id')
    .where('feedback.message_id', 'is', null)
    .where(sql<boolean>`feedback.created_at < ${now}::timestamptz - make_interval(days => ${days})`)
    .execute();
}
