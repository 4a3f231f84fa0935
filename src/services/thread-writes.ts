import {
  deleteMessage,
  deleteMessagesFrom,
  insertTurns,
  type NewMessage,
  type NewThread,
  type TurnsToInsert,
} from '../db/threads.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Deps } from './deps.ts';

/** One message to be added at the end of its thread. */
export interface ThreadWrite {
  /** The thread itself, where it begins with this message. */
  thread?: NewThread;
  message: NewMessage;
  /** What goes first: the message with the same id, or it and everything after it. */
  replaces?: 'message' | 'message-and-rest';
}

/**
 * Stores messages in the order in which they came, while answers go on. What comes while a write is under way is stored together
 * in the next one, so that a thousand readers cost the database a few writes.
 */
export interface ThreadWrites {
  /** Resolves when it is stored. */
  write(write: ThreadWrite): Promise<void>;
  /** Resolves when what came of that thread so far is stored, or has failed. */
  settled(threadId: string): Promise<void>;
  /** Says that an answer is being written, which `close` waits for. @returns to be called when it is stored */
  expect(): () => void;
  /** Resolves when everything is stored, the end of open answers too. */
  close(): Promise<void>;
}

const MOST_TOGETHER = 200;

interface Waiting {
  write: ThreadWrite;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export function createThreadWrites({ database }: Pick<Deps, 'database'>): ThreadWrites {
  const queue: Waiting[] = [];
  const unsettled = new Map<string, Promise<void>>();
  let running: Promise<void> | undefined;
  const expected = new Set<Promise<void>>();

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const together = takeTogether(queue);
      try {
        await store(
          database.queries,
          together.map(({ write }) => write),
        );
        for (const { resolve } of together) resolve();
      } catch (error) {
        if (together.length === 1) together[0]?.reject(error);
        // One that cannot be stored, because its site has gone, must not cost the others.
        else for (const one of together) await store(database.queries, [one.write]).then(one.resolve, one.reject);
      }
    }
    running = undefined;
  }

  return {
    write(write) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      queue.push({ write, resolve, reject });
      const { threadId } = write.message;
      const settled = promise
        .catch(() => {})
        .then(() => {
          if (unsettled.get(threadId) === settled) unsettled.delete(threadId);
        });
      unsettled.set(threadId, settled);
      running ??= run();
      return promise;
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
      await Promise.all(expected);
      await running;
    },
  };
}

/** From the front: either many that only add, or one that replaces. */
function takeTogether(queue: Waiting[]): Waiting[] {
  const firstThatReplaces = queue.findIndex(({ write }) => write.replaces !== undefined);
  const count = firstThatReplaces === -1 ? queue.length : Math.max(1, firstThatReplaces);
  return queue.splice(0, Math.min(count, MOST_TOGETHER));
}

async function store(queries: Deps['database']['queries'], writes: ThreadWrite[]): Promise<void> {
  const [first] = writes as [ThreadWrite];
  if (first.replaces === undefined) return insertTurns(queries, turnsOf(writes));
  await queries.transaction().execute(async (transaction: QueryRunner) => {
    const remove = first.replaces === 'message' ? deleteMessage : deleteMessagesFrom;
    await remove(transaction, first.message.threadId, first.message.id);
    await insertTurns(transaction, turnsOf(writes));
  });
}

function turnsOf(writes: ThreadWrite[]): TurnsToInsert {
  return { threads: writes.flatMap(({ thread }) => thread ?? []), messages: writes.map(({ message }) => message) };
}
