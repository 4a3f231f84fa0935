/**
 * Why a remote model did not answer. The message is only ours: a provider's message may contain a
 * part of the key or of the text.
 */
export class ProviderFault extends Error {
  /**
   * `busy`: the same request may succeed later. `silent`: it may, but it has waited long enough. `too-much`: fewer or shorter texts may succeed. `refused`: it cannot succeed
   * before someone changes a setting or the provider.
   */
  readonly kind: 'busy' | 'silent' | 'too-much' | 'refused';
  /** How long the provider asked to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ProviderFault['kind'], message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'ProviderFault';
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** @param what start of the message: `The embedding model` */
export function faultOfStatus(
  what: string,
  status: number,
  retryAfter?: string | null,
): ProviderFault {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  const message = `${what} returned status ${status}.`;
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) {
    return new ProviderFault('busy', message, seconds);
  }
  return new ProviderFault(
    status === 400 || status === 413 || status === 422 ? 'too-much' : 'refused',
    message,
  );
}
