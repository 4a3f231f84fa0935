import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { errorMessage } from '@docent/format/error-message.ts';
import { isOutage } from '@docent/format/outages.ts';
import { sql } from 'kysely';
import { fromKysely, type JobWithMetadata, PgBoss, type SendOptions } from 'pg-boss';
import { inTime } from '../../lib/in-time.ts';
import type { Database, Transaction } from '../../ports/database.ts';
import type {
  JobContext,
  JobDefinition,
  JobQueue,
  OutageWaits,
  WorkOptions,
} from '../../ports/job-queue.ts';
import type { Logger } from '../../ports/logger.ts';

interface PgBossQueueOptions {
  database: Database;
  logger: Logger;
  /** How long `close` waits for handlers after it asked them to stop. */
  closeGraceSeconds?: number;
  /** How jobs wait while a dependency is unavailable. */
  outages?: Partial<OutageWaits>;
}

const usualWaits: OutageWaits = { firstSeconds: 2, maxSeconds: 300, totalSeconds: 72 * 3600 };
/** How often a worker without its database tries to return its job. */
const releasePauseMs = 1000;

/**
 * How often a process looks which kinds of jobs are due, in one statement, and wakes their workers.
 * In the embedded engine every job comes from this process, which wakes them too, so looking only
 * serves delayed retries; and a statement costs more there.
 */
const lookPauseMs = { pglite: 2000, postgres: 500 };
/**
 * Workers that look for themselves are a safeguard only: 16 kinds of jobs at 2 seconds took 2 % of
 * a core at rest (2026-11-29).
 */
const pollingIntervalSeconds = 60;
/** Heartbeats show that a worker is alive, so this limit only ends jobs that would never finish. */
const maxRunSeconds = 12 * 3600;
const keepEndedJobsSeconds = 24 * 3600;
/** The library accepts no shorter interval. */
const minHeartbeatSeconds = 10;

/** Number of the advisory lock for startup; unique in this database. */
export const startLockId = 4_718_331_903;

/** A queue that does nothing before `start`. */
export interface StartableQueue extends JobQueue {
  /** Starts the queue on the database and migrates its tables, which have their own schema. */
  start(): Promise<void>;
}

export function createPgBossQueue(options: PgBossQueueOptions): StartableQueue {
  return new PgBossQueue(options);
}

/** Creates the job queue on an open database, and starts it. */
export async function openPgBossQueue(options: PgBossQueueOptions): Promise<JobQueue> {
  const queue = createPgBossQueue(options);
  await queue.start();
  return queue;
}

class PgBossQueue implements StartableQueue {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #closeGraceSeconds: number;
  readonly #outages: OutageWaits;
  readonly #boss: PgBoss;
  /** The transaction that the library's statements must run in, if any. */
  readonly #transaction = new AsyncLocalStorage<Transaction>();
  readonly #closing = new AbortController();
  readonly #known = new Map<string, Promise<void>>();
  /** Of each kind that has begun, by queue. */
  readonly #workersOf = new Map<string, string[]>();
  /**
   * Adds the workers of a queue; they begin with its first job. Thirty-five that begin at the start
   * would each ask the database for a job.
   */
  readonly #unused = new Map<string, () => Promise<void>>();
  /** Workers begin outside the request and the transaction that wake them. */
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #running = new Set<ClaimedJob>();
  /** Names of the queues that the database already had. */
  #stored: Promise<string[]> | undefined;
  #looking: Promise<void> | undefined;
  /** Aborted to look now, and to look no more. */
  #pause = new AbortController();
  #closed: Promise<void> | undefined;

  constructor({ database, logger, closeGraceSeconds = 3, outages }: PgBossQueueOptions) {
    this.#database = database;
    this.#logger = logger;
    this.#closeGraceSeconds = closeGraceSeconds;
    this.#outages = { ...usualWaits, ...outages };
    this.#boss = this.#createBoss();
  }

  #createBoss(): PgBoss {
    const embedded = this.#database.engine === 'pglite';
    const boss = new PgBoss({
      backend: this.#database.engine,
      db: { executeSql: (text, values) => this.#executeSql(text, values) },
      schedule: false,
      // In the embedded engine no other process can take over, and each check writes to disk.
      superviseIntervalSeconds: embedded ? 60 : 5,
      monitorIntervalSeconds: embedded ? 60 : 5,
      flowIntervalSeconds: 3600,
      reindex: !embedded,
      monitorVacuum: !embedded,
    });
    boss.on('error', (error) => this.#report(error.message, 'The job queue reported an error.'));
    boss.on('warning', (warning) =>
      this.#report(warning.message, 'The job queue reported a warning.'),
    );
    return boss;
  }

  async #executeSql(text: string, values?: unknown[]) {
    const transaction = this.#transaction.getStore();
    if (transaction !== undefined) return fromKysely(transaction).executeSql(text, values);
    return this.#database.execute(text, values);
  }

