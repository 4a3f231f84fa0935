import type { Dispatcher } from 'undici';
import type { StreamedAnswer } from './streamed-answer.ts';

/** A request and its response through a proxy; otherwise like `Exchange`. */
export class ProxiedAnswer implements StreamedAnswer {
  retryAfter: string | undefined;
  readonly #stop = new AbortController();
  readonly #hungUp = Promise.withResolvers<never>();
  readonly #answer: Promise<Dispatcher.ResponseData>;
  readonly #readEveryMs: () => number;

  constructor(dispatcher: Dispatcher, request: Dispatcher.RequestOptions, readEveryMs: () => number) {
    this.#readEveryMs = readEveryMs;
    // The body is paused after each piece, so that nothing runs ahead of its reader.
    const answer = dispatcher.request({ ...request, signal: this.#stop.signal, highWaterMark: 1 });
    // A request that waits for the proxy ignores its signal.
    this.#answer = Promise.race([answer, this.#hungUp.promise]);
    this.#answer.catch(() => {});
  }

  async status(): Promise<number> {
    const { statusCode, headers } = await this.#answer;
    this.retryAfter = [headers['retry-after']].flat()[0];
    return statusCode;
  }

  async *read(): AsyncGenerator<readonly string[]> {
    const { body } = await this.#answer;
    for await (const bytes of body as AsyncIterable<Buffer>) {
      yield [bytes.toString('latin1')];
      await new Promise<void>((resolve) => setTimeout(resolve, this.#readEveryMs()));
    }
  }

  hangUp(): void {
    const reason = new Error('The request was canceled.');
    this.#stop.abort(reason);
    this.#hungUp.reject(reason);
  }
}
