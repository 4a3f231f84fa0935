import { Worker } from 'node:worker_threads';
import { ProviderFault } from '../../ports/provider-fault.ts';

/** Messages to and from the thread: `result` is absent if the model failed. */
export interface ThreadRequest<Request> {
  id: number;
  request: Request;
}
export interface ThreadReply<Result> {
  id: number;
  result?: Result;
  /** Why there is no result. */
  fault?: string;
}

export interface ModelThreadOptions {
  /** The module that the thread runs; it calls `serveModel`. */
  module: URL;
  workerData?: unknown;
  /** For messages: `The embedding model`. */
  what: string;
}

/**
 * A model in a separate thread, which starts at once because loading takes seconds. Only pending requests keep the process alive,
 * not the thread; a thread that ended is restarted by the next request.
 */
export class ModelThread<Request, Result> {
  readonly #options: ModelThreadOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<Result>>();
  #thread: Worker | undefined;
  #nextId = 0;

  constructor(options: ModelThreadOptions) {
    this.#options = options;
    this.#thread = this.#start();
  }

  /** @throws ProviderFault if the model fails; the signal's reason if it was aborted */
  async ask(request: Request, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const id = this.#nextId++;
    const one: PromiseWithResolvers<Result> = Promise.withResolvers();
    this.#waiting.set(id, one);
    const onAbort = () => {
      this.#waiting.delete(id);
      one.reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      thread.ref();
      thread.postMessage({ id, request } satisfies ThreadRequest<Request>);
      return await one.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (this.#waiting.size === 0) this.#thread?.unref();
    }
  }

  #start(): Worker {
    const { module, workerData, what } = this.#options;
    const started = new Worker(module, { env: {}, workerData });
    started.on('message', ({ id, result, fault }: ThreadReply<Result>) => {
      const one = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (result !== undefined) one?.resolve(result);
      else one?.reject(new ProviderFault('refused', `${what} could not read a text${fault ? `: ${fault}` : '.'}`));
    });
    const lost = (reason: string) => {
      if (this.#thread === started) this.#thread = undefined;
      for (const { reject } of this.#waiting.values()) reject(new ProviderFault('busy', `${what} stopped: ${reason}`));
      this.#waiting.clear();
    };
    started.on('error', (error: Error) => lost(error.message));
    started.on('exit', (code) => lost(`its thread exited with code ${code}.`));
    started.unref();
    return started;
  }
}