  #report(detail: string, message: string): void {
    // After closing, the library's remaining work finds a closed database; ignore those errors.
    if (!this.#closing.signal.aborted) this.#logger.warn({ detail }, message);
  }

  async start(): Promise<void> {
    // Under a lock: the library's statements that create its schema fail if another process runs
    // them at the same time.
    if (this.#database.engine !== 'pglite')
      return this.#database.queries.transaction().execute(async (transaction) => {
        await sql`SELECT pg_advisory_xact_lock(${startLockId})`.execute(transaction);
        await this.#boss.start();
      });
    await this.#boss.start();
    // No other process can use this data: a job that is marked as running belongs to a killed
    // process.
    for (const { name, id } of await takeFromEndedWorkers(this.#database)) {
      await this.#boss.fail(name, id, { message: 'The process was stopped during the job.' });
    }
  }

  async enqueue<Payload extends object>(
    job: JobDefinition<Payload>,
    payload: Payload,
    transaction?: Transaction,
    rank = 0,
  ): Promise<void> {
    if (transaction === undefined) {
      await this.#ensureQueue(job.name);
      await this.#send(job, payload, rank);
    } else {
      await this.#transaction.run(transaction, () =>
        this.#enqueueInTransaction(job, payload, rank),
      );
    }
    this.#wakeWorkers(job.name);
  }

  async #enqueueInTransaction<Payload extends object>(
    job: JobDefinition<Payload>,
    payload: Payload,
    rank: number,
  ): Promise<void> {
    // The library's own method to create a queue would commit. What is created here may be rolled
    // back, so it is not remembered.
    if (!this.#known.has(job.name)) {
      for (const name of [job.name + deadLetterEnding, job.name]) {
        await this.#executeSql(`SELECT pgboss.create_queue($1, '{"policy":"standard"}')`, [name]);
      }
    }
    await this.#send(job, payload, rank);
  }

  async #send<Payload extends object>(
    job: JobDefinition<Payload>,
    payload: Payload,
    rank: number,
  ): Promise<void> {
    // The library runs the highest priority first.
    const id = await this.#boss.send(job.name, payload, {
      ...sendOptions(job),
      priority: 0 - rank,
    });
    if (id === null) throw new Error(`The job queue rejected the job ${job.name}.`);
  }

  /**
   * Makes workers in this process poll now instead of at the next interval. In the embedded engine
   * their poll waits for its only connection, and so for the end of the transaction that the job
   * may be in; elsewhere the next interval finds it.
   */
  #wakeWorkers(name: string): void {
    const begin = this.#unused.get(name);
    if (begin && !this.#closing.signal.aborted) {
      this.#unused.delete(name);
      void this.#outside(begin).catch((error: unknown) => {
        this.#unused.set(name, begin);
        this.#report(errorMessage(error), `The workers of ${name} could not begin.`);
      });
    }
    for (const worker of this.#workersOf.get(name) ?? []) this.#boss.notifyWorker(worker);
  }

  #ensureQueue(name: string): Promise<void> {
    const queueCreation = this.#known.get(name) ?? this.#createQueues(name);
    this.#known.set(name, queueCreation);
    return queueCreation;
  }

  async #createQueues(name: string): Promise<void> {
    try {
      // All at once: a start that creates each of thirty that exist takes ninety queries.
      this.#stored ??= this.#boss.getQueues().then((queues) => queues.map((queue) => queue.name));
      const stored = await this.#stored;
      for (const queue of [name + deadLetterEnding, name])
        if (!stored.includes(queue)) await this.#boss.createQueue(queue);
    } catch (error) {
      this.#known.delete(name);
      this.#stored = undefined;
      throw error;
    }
  }

  async work<Payload extends object>(
    job: JobDefinition<Payload>,
    handler: (payload: Payload, context: JobContext) => Promise<void>,
    { concurrency = 1, givenUp }: WorkOptions<Payload> = {},
  ): Promise<void> {
    await this.#ensureQueue(job.name);
    this.#unused.set(job.name, async () => {
      for (let count = 0; count < concurrency; count += 1)
        await this.#addWorker(job.name, (claimedJob) => this.#run(claimedJob, job, handler));
    });
    if (givenUp !== undefined) {
      const queue = job.name + deadLetterEnding;
      this.#unused.set(queue, () =>
        this.#addWorker(queue, (claimedJob) => this.#run(claimedJob, job, givenUp)),
      );
    }
    this.#looking ??= this.#look();
    this.#pause.abort();
  }

  async #addWorker(
    queue: string,
    run: (claimedJob: JobWithMetadata<object> | undefined) => Promise<void>,
  ): Promise<void> {
    const options = { includeMetadata: true, pollingIntervalSeconds } as const;
    const worker = await this.#boss.work<object, void, typeof options>(
      queue,
      options,
      ([claimedJob]) => run(claimedJob),
    );
    this.#workersOf.set(queue, [...(this.#workersOf.get(queue) ?? []), worker]);
  }

  /** Wakes the workers of the kinds of jobs that are due, until the queue closes. */
  async #look(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      // All kinds that begin together are one look.
      await setImmediate();
      if (signal.aborted) return;
      this.#pause = new AbortController();
      try {
        const queues = [...this.#workersOf.keys(), ...this.#unused.keys()];
        for (const name of await listDueQueues(this.#database, queues)) this.#wakeWorkers(name);
      } catch (error) {
        this.#report(errorMessage(error), 'The job queue could not look for jobs that are due.');
      }
      const pauseMs = lookPauseMs[this.#database.engine];
      await wait(pauseMs, undefined, { signal: this.#pause.signal, ref: false }).catch(() => {});
    }
  }

  async #run<Payload extends object>(
    claimedJob: JobWithMetadata<object> | undefined,
    job: JobDefinition<Payload>,
    handler: (payload: Payload, context: JobContext) => Promise<void>,
  ): Promise<void> {
    if (claimedJob === undefined) return;
    if (this.#closing.signal.aborted) return releaseJob(this.#database, claimedJob);
    this.#running.add(claimedJob);
    const waits = waitOf(claimedJob, this.#outages);
    try {
      await handler(job.parse(claimedJob.data), this.#contextOf(claimedJob, waits));
    } catch (error) {
      if (this.#closing.signal.aborted) return await releaseJob(this.#database, claimedJob);
      if (waits !== undefined && isOutage(error))
        return await this.#postpone(claimedJob, waits, error);
      const message = errorMessage(error);
      this.#logger.warn(
        {
          job: claimedJob.name,
          ...idsIn(claimedJob.data),
          attempt: claimedJob.retryCount + 1,
          message,
        },
        'A job failed.',
      );
      throw error;
    } finally {
      this.#running.delete(claimedJob);
      // More may wait: the next poll need not wait for its interval.
      this.#wakeWorkers(claimedJob.name);
    }
  }

  /**
   * Returns a job to the queue for a while. If its own database is what is away, that succeeds when
   * it is back.
   */
  async #postpone(
    claimedJob: JobWithMetadata<object>,
    waits: OutageWait,
    error: unknown,
  ): Promise<void> {
    const message = errorMessage(error);
    const fields = {
      job: claimedJob.name,
      ...idsIn(claimedJob.data),
      waitSeconds: waits.seconds,
      message,
    };
    this.#logger.warn(fields, 'A job waits: something that it needs is away.');
    for (;;) {
      try {
        return await postponeJob(this.#database, claimedJob, waits);
      } catch (fault) {
        if (!isOutage(fault) || this.#closing.signal.aborted) throw fault;
      }
      await wait(releasePauseMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  #contextOf(claimedJob: JobWithMetadata<object>, waits: OutageWait | undefined): JobContext {
    const closing = this.#closing.signal;
    return {
      signal: AbortSignal.any([claimedJob.signal, closing]),
      attempt: claimedJob.retryCount + 1,
      ...(waits && { waitSeconds: waits.seconds }),
      get lastAttempt() {
        return !closing.aborted && claimedJob.retryCount >= claimedJob.retryLimit;
      },
    };
  }

  /** A kind that was used and has no jobs is listed with 0. */
  async depth(): Promise<Record<string, number>> {
    const { rows } = await this.#database.execute(
      `SELECT queue.name, count(job.id) AS count
       FROM pgboss.queue LEFT JOIN pgboss.job ON job.name = queue.name AND job.state < 'completed'
       WHERE right(queue.name, $1) <> $2
       GROUP BY queue.name ORDER BY queue.name`,
      [deadLetterEnding.length, deadLetterEnding],
    );
    return Object.fromEntries(rows.map((row) => [String(row.name), Number(row.count)]));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new Error('The server is shutting down.'));
    this.#pause.abort();
    const idle = Promise.all([...this.#workersOf.keys()].map((name) => this.#boss.offWork(name)));
    await inTime(idle, this.#closeGraceSeconds * 1000, () => {});
    // A handler that ignores the abort goes on, but its job is free for another worker.
    for (const claimedJob of this.#running) await releaseJob(this.#database, claimedJob);
    await this.#boss.stop({ graceful: false, close: false });
  }
}

function sendOptions(job: JobDefinition<object>): SendOptions {
  return {
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    ...(job.maxRetryDelaySeconds !== undefined && {
      retryBackoff: true,
      retryDelayMax: job.maxRetryDelaySeconds,
    }),
    heartbeatSeconds: Math.max(job.heartbeatSeconds, minHeartbeatSeconds),
    expireInSeconds: maxRunSeconds,
    deleteAfterSeconds: keepEndedJobsSeconds,
    deadLetter: job.name + deadLetterEnding,
  };
}

/** Identifies a job, its kind, and the attempt that a worker holds. */
interface ClaimedJob {
  name: string;
  id: string;
  retryCount: number;
}

/**
 * How long a job waits if it ends with an outage now, and what is stored with it, so that the time
 * it has waited is known.
 */
interface OutageWait {
  seconds: number;
  stored: { waits: number; waitingSince: string };
}

/** @returns `undefined` if the job has waited as long as it may */
function waitOf({ output }: JobWithMetadata<object>, limits: OutageWaits): OutageWait | undefined {
  const { waits = 0, waitingSince = new Date().toISOString() } = (output ?? {}) as Partial<
    OutageWait['stored']
  >;
  if (Date.now() - Date.parse(waitingSince) >= limits.totalSeconds * 1000) return undefined;
  const seconds = Math.min(limits.maxSeconds, limits.firstSeconds * 2 ** Math.min(waits, 30));
  return { seconds, stored: { waits: waits + 1, waitingSince } };
}

/**
 * Returns a job to the queue for some seconds, as if its attempt had not begun: an outage is not
 * the job's fault. Does nothing if the job has ended or another worker holds it by now; one that
 * was taken from this worker as dead did not fail either.
 */
async function postponeJob(
  database: Database,
  job: ClaimedJob,
  { seconds, stored }: OutageWait,
): Promise<void> {
  await database.execute(
    `UPDATE pgboss.job SET state = 'created', started_on = NULL, heartbeat_on = NULL, output = $4::jsonb,
       start_after = pgboss.job_now() + $5::double precision * interval '1 second'
     WHERE name = $1 AND id = $2 AND state IN ('active', 'retry') AND retry_count = $3`,
    [job.name, job.id, job.retryCount, JSON.stringify(stored), seconds],
  );
}

/** Returns the ids in a payload, for the log; the rest of it may be somebody's address. */
function idsIn(payload: object): object {
  return Object.fromEntries(
    Object.entries(payload).filter(
      ([name, value]) => /Id$/.test(name) && typeof value === 'string',
    ),
  );
}

/** Suffix of the queue that holds a kind's dead letters. */
const deadLetterEnding = '.dead';

/**
 * Returns a job to the queue as if its attempt had not begun: a shutdown is not the job's fault.
 * Does nothing if the job has ended or another worker holds it by now.
 */
async function releaseJob(database: Database, job: ClaimedJob): Promise<void> {
  await database.execute(
    `UPDATE pgboss.job SET state = 'created', started_on = NULL, heartbeat_on = NULL
     WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`,
    [job.name, job.id, job.retryCount],
  );
}

/** Returns which of these queues have a job that a worker could take now. */
async function listDueQueues(database: Database, names: readonly string[]): Promise<string[]> {
  const { rows } = await database.execute(
    `SELECT queue.name FROM unnest($1::text[]) AS queue (name) WHERE EXISTS (
       SELECT 1 FROM pgboss.job WHERE job.name = queue.name AND job.state < 'active' AND NOT job.blocked
         AND job.start_after < pgboss.job_now())`,
    [names],
  );
  return rows.map((row) => String(row.name));
}

/**
 * Takes the jobs from workers that are known to have ended. Those that can be retried are ready for
 * a worker at once, with the failed attempt counted. Resolves to the others, for which that was the
 * last attempt.
 */
async function takeFromEndedWorkers(
  database: Database,
): Promise<Pick<ClaimedJob, 'name' | 'id'>[]> {
  await database.execute(
    `UPDATE pgboss.job SET state = 'retry', start_after = pgboss.job_now() - interval '1 second', heartbeat_on = NULL
     WHERE state = 'active' AND retry_count < retry_limit`,
  );
  const { rows } = await database.execute(`SELECT name, id FROM pgboss.job WHERE state = 'active'`);
  return rows.map((row) => ({ name: String(row.name), id: String(row.id) }));
}
