import { randomBytes } from 'node:crypto';
import { weaknessOf } from '@docent/format/access/passwords.ts';
import { DocentError, type ErrorCode } from '@docent/format/errors.ts';
import { deletePendingProofs } from '../../kernel/access/second-factor-queries.ts';
import {
  type AccountAnswer,
  type AccountOperation,
  type AccountRequest,
  type Accounts,
  type AccountUser,
  PASSWORD_LENGTH,
  SSO_PROVIDER,
} from '../../ports/accounts.ts';
import { isUniqueViolation } from '../../ports/database.ts';
import { commonPasswords } from './common-passwords.ts';
import { throwingOutages } from './database-fault.ts';
import { cookieValue, deviceCookie } from './device-cookie.ts';
import type { AccountsOptions, Library } from './library.ts';
import { ADDRESS_HEADER, BASE_PATH, RESET_SECONDS } from './request-names.ts';

/** Prefix of tokens that were sent to the email address of their account. */
const MAILED = 'mail.';

/** The form of all tokens. */
const TOKEN = /^[\w.-]+$/;

/** The operations of single sign-on. */
const SSO_PATHS: ReadonlySet<string> = new Set([
  '/sign-in/social',
  '/link-social',
  `/callback/${SSO_PROVIDER}`,
]);

/** The operations that change a password or a second factor. */
const PROOF_CHANGES: ReadonlySet<string> = new Set([
  '/change-password',
  '/two-factor/disable',
  '/two-factor/verify-totp',
]);

