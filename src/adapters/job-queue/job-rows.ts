import type { Database } from '../../ports/database.ts';

/** Which job of which kind, and which try of it a worker holds. */
export interface HeldJob {
  name: string;
  id: string;
  retryCount: number;
}

/** Dead letters of a kind lie in a queue of their own with this ending. */
export const deadLetterEnding = '.dead';

/**
 * Gives a job back as if its try had not begun: a shutdown is not the job's fault. Does nothing where the job has ended,
 * or where another worker has it by now.
 */
export async function giveBack(database: Database, job: HeldJob): Promise<void> {
  await database.execute(
    `UPDATE pgboss.job SET state = 'created', started_on = NULL, heartbeat_on = NULL
     WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`,
    [job.name, job.id, job.retryCount],
  );
}

/**
 * Takes the jobs from workers that are known to have ended: those that may be tried again wait for a worker at once, with
 * the broken try counted. Resolves to the others, for which that was the last try.
 */
export async function takeFromEndedWorkers(database: Database): Promise<Pick<HeldJob, 'name' | 'id'>[]> {
  await database.execute(
    `UPDATE pgboss.job SET state = 'retry', start_after = pgboss.job_now() - interval '1 second', heartbeat_on = NULL
     WHERE state = 'active' AND retry_count < retry_limit`,
  );
  const { rows } = await database.execute(`SELECT name, id FROM pgboss.job WHERE state = 'active'`);
  return rows.map((row) => ({ name: String(row.name), id: String(row.id) }));
}

/** Jobs that wait or run, by kind; a kind with none is there with 0 once it was used. */
export async function countJobs(database: Database): Promise<Record<string, number>> {
  const { rows } = await database.execute(
    `SELECT queue.name, count(job.id) AS count
     FROM pgboss.queue LEFT JOIN pgboss.job ON job.name = queue.name AND job.state < 'completed'
     WHERE right(queue.name, $1) <> $2
     GROUP BY queue.name ORDER BY queue.name`,
    [deadLetterEnding.length, deadLetterEnding],
  );
  return Object.fromEntries(rows.map((row) => [String(row.name), Number(row.count)]));
}
