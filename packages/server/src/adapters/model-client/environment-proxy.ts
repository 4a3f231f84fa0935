import { EnvHttpProxyAgent, fetch as fetchByUndici } from 'undici';

const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/**
 * Sends requests through the proxy of `HTTP_PROXY` and `HTTPS_PROXY`, except to the hosts of
 * `NO_PROXY`.
 * @param ca a certificate authority to trust instead of the known ones
 * @returns undefined if the environment names no proxy
 */
export function environmentProxy(ca?: string): EnvHttpProxyAgent | undefined {
  if (!VARIABLES.some((name) => process.env[name])) return undefined;
  // The caller decides how long a model may be silent.
  return new EnvHttpProxyAgent({
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(ca !== undefined && { connect: { ca }, requestTls: { ca } }),
  });
}

/** `fetch` through the environment's proxy; the platform's own `fetch` if there is none. */
export function proxiedFetch(): typeof globalThis.fetch {
  const dispatcher = environmentProxy();
  if (!dispatcher) return globalThis.fetch;
  const through = ((url: string, init: object) =>
    fetchByUndici(url, { ...init, dispatcher })) as unknown;
  return through as typeof globalThis.fetch;
}
