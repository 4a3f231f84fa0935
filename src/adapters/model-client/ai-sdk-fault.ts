import { faultOfStatus, ProviderFault } from '../../ports/provider-fault.ts';

/**
 * Converts an error of a provider package, dropping its content: the request, the response, and the provider's message must not
 * be logged.
 * @throws the signal's reason if it was aborted
 */
export function aiSdkFault(what: string, error: unknown, signal: AbortSignal): ProviderFault {
  signal.throwIfAborted();
  if (error instanceof ProviderFault) return error;
  const { statusCode, responseHeaders } = (typeof error === 'object' && error !== null ? error : {}) as {
    statusCode?: unknown;
    responseHeaders?: Record<string, string>;
  };
  if (typeof statusCode !== 'number') return new ProviderFault('busy', `${what} could not be reached.`);
  // A response in an unexpected format has a success status.
  if (statusCode < 400) return new ProviderFault('refused', `${what} returned a response that cannot be read.`);
  return faultOfStatus(what, statusCode, responseHeaders?.['retry-after']);
}
