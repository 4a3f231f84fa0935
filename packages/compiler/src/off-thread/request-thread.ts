import { parentPort, Worker } from 'node:worker_threads';
import { errorMessage } from '@docent/format/error-message.ts';

interface ThreadRequest<Request> {
  id: number;
  request: Request;
}

/** `result` is absent if the request failed. */
interface ThreadReply<Result> {
  id: number;
  result?: Result;
  fault?: string;
}

export interface RequestThreadOptions {
  /** The module that the thread runs; it calls `answerRequests`. */
  module: URL;
  workerData?: unknown;
  /** The thread ends after this long without a request; by default it stays. */
  idleMs?: number;
  /**
   * Creates the error of a request that the thread could not answer (`failed`), or that was lost
   * with the thread.
   */
  fault: (kind: 'failed' | 'lost', reason: string) => Error;
}

/**
 * A thread that answers requests one after another. Only pending requests keep the process alive,
 * not the thread; a thread that ended is restarted by the next request.
 */
export class RequestThread<Request, Result> {
  readonly #options: RequestThreadOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<Result>>();
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 0;

  constructor(options: RequestThreadOptions) {
    this.#options = options;
  }

  /** Starts the thread before the first request, if loading it takes long. */
  start(): Worker {
    if (this.#thread) return this.#thread;
    const { module, workerData, fault } = this.#options;
    const started = new Worker(module, { env: {}, workerData });
    this.#thread = started;
    started.on('message', ({ id, result, fault: reason = '' }: ThreadReply<Result>) => {
      const pendingRequest = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (result !== undefined) pendingRequest?.resolve(result);
      else pendingRequest?.reject(fault('failed', reason));
    });
    const lost = (reason: string) => {
      if (this.#thread === started) this.#lose(reason);
    };
    started.on('error', (error: Error) => lost(error.message));
    started.on('exit', (code) => lost(`its thread exited with code ${code}.`));
    started.unref();
    return started;
  }

  /** @throws the error that `fault` creates; the signal's reason if it was aborted */
  async ask(request: Request, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    clearTimeout(this.#idle);
    const thread = this.start();
    const id = this.#nextId++;
    const deferred: PromiseWithResolvers<Result> = Promise.withResolvers();
    this.#waiting.set(id, deferred);
    const onAbort = () => {
      this.#waiting.delete(id);
      deferred.reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      thread.ref();
      thread.postMessage({ id, request } satisfies ThreadRequest<Request>);
      return await deferred.promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  /** Ends the thread; pending requests are lost. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const last = this.#thread;
    this.#lose('it was stopped.');
    await last?.terminate();
  }

  #rest(): void {
    this.#thread?.unref();
    const { idleMs } = this.#options;
    if (idleMs !== undefined) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }

  #lose(reason: string): void {
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(this.#options.fault('lost', reason));
    this.#waiting.clear();
  }
}

/** Runs in the thread: answers its requests one after another. */
export function answerRequests<Request, Result>(
  answer: (request: Request) => Promise<Result>,
): void {
  const port = parentPort;
  if (!port) throw new Error('This module runs only as a worker thread.');
  let queue: Promise<void> = Promise.resolve();
  port.on('message', ({ id, request }: ThreadRequest<Request>) => {
    queue = queue.then(async () => {
      const reply = await answer(request).then(
        (result): ThreadReply<Result> => ({ id, result }),
        (error: unknown): ThreadReply<Result> => ({ id, fault: errorMessage(error) }),
      );
      port.postMessage(reply);
    });
  });
}