/** Accounts by the library better-auth, in our database. */
export function createAccounts(options: AccountsOptions): Accounts {
  const { database } = options;
  const { origin, protocol } = new URL(options.publicUrl);
  const isSecure = protocol === 'https:';
  // Browsers accept a `__Host-` cookie only over HTTPS, and only from and for this host.
  const cookiePrefix = isSecure ? '__Host-docent' : 'docent';
  const cookieName = `${cookiePrefix}.session`;
  const devices = deviceCookie({ secret: options.secret, cookiePrefix });
  const settings = { ...options, origin, isSecure, cookiePrefix, cookieName, devices };
  let opened: Promise<Library> | undefined;
  let openedSso: Promise<Pick<Library, 'handler'>> | undefined;
  // The library is large, and many servers never see a sign-in: load it on first use.
  const library = () => {
    opened ??= import('./library.ts').then(({ openLibrary }) => openLibrary(settings));
    return opened;
  };
  const ssoLibrary = () => {
    const { sso } = options;
    if (!sso) throw accountFault(404, { code: 'PROVIDER_NOT_FOUND' });
    openedSso ??= import('./sso-library.ts').then(({ openSsoLibrary }) =>
      openSsoLibrary(settings, sso),
    );
    // The next call asks the provider again.
    openedSso.catch(() => {
      openedSso = undefined;
    });
    return openedSso;
  };
  const headersOf = ({ cookie, userAgent, address }: AccountRequest) => {
    const headers = new Headers({ origin });
    if (cookie !== undefined) headers.set('cookie', cookie);
    if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 500));
    if (address !== undefined) headers.set(ADDRESS_HEADER, address);
    return headers;
  };
  /** Creates a token that does something with an account once, within an hour. */
  const createToken = async (userId: string, use: string, prefix: string) => {
    const token = `${prefix}${randomBytes(24).toString('base64url')}`;
    const expiresAt = new Date(Date.now() + RESET_SECONDS * 1000);
    const { internalAdapter } = await (await library()).$context;
    const identifier = `${use}:${token}`;
    await internalAdapter.createVerificationValue({ identifier, value: userId, expiresAt });
    return token;
  };
  const setEmail = async (userId: string, change: { email: string; emailVerified: boolean }) => {
    const { internalAdapter } = await (await library()).$context;
    const email = change.email.toLowerCase();
    await internalAdapter.updateUser(userId, { ...change, email }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? exists(email) : error;
    });
    await deletePendingProofs(database.queries, userId);
  };
  const accounts: Accounts = {
    cookieName,
    async findSession(request) {
      const { response, headers } = await (await library()).api.getSession({
        headers: headersOf(request),
        returnHeaders: true,
      });
      if (!response) return undefined;
      const { session, user } = response;
      return {
        sessionId: session.id,
        startedAt: new Date(session.createdAt),
        user: userOf(user),
        cookies: headers.getSetCookie(),
      };
    },
    findDevice: devices.read,
    async findPending(cookie) {
      const [identifier] = decodeCookie(cookieValue(cookie, `${cookiePrefix}.two_factor`)).split(
        '.',
      );
      if (!identifier) return undefined;
      return (await (await library()).$context).internalAdapter
        .findVerificationValue(identifier)
        .then((step) => step?.value);
    },
    async perform(operation) {
      // Ignores the signed copy of the session, so that a revoked session is refused at once.
      const cookie = withoutCookies(operation.cookie, `${cookiePrefix}.session_data`);
      const { handler } = await (SSO_PATHS.has(operation.path) ? ssoLibrary() : library());
      const { newPassword } = (operation.body ?? {}) as { newPassword?: unknown };
      const changed = PROOF_CHANGES.has(operation.path)
        ? await this.findSession({ ...operation, cookie })
        : undefined;
      if (changed && typeof newPassword === 'string')
        await requireStrength(newPassword, changed.user.email);
      const answer = await readAnswer(
        await handler(requestOf(origin, operation, headersOf({ ...operation, cookie }))),
      );
      if (changed) await deletePendingProofs(database.queries, changed.user.id);
      return answer;
    },
    async startSession(userId, organizationId, request, endsAt) {
      const { headers } = await (await library()).api.startOrganizationSession({
        body: { userId, organizationId, endsAt },
        headers: headersOf(request),
        returnHeaders: true,
      });
      return headers.getSetCookie();
    },
    async createUser({ name, email, password }) {
      if (password !== undefined) await requireStrength(password, email);
      const { internalAdapter, password: passwords } = await (await library()).$context;
      const address = email.toLowerCase();
      if (await internalAdapter.findUserByEmail(address)) throw exists(address);
      const hash = password === undefined ? undefined : await passwords.hash(password);
      const create = internalAdapter.createUser(
        { name, email: address, emailVerified: false },
        { method: 'admin' },
      );
      // Another request created the account while the password was being hashed.
      const user = await create.catch((error: unknown) => {
        throw isUniqueViolation(error) ? exists(address) : error;
      });
      if (hash !== undefined)
        await internalAdapter.linkAccount({
          providerId: 'credential',
          accountId: user.id,
          userId: user.id,
          password: hash,
        });
      return userOf(user);
    },
    changeEmail: (userId, email) => setEmail(userId, { email, emailVerified: false }),
    async createEmailChange(userId, email) {
      // The stored hash covers the address as well, so nobody can replace it.
      const address = Buffer.from(email.toLowerCase()).toString('base64url');
      return createToken(userId, 'change-email', `${address}.`);
    },
    async confirmEmailChange(token) {
      const { internalAdapter } = await (await library()).$context;
      const change = TOKEN.test(token)
        ? await internalAdapter.consumeVerificationValue(`change-email:${token}`)
        : undefined;
      const user = change && (await internalAdapter.findUserById(change.value));
      if (!user) throw accountFault(400, { code: 'INVALID_TOKEN' });
      const email = Buffer.from(token.split('.')[0] as string, 'base64url').toString();
      await setEmail(user.id, { email, emailVerified: true });
      // The signed copy of the session has the former address.
      const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
      const cookies = [`${cookiePrefix}.session_data=; Max-Age=0; ${attributes}`];
      return { user: userOf(user), email, cookies };
    },
    async deleteUser(userId) {
      await (await (await library()).$context).internalAdapter.deleteUser(userId);
    },
    async createPasswordReset(userId, { provesAddress } = { provesAddress: false }) {
      return createToken(userId, 'reset-password', provesAddress ? MAILED : '');
    },
    async findPasswordReset(token) {
      if (!TOKEN.test(token)) return undefined;
      const { internalAdapter } = await (await library()).$context;
      const reset = await internalAdapter.findVerificationValue(`reset-password:${token}`);
      if (!reset || reset.expiresAt.getTime() <= Date.now()) return undefined;
      const user = await internalAdapter.findUserById(reset.value);
      return user ? userOf(user) : undefined;
    },
    async resetPassword(token, newPassword) {
      const user = await this.findPasswordReset(token);
      if (!user) throw accountFault(400, { code: 'INVALID_TOKEN' });
      await requireStrength(newPassword, user.email);
      await this.perform({ method: 'POST', path: '/reset-password', body: { token, newPassword } });
      await deletePendingProofs(database.queries, user.id);
      const { internalAdapter } = await (await library()).$context;
      // From now on, an identity provider that has also verified the address may sign them in.
      if (token.startsWith(MAILED))
        await internalAdapter.updateUser(user.id, { emailVerified: true });
      return user;
    },
    async removeTwoFactor(userId) {
      const { internalAdapter, adapter } = await (await library()).$context;
      await internalAdapter.updateUser(userId, { twoFactorEnabled: false });
      await adapter.deleteMany({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] });
      await internalAdapter.deleteUserSessions(userId);
      await deletePendingProofs(database.queries, userId);
    },
  };
  return throwingOutages(accounts);
}

function requestOf(
  origin: string,
  { method, path, query = '', body }: AccountOperation,
  headers: Headers,
): Request {
  if (method === 'POST') headers.set('content-type', 'application/json');
  const text = method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {};
  return new Request(`${origin}${BASE_PATH}${path}${query}`, { method, headers, ...text });
}

