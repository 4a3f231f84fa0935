import { findThread, listTurns, type Rating, setHelpful, type ThreadRow } from '../../db/threads.ts';
import type { Database } from '../../ports/database.ts';

export type Threads = ReturnType<typeof databaseThreads>;

/** Reads the conversations of the database; `ThreadWrites` writes them. */
export function databaseThreads({ database: { queries } }: { database: Database }) {
  return {
    find: (siteId: string, id: string): Promise<ThreadRow | undefined> => findThread(queries, siteId, id),
    /** Returns the last `limit` non-empty turns, oldest first; only those before a message, if it exists. */
    turns: (threadId: string, options: { limit: number; before: string | undefined }) => listTurns(queries, threadId, options),
    /**
     * Stores the reader's rating of an answer: the one with that id, or the newest of the thread.
     * @returns false if there is no such answer
     */
    setHelpful: (rating: Rating): Promise<boolean> => setHelpful(queries, rating),
  };
}
