import type { IpRange } from '@docent/format/access/ip.ts';
import type { Response } from 'undici';
import type { OutsideCalls } from '../../ports/outside-calls.ts';
import {
  OutsideFault,
  type OutsideFile,
  type OutsideFileOptions,
  type OutsideFiles,
} from '../../ports/outside-files.ts';
import { createGuardedAgent, parseGuardedUrl } from './guarded-agent.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Fetches files and calls APIs over HTTP, through the guarded agent. */
export function createHttpOutside({
  allowedRanges = [] as readonly IpRange[],
} = {}): OutsideFiles & OutsideCalls & { close(): Promise<void> } {
  let client: ReturnType<typeof openClient> | undefined;
  /** The package takes 7 MB, so it is loaded with the first request. */
  const openClient = async () => {
    const undici = await import('undici');
    return { fetch: undici.fetch, dispatcher: createGuardedAgent(undici, allowedRanges) };
  };
  const opened = () => (client ??= openClient());

  async function follow(
    address: string,
    options: OutsideFileOptions,
    signal: AbortSignal,
  ): Promise<OutsideFile> {
    let url = parseGuardedUrl(address, allowedRanges);
    const { fetch, dispatcher } = await opened();
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await fetch(url, {
        dispatcher,
        signal,
        redirect: 'manual',
        credentials: 'omit',
        headers: { accept: options.accept ?? '*/*', 'user-agent': options.userAgent ?? 'Docent' },
      });
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return await readFile(response, url, options.maxBytes);
      await response.body?.cancel();
      if (!URL.canParse(location, url.href)) {
        throw new OutsideFault('status', `${url.href} redirects to an invalid address.`);
      }
      url = parseGuardedUrl(new URL(location, url.href).href, allowedRanges);
    }
    throw new OutsideFault('status', `${address} redirects more than ${MAX_REDIRECTS} times.`);
  }

  return {
    async fetch(address, options) {
      const deadline = AbortSignal.timeout(options.timeoutMs);
      const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
      try {
        return await follow(address, options, signal);
      } catch (error) {
        options.signal?.throwIfAborted();
        throw outsideFault(error, address, options.timeoutMs);
      }
    },
    async call({ url, method, headers, body, timeoutMs, signal }) {
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const target = parseGuardedUrl(url, allowedRanges);
        const { fetch, dispatcher } = await opened();
        const response = await fetch(target, {
          dispatcher,
          method,
          headers: [
            ['user-agent', 'Docent'],
            ...headers.map(([name, value]): [string, string] => [name, value]),
          ],
          ...(body && body.byteLength > 0 && { body }),
          redirect: 'manual',
          credentials: 'omit',
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        });
        const { status, statusText } = response;
        return {
          status,
          statusText,
          headers: [...response.headers],
          body: response.body ?? noBody(),
        };
      } catch (error) {
        signal?.throwIfAborted();
        throw outsideFault(
          error,
          URL.canParse(url) ? new URL(url).origin : 'The address',
          timeoutMs,
        );
      }
    },
    close: async () => (await client)?.dispatcher.destroy(),
  };
}

async function readFile(response: Response, url: URL, maxBytes: number): Promise<OutsideFile> {
  const tooLarge = () =>
    new OutsideFault('too-large', `${url.href} is larger than ${maxBytes} bytes.`);
  if (!response.ok) {
    await response.body?.cancel();
    throw new OutsideFault('status', `${url.href} returned status ${response.status}.`);
  }
  // The declared length is that of the encoded body, so it can only reject early; the count below
  // decides.
  if (
    !response.headers.has('content-encoding') &&
    Number(response.headers.get('content-length')) > maxBytes
  ) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const type =
    (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return {
    url: url.href,
    type,
    bytes: Buffer.concat(chunks, size),
    freshSeconds: freshSeconds(response.headers),
  };
}

/**
 * Returns `Cache-Control` without the directives for shared caches: each site keeps its own copies.
 */
function freshSeconds(headers: Response['headers']): number {
  const rules = headers.get('cache-control')?.toLowerCase() ?? '';
  if (/\bno-(?:store|cache)\b/.test(rules)) return 0;
  const age = Number(headers.get('age') ?? 0) || 0;
  return Math.max(0, Number(/\bmax-age\s*=\s*"?(\d{1,10})/.exec(rules)?.[1] ?? 0) - age);
}

/** Returns the error that `fetch` wraps, which is the useful one. */
function outsideFault(error: unknown, address: string, timeoutMs: number): OutsideFault {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof OutsideFault) return cause;
  const timedOut = error instanceof Error && error.name === 'TimeoutError';
  return new OutsideFault(
    'unreachable',
    timedOut
      ? `${address} did not respond within ${timeoutMs / 1000} s.`
      : `${address} could not be reached.`,
    { cause: error },
  );
}

async function* noBody(): AsyncIterable<Uint8Array> {}
