import { isDiskFull, isOutage } from '@docent/format/outages.ts';
import { retry } from '../kernel/jobs/retry.ts';
import type { ThreadWrite, ThreadWrites } from '../kernel/process-state.ts';
import type { Database, QueryRunner } from '../ports/database.ts';
import {
  deleteMessage,
  deleteMessagesFrom,
  insertTurns,
  type TurnsToInsert,
} from './thread-queries.ts';

const MAX_BATCH = 200;
/**
 * While the database is unavailable, messages wait in memory for at most this long, and at most
 * this many.
 */
const RETRY_FOR_MS = 60_000;
const MAX_WAITING = 10_000;

type Waiting = PromiseWithResolvers<void> & { write: ThreadWrite };

/**
 * Stores messages in order of arrival, while answers continue. Messages that arrive during a write
 * are stored together in the next one, so that a thousand readers cost the database a few writes. A
 * write is retried while the database is unavailable: the reader already has the answer.
 */
export function createThreadWrites({ database }: { database: Database }): ThreadWrites {
  const queue: Waiting[] = [];
  const unsettled = new Map<string, Promise<void>>();
  let running: Promise<void> | undefined;
  const expected = new Set<Promise<void>>();
  const closing = new AbortController();

  const storeTogether = (writes: ThreadWrite[]): Promise<void> =>
    retry(() => store(database.queries, writes), {
      forMs: RETRY_FOR_MS,
      signal: closing.signal,
      isRetryable: mayPass,
    });

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const together = takeTogether(queue);
      try {
        await storeTogether(together.map(({ write }) => write));
        for (const { resolve } of together) resolve();
      } catch (error) {
        if (together.length === 1 || isOutage(error))
          for (const { reject } of together) reject(error);
        // One that cannot be stored, because its site was deleted, must not affect the others.
        else
          for (const queuedWrite of together)
            await storeTogether([queuedWrite.write]).then(queuedWrite.resolve, queuedWrite.reject);
      }
    }
    running = undefined;
  }

  return {
    write(write) {
      if (queue.length >= MAX_WAITING)
        return Promise.reject(new Error('Too many messages are waiting for the database.'));
      const waiting = { write, ...Promise.withResolvers<void>() };
      queue.push(waiting);
      const { threadId } = write.message;
      const settled = waiting.promise
        .catch(() => {})
        .then(() => {
          if (unsettled.get(threadId) === settled) unsettled.delete(threadId);
        });
      unsettled.set(threadId, settled);
      running ??= run();
      return waiting.promise;
    },
    settled: async (threadId) => unsettled.get(threadId),
    expect() {
      const { promise, resolve } = Promise.withResolvers<void>();
      expected.add(promise);
      return () => {
        expected.delete(promise);
        resolve();
      };
    },
    async close() {
      closing.abort();
      await Promise.all(expected);
      await running;
    },
  };
}

/** A full disk stays full for longer than a reader waits for the end of an answer. */
function mayPass(error: unknown): boolean {
  return isOutage(error) && !isDiskFull(error);
}

/** For conversations that are not kept. */
export const nothingStored: ThreadWrites = {
  write: async () => {},
  settled: async () => {},
  expect: () => () => {},
  close: async () => {},
};

/** Takes from the front: either many that only append, or one that replaces. */
function takeTogether(queue: Waiting[]): Waiting[] {
  const firstThatReplaces = queue.findIndex(({ write }) => write.replaces !== undefined);
  const count = firstThatReplaces === -1 ? queue.length : Math.max(1, firstThatReplaces);
  return queue.splice(0, Math.min(count, MAX_BATCH));
}

async function store(queries: Database['queries'], writes: ThreadWrite[]): Promise<void> {
  const [first] = writes as [ThreadWrite];
  if (first.replaces === undefined) return insertTurns(queries, turnsOf(writes));
  await queries.transaction().execute(async (transaction: QueryRunner) => {
    const remove = first.replaces === 'message' ? deleteMessage : deleteMessagesFrom;
    await remove(transaction, first.message.threadId, first.message.id);
    await insertTurns(transaction, turnsOf(writes));
  });
}

function turnsOf(writes: ThreadWrite[]): TurnsToInsert {
  return {
    threads: writes.flatMap(({ thread }) => thread ?? []),
    messages: writes.map(({ message }) => message),
  };
}
