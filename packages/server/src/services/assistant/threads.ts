import { findThread, listTurns, setHelpful } from '../../db/threads.ts';
import type { Database } from '../../ports/database.ts';
import type { Threads } from '../kernel/process-state.ts';

/** Reads the conversations of the database. */
export function databaseThreads({ database: { queries } }: { database: Database }): Threads {
  return {
    find: (siteId, id) => findThread(queries, siteId, id),
    turns: (threadId, options) => listTurns(queries, threadId, options),
    setHelpful: (rating) => setHelpful(queries, rating),
  };
}
