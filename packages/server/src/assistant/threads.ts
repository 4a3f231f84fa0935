import type { Threads } from '../kernel/process-state.ts';
import type { Database } from '../ports/database.ts';
import { findThread, listTurns, setHelpful } from './thread-queries.ts';

/** Reads the conversations of the database. */
export function databaseThreads({ database: { queries } }: { database: Database }): Threads {
  return {
    find: (siteId, id) => findThread(queries, siteId, id),
    turns: (threadId, options) => listTurns(queries, threadId, options),
    setHelpful: (rating) => setHelpful(queries, rating),
  };
}
