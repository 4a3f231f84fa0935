import { type Selectable, sql } from 'kysely';
import { columnsOf, type Fields, hasRow } from '../../kernel/db/query-parts.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';

type WaitingRow = Fields<Selectable<Tables['waiting_readers']>>;

/** Returns the answer of a thread that readers may wait after; undefined for another. */
export async function findMissingAnswer(
  queries: QueryRunner,
  { threadId, messageId }: { threadId: string; messageId: string },
): Promise<{ id: string } | undefined> {
  return queries
    .selectFrom('messages')
    .select('id')
    .where('id', '=', messageId)
    .where('thread_id', '=', threadId)
    .where('role', '=', 'assistant')
    .where('coverage', '=', 'not_in_docs')
    .executeTakeFirst();
}

/** Stores who waits for an answer, in place of whoever waited for it before. */
export async function putWaiting(queries: QueryRunner, row: WaitingRow): Promise<void> {
  const values = columnsOf(row);
  await queries
    .insertInto('waiting_readers')
    .values(values)
    .onConflict((conflict) => conflict.column('message_id').doUpdateSet(values))
    .execute();
}

/** Returns how many wait on a site, and how many of these have that address. */
export async function countWaiting(queries: QueryRunner, siteId: string, addressKey: string) {
  return queries
    .selectFrom('waiting_readers')
    .select(sql<number>`count(*)::integer`.as('all'))
    .select(sql<number>`(count(*) FILTER (WHERE address_key = ${addressKey}))::integer`.as('same'))
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow();
}

/** The question that an answer is to, as readers put it. */
const questionOf = sql<string | null>`(
  SELECT left(question.content, 1000) FROM messages AS question
  WHERE question.thread_id = answer.thread_id AND question.role = 'user'
    AND question.position < answer.position
  ORDER BY question.position DESC LIMIT 1)`;

/** Returns who waits on a site and was not told yet, with the questions. */
export async function listWaiting(queries: QueryRunner, siteId: string) {
  return queries
    .selectFrom('waiting_readers')
    .innerJoin('messages as answer', 'answer.id', 'waiting_readers.message_id')
    .select(['waiting_readers.message_id as messageId', questionOf.as('question')])
    .where('waiting_readers.site_id', '=', siteId)
    .where('waiting_readers.page', 'is', null)
    .execute();
}

export async function findWaiting(queries: QueryRunner, messageId: string) {
  return queries
    .selectFrom('waiting_readers')
    .innerJoin('messages as answer', 'answer.id', 'waiting_readers.message_id')
    .select([
      'waiting_readers.site_id as siteId',
      'waiting_readers.address',
      'waiting_readers.address_key as addressKey',
      'waiting_readers.page',
      questionOf.as('question'),
    ])
    .where('waiting_readers.message_id', '=', messageId)
    .executeTakeFirst();
}

/** @returns whether the reader waits, and no other page was named before */
export async function setPage(
  queries: QueryRunner,
  messageId: string,
  page: string,
): Promise<boolean> {
  return hasRow(
    queries
      .updateTable('waiting_readers')
      .set({ page })
      .where('message_id', '=', messageId)
      .where('page', 'is', null)
      .returning('message_id'),
  );
}

export async function deleteWaiting(queries: QueryRunner, messageId: string): Promise<void> {
  await queries.deleteFrom('waiting_readers').where('message_id', '=', messageId).execute();
}

/** Deletes an address wherever it waits on a site. */
export async function deleteAddress(
  queries: QueryRunner,
  siteId: string,
  addressKey: string,
): Promise<void> {
  await queries
    .deleteFrom('waiting_readers')
    .where('site_id', '=', siteId)
    .where('address_key', '=', addressKey)
    .execute();
}

/** Deletes all addresses of a site. */
export async function deleteWaitingOf(queries: QueryRunner, siteId: string): Promise<void> {
  await queries.deleteFrom('waiting_readers').where('site_id', '=', siteId).execute();
}

/** Deletes addresses whose time is over. */
export async function deleteExpiredWaiting(queries: QueryRunner, now: Date): Promise<void> {
  await queries.deleteFrom('waiting_readers').where('expires_at', '<', now).execute();
}
