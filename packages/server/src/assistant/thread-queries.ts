import { statusOfNew } from '@docent/format/analytics/feedback.ts';
import { type OnConflictBuilder, sql } from 'kysely';
import {
  MESSAGE_CHARACTERS,
  type NewMessage,
  type NewThread,
  type Rating,
  type ThreadRow,
} from '../kernel/db/conversation-rows.ts';
import { columnsOf, unlessHandled } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

export async function findThread(
  queries: QueryRunner,
  siteId: string,
  id: string,
): Promise<ThreadRow | undefined> {
  return queries
    .selectFrom('threads')
    .select(['id', 'fp', 'key_hash as keyHash'])
    .where('id', '=', id)
    .where('site_id', '=', siteId)
    .executeTakeFirst();
}

/** New threads, and messages in the order in which they are added, to new and existing threads. */
export interface TurnsToInsert {
  threads: NewThread[];
  messages: NewMessage[];
}

/**
 * Stores threads and messages in one statement: all or none. Existing rows stay, so that it can be
 * retried.
 */
export async function insertTurns(
  queries: QueryRunner,
  { threads, messages }: TurnsToInsert,
): Promise<void> {
  const touched = [...new Set(messages.map(({ threadId }) => threadId))];
  const updatedAt = new Date(Math.max(...messages.map(({ createdAt }) => createdAt.getTime())));
  const begin = queries.with('touched', (query) =>
    query.updateTable('threads').set({ updated_at: updatedAt }).where('id', 'in', touched),
  );
  const rows = messages.map(({ sources, basis, ...message }) =>
    columnsOf({
      ...message,
      sources: JSON.stringify(sources),
      ...(basis && { basis: JSON.stringify(basis) }),
    }),
  );
  if (threads.length === 0)
    await begin.insertInto('messages').values(rows).onConflict(keepStored).execute();
  else {
    await begin
      .with('begun', (query) =>
        query
          .insertInto('threads')
          .values(threads.map((thread) => columnsOf({ ...thread, updatedAt: thread.createdAt })))
          .onConflict(keepStored),
      )
      .insertInto('messages')
      .values(rows)
      .onConflict(keepStored)
      .execute();
  }
}

const keepStored = <Table extends 'threads' | 'messages'>(
  conflict: OnConflictBuilder<Tables, Table>,
) => conflict.column('id').doNothing();

/**
 * Stores the reader's feedback about an answer, replacing earlier feedback.
 * @returns false if there is no such answer
 */
export async function setHelpful(
  queries: QueryRunner,
  { threadId, messageId, helpful, comment, ratedAt }: Rating,
): Promise<boolean> {
  const answers = queries
    .selectFrom('messages')
    .where('thread_id', '=', threadId)
    .where('role', '=', 'assistant');
  const answerQuery =
    messageId === undefined
      ? answers.orderBy('position', 'desc').limit(1)
      : answers.where('id', '=', messageId);
  const answer = await answerQuery.select(['id', 'position']).executeTakeFirst();
  if (!answer) return false;
  if (helpful === null) {
    await queries.deleteFrom('feedback').where('message_id', '=', answer.id).execute();
    return true;
  }
  const source = comment === null ? 'thumbs_only' : 'contextual';
  const questionQuery = queries
    .selectFrom('messages')
    .where('thread_id', '=', threadId)
    .where('position', '<', answer.position)
    .where('role', '=', 'user')
    .orderBy('position', 'desc')
    .limit(1);
  const status = statusOfNew({ helpful, source });
  const values = {
    id: answer.id,
    message_id: answer.id,
    preview_id: null,
    reason: null,
    source,
    helpful,
    comment,
  } as const;
  await queries
    .insertInto('feedback')
    .values(({ selectFrom }) => ({
      ...values,
      status,
      site_id: selectFrom('threads')
        .select('site_id')
        .where('id', '=', threadId)
        .$asScalar()
        .$notNull(),
      path: questionQuery.select('page_path').$asScalar(),
      version: questionQuery
        .select(({ fn, val }) => fn.coalesce('page_version', val('')).as('version'))
        .$asScalar()
        .$notNull(),
      language: questionQuery
        .select(({ fn, val }) => fn.coalesce('page_language', val('')).as('language'))
        .$asScalar()
        .$notNull(),
      created_at: ratedAt,
    }))
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'id']).doUpdateSet({
        source,
        helpful,
        comment,
        created_at: ratedAt,
        status: unlessHandled(status),
      }),
    )
    .execute();
  return true;
}

/** Deletes one message, if it exists. */
export async function deleteMessage(
  queries: QueryRunner,
  threadId: string,
  messageId: string,
): Promise<void> {
  await queries
    .deleteFrom('messages')
    .where('thread_id', '=', threadId)
    .where('id', '=', messageId)
    .execute();
}

/** Deletes a message and everything after it: the reader asked it again or edited it. */
export async function deleteMessagesFrom(
  queries: QueryRunner,
  threadId: string,
  messageId: string,
): Promise<void> {
  await queries
    .deleteFrom('messages')
    .where('thread_id', '=', threadId)
    .where('position', '>=', (where) =>
      where
        .selectFrom('messages as first')
        .select('first.position')
        .where('first.id', '=', messageId)
        .where('first.thread_id', '=', threadId),
    )
    .execute();
}

/**
 * Returns the last `limit` non-empty turns of a thread, oldest first; only those before a message,
 * if it exists.
 */
export async function listTurns(
  queries: QueryRunner,
  threadId: string,
  { limit, before }: { limit: number; before: string | undefined },
) {
  let turns = queries
    .selectFrom('messages')
    .select(['role', 'sources', sql<string>`left(content, ${MESSAGE_CHARACTERS})`.as('content')])
    .where('thread_id', '=', threadId)
    .where('content', '!=', '');
  if (before !== undefined) {
    turns = turns.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages as asked')
            .select('asked.id')
            .where('asked.id', '=', before)
            .where('asked.thread_id', '=', threadId)
            .whereRef('asked.position', '<=', 'messages.position'),
        ),
      ),
    );
  }
  const newestFirst = await turns.orderBy('position', 'desc').limit(limit).execute();
  return newestFirst.reverse();
}

/**
 * Deletes threads without messages for longer than their site's retention. Returns the number
 * deleted.
 */
export async function deleteExpiredThreads(
  queries: QueryRunner,
  now: Date,
  defaultDays: number,
): Promise<number> {
  const days = sql<number>`coalesce((sites.assistant_settings ->> 'retentionDays')::int, ${defaultDays})`;
  const { numDeletedRows } = await queries
    .deleteFrom('threads')
    .using('sites')
    .whereRef('sites.id', '=', 'threads.site_id')
    .where(sql<boolean>`threads.updated_at < ${now}::timestamptz - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
