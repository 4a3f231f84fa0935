import { fetch } from 'undici';
import type { IpRange } from '../../core/access/ip.ts';
import type { OutsideCalls } from '../../ports/outside-calls.ts';
import { createGuardedAgent, parseGuardedUrl } from './guarded-agent.ts';
import { outsideFault } from './http.ts';

/** Calls APIs over HTTP through the guarded agent. */
export function createHttpOutsideCalls({ allowedRanges = [] as readonly IpRange[] } = {}): OutsideCalls & {
  close(): Promise<void>;
} {
  const dispatcher = createGuardedAgent(allowedRanges);
  return {
    async call({ url, method, headers, body, timeoutMs, signal }) {
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(parseGuardedUrl(url, allowedRanges), {
          dispatcher,
          method,
          headers: [['user-agent', 'Docent'], ...headers.map(([name, value]): [string, string] => [name, value])],
          ...(body && body.byteLength > 0 && { body }),
          redirect: 'manual',
          credentials: 'omit',
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        });
        const { status, statusText } = response;
        return { status, statusText, headers: [...response.headers], body: response.body ?? noBody() };
      } catch (error) {
        signal?.throwIfAborted();
        throw outsideFault(error, URL.canParse(url) ? new URL(url).origin : 'The address', timeoutMs);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

async function* noBody(): AsyncIterable<Uint8Array> {}
