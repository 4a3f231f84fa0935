import { faultOfStatus, ProviderFault } from '../../ports/provider-fault.ts';

/**
 * What a provider package throws, without what it holds: the request, the answer, and words of the provider, of which none
 * may be logged.
 * @throws the signal's reason where it was aborted
 */
export function aiSdkFault(what: string, error: unknown, signal: AbortSignal): ProviderFault {
  signal.throwIfAborted();
  if (error instanceof ProviderFault) return error;
  const { statusCode, responseHeaders } = (typeof error === 'object' && error !== null ? error : {}) as {
    statusCode?: unknown;
    responseHeaders?: Record<string, string>;
  };
  if (typeof statusCode !== 'number') return new ProviderFault('busy', `${what} could not be reached.`);
  // An answer of another form than the package expects carries the status of success.
  if (statusCode < 400) return new ProviderFault('refused', `${what} answered with something that cannot be read.`);
  return faultOfStatus(what, statusCode, responseHeaders?.['retry-after']);
}
