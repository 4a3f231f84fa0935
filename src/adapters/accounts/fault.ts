import { DocentError, type ErrorCode } from '../../core/errors.ts';
import { PASSWORD_LENGTH } from '../../ports/accounts.ts';

const WRONG = 'Email address or password is wrong.';
const WRONG_CODE = 'The code is wrong, was used already, or has expired.';

/** Maps the library's error codes to our messages. */
const known: Record<string, [ErrorCode, string]> = {
  INVALID_EMAIL_OR_PASSWORD: ['wrong_credentials', WRONG],
  INVALID_PASSWORD: ['wrong_credentials', 'The password is wrong.'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: ['invalid_request', 'This account has no password; sign in with single sign-on.'],
  INVALID_CODE: ['wrong_credentials', WRONG_CODE],
  INVALID_BACKUP_CODE: ['wrong_credentials', 'The recovery code is wrong or was used already.'],
  INVALID_TWO_FACTOR_COOKIE: ['wrong_credentials', 'The sign-in has expired; enter your password again.'],
  INVALID_TOKEN: ['link_refused', 'The link has expired or was used already; request a new one.'],
  PASSWORD_TOO_SHORT: ['invalid_request', `A password must have at least ${PASSWORD_LENGTH.min} characters.`],
  PASSWORD_TOO_LONG: ['invalid_request', `A password must have at most ${PASSWORD_LENGTH.max} characters.`],
  ACCOUNT_TEMPORARILY_LOCKED: ['rate_limited', 'Too many wrong codes; try again in 15 minutes.'],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: ['rate_limited', 'Too many wrong codes; sign in again.'],
  PROVIDER_NOT_FOUND: ['invalid_request', 'There is no such identity provider; GET /v1/session lists them.'],
};

/** Converts an error response of the library to one of ours. */
export function accountFault(status: number, body: unknown): DocentError {
  const { code = '', message } = (typeof body === 'object' && body !== null ? body : {}) as { code?: string; message?: string };
  const found = known[code];
  if (found) return new DocentError(...found);
  if (status === 401)
    return new DocentError('unauthenticated', 'You are not signed in, or the session has ended; sign in again.');
  if (status === 404) return new DocentError('route_not_found', 'Nothing was found at this address.');
  if (status === 429)
    return new DocentError('rate_limited', 'Too many requests; try again in a minute.', { retryAfterSeconds: 60 });
  if (status < 500) return new DocentError('invalid_request', `The request was refused: ${message ?? code}.`);
  throw new Error(`The accounts library returned ${status}: ${code} ${message ?? ''}`);
}
