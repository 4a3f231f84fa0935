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

interface WorkerHostOptions {
  /** Starts a thread or a process that calls `answerCalls`. */
  start: () => Worker | ChildProcess;
  /** Functions that it may call. */
  local?: object;
  /** It ends after this long without a call; by default it stays. */
  idleMs?: number;
  /**
   * Creates the error of calls that were lost with it, from its own error or a `WorkerEnd`; by
   * default that error itself.
   */
  lost?: (reason: Error) => Error;
}

/**
 * A thread or a process that works for this one. It starts with the first call, and again with the
 * next one after it has ended. Only pending calls keep this process alive.
 * @typeParam Remote its functions
 */
export class WorkerHost<Remote extends object> {
  readonly #options: WorkerHostOptions;
  #running: { worker: Worker | ChildProcess; calls: Calls<Remote> } | undefined;
  #idle: NodeJS.Timeout | undefined;
  #pending = 0;

  constructor(options: WorkerHostOptions) {
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
   *   the error of `lost`; the reason of the signal
   */
  async run<Result>(
    work: (calls: Calls<Remote>) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted();
    clearTimeout(this.#idle);
    const { worker, calls } = this.#open();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#pending++;
    keepAlive(worker, true);
    try {
      return await Promise.race([work(calls), aborted]);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      if (--this.#pending === 0) this.#rest();
    }
  }

  /** Ends it at once; pending calls are lost. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#running?.worker;
    if (!worker) return;
    this.#lose(worker, new WorkerEnd('it was stopped.', 'SIGKILL'));
    if (worker instanceof Worker) await worker.terminate();
    else worker.kill('SIGKILL');
  }

  #open() {
    if (this.#running) return this.#running;
    const worker = this.#options.start();
    const calls = callWorker<Remote>(worker, this.#options.local);
    worker.on('error', (error: Error) => this.#lose(worker, error));
    worker.on('exit', (code: number | null, signal: NodeJS.Signals | null = null) =>
      this.#lose(worker, new WorkerEnd(`it exited with ${signal ?? `code ${code}`}.`, signal)),
    );
    keepAlive(worker, false);
    this.#running = { worker, calls };
    return this.#running;
  }

  #rest(): void {
    const worker = this.#running?.worker;
    if (!worker) return;
    keepAlive(worker, false);
    const { idleMs } = this.#options;
    if (idleMs !== undefined) this.#idle = setTimeout(() => void this.end(), idleMs).unref();
  }

  #lose(worker: Worker | ChildProcess, reason: Error): void {
    if (this.#running?.worker !== worker) return;
    const { calls } = this.#running;
    this.#running = undefined;
    const error = this.#options.lost?.(reason) ?? reason;
    calls.$rejectPendingCalls(({ reject }) => reject(error));
  }
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
