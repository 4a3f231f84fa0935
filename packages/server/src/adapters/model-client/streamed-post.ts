import { validateHeaderValue } from 'node:http';
import { connect as connectPlain, isIP, type TcpNetConnectOpts } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectSecure } from 'node:tls';
import type { Dispatcher } from 'undici';
import { environmentProxy } from './environment-proxy.ts';
import { Exchange, KeptConnections, type StreamedAnswer } from './streamed-answer.ts';

interface StreamedPostOptions {
  url: URL;
  headers: Record<string, string>;
  /** Pause between reads of a connection; data that arrives meanwhile is read together. */
  readEveryMs: () => number;
  /** A certificate authority to trust instead of the known ones. */
  ca?: string | undefined;
}

/**
 * Sends HTTP/1.1 requests (RFC 9112) to one address and reads their responses as slowly as
 * requested. It exists because thousands of responses may arrive in small pieces at once: reading
 * four pieces together takes half the CPU of the four callbacks of the platform's client
 * (`decisions/2026-11-21-own-model-connection.md`). If the environment names a proxy, undici sends
 * them through it. The returned function takes the body and the headers that only this request has.
 * @throws TypeError if a header is invalid
 */
export function createStreamedPost({
  url,
  headers,
  readEveryMs,
  ca,
}: StreamedPostOptions): (body: string, further?: Record<string, string>) => StreamedAnswer {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const at = { host, port: Number(url.port) || (isSecure ? 443 : 80), noDelay: true };
  const head = `POST ${url.pathname}${url.search} HTTP/1.1\r\n${linesOf({ host: url.host, ...headers })}`;
  const proxy = environmentProxy(ca);
  if (proxy) {
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
    } as const;
    return (body, further) =>
      new ProxiedAnswer(
        proxy,
        { ...request, headers: { ...headers, ...further }, body },
        readEveryMs,
      );
  }
  const connections = new KeptConnections((onread) => {
    // Both accept it; the types declare it for only one.
    const options: TcpNetConnectOpts & ConnectionOptions = { ...at, onread };
    return isSecure
      ? connectSecure({ ...options, ...(isIP(host) === 0 && { servername: host }), ca })
      : connectPlain(options);
  });
  return (body, further = {}) => {
    const request = `${head}${linesOf(further)}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return new Exchange(request, connections, readEveryMs);
  };
}

function linesOf(headers: Record<string, string>): string {
  const fields = Object.entries(headers);
  for (const [name, value] of fields) validateHeaderValue(name, value);
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

/** A request and its response through a proxy; otherwise like `Exchange`. */
class ProxiedAnswer implements StreamedAnswer {
  retryAfter: string | undefined;
  readonly #stop = new AbortController();
  readonly #hungUp = Promise.withResolvers<never>();
  readonly #answer: Promise<Dispatcher.ResponseData>;
  #body: AsyncIterator<Buffer> | undefined;
  readonly #readEveryMs: () => number;

  constructor(
    dispatcher: Dispatcher,
    request: Dispatcher.RequestOptions,
    readEveryMs: () => number,
  ) {
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

  async next(): Promise<readonly string[] | undefined> {
    if (this.#body) await sleep(this.#readEveryMs());
    this.#body ??= (await this.#answer).body[Symbol.asyncIterator]();
    const { value, done } = await this.#body.next();
    return done ? undefined : [value.toString('latin1')];
  }

  hangUp(): void {
    const reason = new Error('The request was canceled.');
    this.#stop.abort(reason);
    this.#hungUp.reject(reason);
  }
}
