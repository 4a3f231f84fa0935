import type { Database } from '../../ports/database.ts';

/** Identifies a job, its kind, and the attempt that a worker holds. */
export interface ClaimedJob {
  name: string;
  id: string;
  retryCount: number;
}

/** Suffix of the queue that holds a kind's dead letters. */
export const deadLetterEnding = '.dead';

/**
 * Returns a job to the queue as if its attempt had not begun: a shutdown is not the job's fault. Does nothing if the job has
 * ended or another worker holds it by now.
 */
export async function releaseJob(database: Database, job: ClaimedJob): Promise<void> {
  await database.execute(
    `UPDATE pgboss.job SET state = 'created', started_on = NULL, heartbeat_on = NULL
     WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`,
    [job.name, job.id, job.retryCount],
  );
}

/**
 * Takes the jobs from workers that are known to have ended. Those that can be retried are ready for a worker at once, with the
 * failed attempt counted. Resolves to the others, for which that was the last attempt.
 */
export async function takeFromEndedWorkers(database: Database): Promise<Pick<ClaimedJob, 'name' | 'id'>[]> {
  await database.execute(
    `UPDATE pgboss.job SET state = 'retry', start_after = pgboss.job_now() - interval '1 second', heartbeat_on = NULL
     WHERE state = 'active' AND retry_count < retry_limit`,
  );
  const { rows } = await database.execute(`SELECT name, id FROM pgboss.job WHERE state = 'active'`);
  return rows.map((row) => ({ name: String(row.name), id: String(row.id) }));
}

/** Returns the number of waiting or running jobs by kind; a kind that was used and has none is listed with 0. */
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