/** Decodes the value of a cookie; empty if there is none, or it was not encoded. */
function decodeCookie(value = ''): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/** Returns the `Cookie` header without the cookies whose names start with the prefix. */
function withoutCookies(header: string | undefined, start: string): string | undefined {
  return header
    ?.split(';')
    .filter((pair) => !pair.trimStart().startsWith(start))
    .join(';');
}

async function readAnswer(response: Response): Promise<AccountAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
  if (response.status >= 400) throw accountFault(response.status, body);
  const location = response.headers.get('location');
  return {
    status: response.status,
    body,
    cookies: response.headers.getSetCookie(),
    ...(location !== null && { location }),
  };
}

async function requireStrength(password: string, email: string): Promise<void> {
  if (password.length < PASSWORD_LENGTH.min)
    throw accountFault(400, { code: 'PASSWORD_TOO_SHORT' });
  if (password.length > PASSWORD_LENGTH.max) throw accountFault(400, { code: 'PASSWORD_TOO_LONG' });
  const weakness = weaknessOf(password, email, await commonPasswords());
  if (weakness !== undefined)
    throw new DocentError('invalid_request', `A password must not ${weakness}; choose another.`);
}

function exists(email: string): DocentError {
  return new DocentError('account_exists', `${email} has an account already; sign in with it.`);
}

function userOf(user: {
  id: string;
  name: string;
  email: string;
  twoFactorEnabled?: boolean | null | undefined;
}): AccountUser {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    twoFactorEnabled: user.twoFactorEnabled === true,
  };
}

const WRONG = 'Email address or password is wrong.';
const WRONG_CODE = 'The code is wrong, was used already, or has expired.';

/** Maps the library's error codes to our messages. */
const faultsByCode: Record<string, [ErrorCode, string]> = {
  INVALID_EMAIL_OR_PASSWORD: ['wrong_credentials', WRONG],
  INVALID_PASSWORD: ['wrong_credentials', 'The password is wrong.'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: [
    'invalid_request',
    'This account has no password; sign in with single sign-on.',
  ],
  INVALID_CODE: ['wrong_credentials', WRONG_CODE],
  OUTDATED_CODE: [
    'wrong_credentials',
    'The code has expired. Wait for the next code of the app, and enter that.',
  ],
  INVALID_BACKUP_CODE: ['wrong_credentials', 'The recovery code is wrong or was used already.'],
  CHALLENGE_NOT_FOUND: ['wrong_credentials', 'The request of the passkey has expired; try again.'],
  PASSKEY_NOT_FOUND: [
    'wrong_credentials',
    'This passkey is not known here; it was deleted, or is of another account or server.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: [
    'wrong_credentials',
    'This passkey is of another account.',
  ],
  AUTHENTICATION_FAILED: ['wrong_credentials', 'The passkey was not accepted; try again.'],
  FAILED_TO_VERIFY_REGISTRATION: ['invalid_request', 'The passkey was not accepted; try again.'],
  USER_NOT_VERIFIED: [
    'wrong_credentials',
    'The passkey must ask for your PIN, finger or face; turn that on, or use another one.',
  ],
  INVALID_TWO_FACTOR_COOKIE: [
    'wrong_credentials',
    'The sign-in has expired; enter your password again.',
  ],
  INVALID_TOKEN: ['link_refused', 'The link has expired or was used already; request a new one.'],
  PASSWORD_TOO_SHORT: [
    'invalid_request',
    `A password must have at least ${PASSWORD_LENGTH.min} characters.`,
  ],
  PASSWORD_TOO_LONG: [
    'invalid_request',
    `A password must have at most ${PASSWORD_LENGTH.max} characters.`,
  ],
  ACCOUNT_TEMPORARILY_LOCKED: ['rate_limited', 'Too many wrong codes; try again in 15 minutes.'],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: ['rate_limited', 'Too many wrong codes; sign in again.'],
  PROVIDER_NOT_FOUND: [
    'invalid_request',
    'There is no such identity provider; GET /v1/session lists them.',
  ],
};

/** Converts an error response of the library to one of ours. */
function accountFault(status: number, body: unknown): DocentError {
  const { code = '', message } = (typeof body === 'object' && body !== null ? body : {}) as {
    code?: string;
    message?: string;
  };
  const fault = faultsByCode[code];
  if (fault) return new DocentError(...fault);
  if (status === 401)
    return new DocentError(
      'unauthenticated',
      'You are not signed in, or the session has ended; sign in again.',
    );
  if (status === 404)
    return new DocentError('route_not_found', 'Nothing was found at this address.');
  if (status === 429)
    return new DocentError('rate_limited', 'Too many requests; try again in a minute.', {
      retryAfterSeconds: 60,
    });
  if (status < 500)
    return new DocentError('invalid_request', `The request was refused: ${message ?? code}.`);
  throw new Error(`The accounts library returned ${status}: ${code} ${message ?? ''}`);
}
