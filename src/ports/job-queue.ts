import type { Transaction } from './database.ts';

/** A kind of job: its name and what its payload is. Definitions live in `jobs/<name>.job.ts`. */
export interface JobDefinition<Payload extends object> {
  /** kebab-case. */
  name: string;
  /** Checks a payload that comes back from storage; throws on a wrong one. */
  parse(payload: unknown): Payload;
  /** Tries after the first. */
  retryLimit: number;
  retryDelaySeconds: number;
  /** Where it is given, each wait is about twice the one before, up to this. */
  maxRetryDelaySeconds?: number;
  /** A worker that gave no sign of life for this long loses the job to another. */
  heartbeatSeconds: number;
}

export interface JobContext {
  /** Aborted on shutdown. */
  signal: AbortSignal;
  /** 1 for the first try. */
  attempt: number;
  /** Whether a throw now fails the job permanently. Never so on shutdown: what is thrown then gives the job back. */
  readonly lastAttempt: boolean;
}

export interface WorkOptions<Payload> {
  /** Jobs of this kind at a time; 1 where it is not given. */
  concurrency?: number;
  /**
   * Called after a job failed permanently, at least once, with its payload: also when its worker was killed in its last try
   * and could say nothing. Must be able to run again.
   */
  givenUp?: (payload: Payload) => Promise<void>;
}

/**
 * At-least-once work. A job is a nudge: its own row in our tables is the truth, and a handler must be able to run again
 * from the beginning.
 */
export interface JobQueue {
  /** Adds a job. Inside `transaction` it exists if and only if that commits. */
  enqueue<Payload extends object>(job: JobDefinition<Payload>, payload: Payload, transaction?: Transaction): Promise<void>;
  /** Starts to take jobs of this kind, `concurrency` at a time. */
  work<Payload extends object>(
    job: JobDefinition<Payload>,
    handler: (payload: Payload, context: JobContext) => Promise<void>,
    options?: WorkOptions<Payload>,
  ): Promise<void>;
  /** Jobs waiting or running, by name; for metrics. */
  depth(): Promise<Record<string, number>>;
  /** Takes no more jobs, aborts the running ones, and gives them back to the queue. */
  close(): Promise<void>;
}
