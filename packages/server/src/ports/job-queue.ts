import type { Transaction } from './database.ts';

/** A kind of job: its name and the type of its payload. Definitions are in `jobs/<name>.job.ts`. */
export interface JobDefinition<Payload extends object> {
  /** kebab-case. */
  name: string;
  /** Validates a payload read from storage; throws if it is invalid. */
  parse(payload: unknown): Payload;
  /** Attempts after the first. */
  retryLimit: number;
  retryDelaySeconds: number;
  /** If set, each delay is about twice the previous one, up to this. */
  maxRetryDelaySeconds?: number;
  /** A worker without a heartbeat for this long loses the job to another. */
  heartbeatSeconds: number;
}

export interface JobContext {
  /** Aborted on shutdown. */
  signal: AbortSignal;
  /** 1 for the first attempt. */
  attempt: number;
  /**
   * Whether an error now fails the job permanently. Never true on shutdown: an error then returns
   * the job to the queue.
   */
  readonly lastAttempt: boolean;
  /**
   * How long the job waits, in seconds, if it ends now with an outage (`format/outages.ts`), which
   * does not count as an attempt. Absent once it has waited as long as a job may: an outage is then
   * an error like any other.
   */
  readonly waitSeconds?: number;
}

/**
 * How jobs wait while something that they need is unavailable: each wait is twice as long as the
 * one before, within limits.
 */
export interface OutageWaits {
  firstSeconds: number;
  maxSeconds: number;
  /** After this time, an outage is an error like any other. */
  totalSeconds: number;
}

export interface WorkOptions<Payload> {
  /** Maximum concurrent jobs of this kind; defaults to 1. */
  concurrency?: number;
  /**
   * Called with its payload after a job failed permanently, at least once: even if its worker was
   * killed in the last attempt and could not report. Must be able to run again.
   */
  givenUp?: (payload: Payload) => Promise<void>;
}

/**
 * At-least-once work. A job is a nudge: its own row in our tables is the source of truth, and a
 * handler must be able to run again from the beginning.
 */
export interface JobQueue {
  /**
   * Adds a job. Inside `transaction` it exists if and only if that commits.
   * @param rank of jobs of one kind that are due, the one with the lowest runs first, and of equals
   *   the oldest; whole, 0 by default
   */
  enqueue<Payload extends object>(
    job: JobDefinition<Payload>,
    payload: Payload,
    transaction?: Transaction,
    rank?: number,
  ): Promise<void>;
  /** Starts to process jobs of this kind, `concurrency` at a time. */
  work<Payload extends object>(
    job: JobDefinition<Payload>,
    handler: (payload: Payload, context: JobContext) => Promise<void>,
    options?: WorkOptions<Payload>,
  ): Promise<void>;
  /** Returns the number of waiting or running jobs by name; for metrics. */
  depth(): Promise<Record<string, number>>;
  /** Stops taking jobs, aborts the running ones, and returns them to the queue. */
  close(): Promise<void>;
}
