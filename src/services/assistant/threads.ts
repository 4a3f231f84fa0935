import { findThread, listTurns, type Rating, setHelpful, type ThreadRow, type TurnRow } from '../../db/threads.ts';
import type { Deps } from '../deps.ts';

/** Conversations as they are read; `ThreadWrites` is how they are written. */
export interface Threads {
  find(siteId: string, id: string): Promise<ThreadRow | undefined>;
  /** The last `limit` turns that say something, oldest first; only those before a message, where it is there. */
  turns(threadId: string, options: { limit: number; before: string | undefined }): Promise<TurnRow[]>;
  /**
   * Keeps what the reader said of an answer: of the one with that id, or of the newest of the thread.
   * @returns false where there is no such answer
   */
  setHelpful(rating: Rating): Promise<boolean>;
}

/** The conversations of the database. */
export function databaseThreads({ database }: Pick<Deps, 'database'>): Threads {
  return {
    find: (siteId, id) => findThread(database.queries, siteId, id),
    turns: (threadId, options) => listTurns(database.queries, threadId, options),
    setHelpful: (rating) => setHelpful(database.queries, rating),
  };
}
