import { ChildProcess } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { type Calls, callWorker } from './calls.ts';

/** Why a thread or a process ended. */
export class WorkerEnd extends Error {
  /** The signal that ended a process. */
  readonly signal: NodeJS.Signals | null;

  constructor(message: string, signal: NodeJS.Signals | null = null) {
    super(message);
    this.signal = signal;
  }
}

interface WorkerHostOptions<Started extends Worker | ChildProcess> {
  /** Starts a thread or a process that calls `answerCalls`. */
  start: () => Started;
  /** Functions that it may call. An error of theirs ends the pending calls, too. */
  local?: object;
  /** It ends after this long without a call; by default it stays. */
  idleMs?: number;
  /**
   * Creates the error of calls that were lost with it, from its own error or a `WorkerEnd`; by
   * default that error itself.
   */
  lost?: (reason: Error) => Error;
  /** Kills a process at once; by default it alone, without those that it started. */
  kill?: (started: Started) => void;
}

interface Running<Started, Remote extends object> {
  worker: Started;
  calls: Calls<Remote>;
  /** The first error of a local function. */
  fault: { error: unknown } | undefined;
}

/**
 * A thread or a process that works for this one. It starts with the first call, and again with the
 * next one after it has ended. Only pending calls keep this process alive.
 * @typeParam Remote its functions
 */
export class WorkerHost<
  Remote extends object,
  Started extends Worker | ChildProcess = Worker | ChildProcess,
> {
  readonly #options: WorkerHostOptions<Started>;
  readonly #pending = new Set<(reason: unknown) => void>();
  #running: Running<Started, Remote> | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: WorkerHostOptions<Started>) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Starts it before the first call, if loading takes long. */
  start(): void {
    this.#open();
  }

  /**
   * Calls its functions.
   * @throws what the functions throw: an Error with its message, stack and code, or a DocentError;
   *   the error of a local function; the error of `lost`; the reason of the signal
   */
  async run<Result>(
    work: (calls: Calls<Remote>) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted();
    clearTimeout(this.#idle);
    const { worker, calls, fault } = this.#open();
    if (fault) throw fault.error;
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#pending.add(reject);
    keepAlive(worker, true);
    try {
      return await Promise.race([work(calls), interrupted]);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#pending.delete(reject);
      if (this.#pending.size === 0) this.#rest();
    }
  }

  /** Ends it at once; pending calls are lost. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#running?.worker;
    if (!worker) return;
    this.#lose(worker, new WorkerEnd('it was stopped.', 'SIGKILL'));
    if (worker instanceof Worker) await worker.terminate();
    else if (this.#options.kill) this.#options.kill(worker);
    else worker.kill('SIGKILL');
  }

  #open(): Running<Started, Remote> {
    if (this.#running) return this.#running;
    const { start, local = {} } = this.#options;
    const worker = start();
    const onError = (error: unknown) => {
      running.fault ??= { error };
      if (this.#running === running) for (const reject of this.#pending) reject(error);
    };
    const calls = callWorker<Remote>(worker, watched(local, onError));
    const running: Running<Started, Remote> = { worker, calls, fault: undefined };
    worker.on('error', (error: Error) => this.#lose(worker, error));
    worker.on('exit', (code: number | null, signal: NodeJS.Signals | null = null) =>
      this.#lose(worker, new WorkerEnd(`it exited with ${signal ?? `code ${code}`}.`, signal)),
    );
    keepAlive(worker, false);
    this.#running = running;
    return running;
  }

  #rest(): void {
    const worker = this.#running?.worker;
    if (!worker) return;
    keepAlive(worker, false);
    const { idleMs } = this.#options;
    if (idleMs !== undefined) this.#idle = setTimeout(() => void this.end(), idleMs).unref();
  }

  #lose(worker: Started, reason: Error): void {
    if (this.#running?.worker !== worker) return;
    const { calls } = this.#running;
    this.#running = undefined;
    const error = this.#options.lost?.(reason) ?? reason;
    calls.$rejectPendingCalls(({ reject }) => reject(error));
  }
}

/** Passes on the errors of functions: the other side gets only a copy of them. */
function watched(local: object, onError: (error: unknown) => void): object {
  const watchedEntries = Object.entries(local).map(([name, work]) => [
    name,
    async (...values: unknown[]) => {
      try {
        return await work(...values);
      } catch (error) {
        onError(error);
        throw error;
      }
    },
  ]);
  return Object.fromEntries(watchedEntries);
}

function keepAlive(worker: Worker | ChildProcess, isKept: boolean): void {
  const method = isKept ? 'ref' : 'unref';
  worker[method]();
  if (worker instanceof ChildProcess) worker.channel?.[method]();
}

/** Returns a function that starts each call after the last one has ended. */
export function inTurn<Input, Result>(
  work: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (input) => {
    const result = last.then(() => work(input));
    last = result.catch(() => {});
    return result;
  };
}
