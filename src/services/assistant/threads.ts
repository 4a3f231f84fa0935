import { findThread, listTurns, type Rating, setHelpful, type ThreadRow, type TurnRow } from '../../db/threads.ts';
import type { Database } from '../../ports/database.ts';

/** Reads conversations; `ThreadWrites` writes them. */
export interface Threads {
  find(siteId: string, id: string): Promise<ThreadRow | undefined>;
  /** Returns the last `limit` non-empty turns, oldest first; only those before a message, if it exists. */
  turns(threadId: string, options: { limit: number; before: string | undefined }): Promise<TurnRow[]>;
  /**
   * Stores the reader's rating of an answer: the one with that id, or the newest of the thread.
   * @returns false if there is no such answer
   */
  setHelpful(rating: Rating): Promise<boolean>;
}

/** The conversations of the database. */
export function databaseThreads({ database }: { database: Database }): Threads {
  return {
    find: (siteId, id) => findThread(database.queries, siteId, id),
    turns: (threadId, options) => listTurns(database.queries, threadId, options),
    setHelpful: (rating) => setHelpful(database.queries, rating),
  };
}
