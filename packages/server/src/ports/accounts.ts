/** A person who can sign in. */
export interface AccountUser {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  twoFactorEnabled: boolean;
}

/** The parts of an HTTP request that identify its sender. */
export interface AccountRequest {
  /** The `Cookie` header. */
  cookie?: string | undefined;
  userAgent?: string | undefined;
  /** Address of the client, shown in the list of sessions. */
  address?: string | undefined;
}

/** A sign-in operation, as the API has it below `/v1/auth`. */
export interface AccountOperation extends AccountRequest {
  method: 'GET' | 'POST';
  /** For example `/sign-in/email`. */
  path: string;
  /** Including the question mark; empty if there is none. */
  query?: string;
  body?: object | undefined;
}

export interface AccountAnswer {
  status: number;
  body: unknown;
  /** `Set-Cookie` headers of the response. */
  cookies: string[];
  /** Where to redirect the browser. */
  location?: string;
}

/** The identifier of the server's OpenID Connect provider. */
export const SSO_PROVIDER = 'oidc';

/** An OpenID Connect provider for sign-in, and the rules for people who use it. */
export interface SsoSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  /** Whether an address counts as verified if the provider does not say. */
  trustsEmail: boolean;
  /**
   * What proves a second factor, besides `amr`: values of `acr`. `undefined` if it is left to the
   * provider.
   */
  secondFactor: { acrValues: readonly string[] } | undefined;
  /**
   * Returns the reason why a person with this verified address is refused; `undefined` if they are
   * admitted.
   */
  refusalOf(person: { email: string; isNew: boolean }): Promise<string | undefined>;
  /** Called once for each account that the provider created. */
  onSignUp(person: { userId: string; email: string }): Promise<void>;
  /** Called when the provider can sign in to an account for the first time. */
  onConnect(userId: string): Promise<void>;
}

/** Limits of a password, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 128 } as const;

/** The form of a stored hash: `password` in `format/build/stored-forms.ts`. */
export type PasswordForm = 1 | 2;

/** How passwords are stored. Whatever this version has stored, in either form, stays readable. */
export interface Passwords {
  /** The form that is written now, also of recovery codes. */
  readonly form: PasswordForm;
  /**
   * @param form by default the one that this version writes
   * @throws DocentError `dependency_unavailable` while too many passwords are being checked
   */
  hash(password: string, form?: PasswordForm): Promise<string>;
  /**
   * Returns whether a password is the one of a hash.
   * @throws DocentError `dependency_unavailable` while too many passwords are being checked
   */
  verify(stored: { hash: string; password: string }): Promise<boolean>;
  /** Whether a hash is weaker than those that are written now. */
  isOutdated(hash: string): boolean;
}

/**
 * Accounts of people: passwords, second factors, sessions. Permissions are decided elsewhere. A
 * session is in a cookie that scripts cannot read; the caller decides whether a request may come
 * from another site.
 */
export interface Accounts {
  /** Name of the session cookie. */
  readonly cookieName: string;
  /**
   * Returns the session of a request's cookies. An ended session may be returned for up to a
   * minute; callers that act on it check that its row exists.
   * @returns when it began, and `cookies` to send with the response; `undefined` if there is no
   *   session
   */
  findSession(
    request: AccountRequest,
  ): Promise<
    { sessionId: string; startedAt: Date; user: AccountUser; cookies: string[] } | undefined
  >;
  /**
   * Returns the id of the browser in a `Cookie` header, if it signed in to the account with this
   * address before. It survives the session, proves nothing else, and is absent after the cookies
   * were deleted.
   */
  findDevice(cookie: string | undefined, email: string): string | undefined;
  /**
   * Returns the id of the person whose sign-in waits for a second factor in the browser with this
   * `Cookie` header.
   */
  findPending(cookie: string | undefined): Promise<string | undefined>;
  /**
   * Signs in or out, or changes the signed-in account.
   * @throws DocentError `wrong_credentials`, `unauthenticated`, `invalid_request`, `link_refused`,
   *   `rate_limited`, `route_not_found`
   */
  perform(operation: AccountOperation): Promise<AccountAnswer>;
  /**
   * Starts a session that reaches one organization, for a member whom its provider has signed in; it
   * ends with the membership. The former session of the browser ends.
   * @param endsAt when its provider ends it, however much it is used
   * @returns cookies to send
   */
  startSession(
    userId: string,
    organizationId: string,
    request: AccountRequest,
    endsAt?: Date | undefined,
  ): Promise<readonly string[]>;
  /**
   * @param user without a password, only a provider or a link that sets one lets them in
   * @throws DocentError `account_exists` if the address has an account; `invalid_request` if the
   *   password has an invalid length
   */
  createUser(user: {
    name: string;
    email: string;
    password?: string | undefined;
  }): Promise<AccountUser>;
  /**
   * Changes the address that someone signs in with. Links that were sent to the former one no longer
   * set a password, and an identity provider has to prove the new one.
   * @throws DocentError `account_exists` if the address has an account
   */
  changeEmail(userId: string, email: string): Promise<void>;
  /**
   * Creates a token that changes the address of an account once, within an hour. Only the owner of
   * the new address can have it, because it is sent there. A change of the address, the password or
   * the second factor makes it void.
   */
  createEmailChange(userId: string, email: string): Promise<string>;
  /**
   * Changes the address that a token was created for; it counts as verified.
   * @returns the account before the change, and `cookies` to send with the response
   * @throws DocentError `link_refused`, `account_exists`
   */
  confirmEmailChange(
    token: string,
  ): Promise<{ user: AccountUser; email: string; cookies: string[] }>;
  /** Deletes an account with its sessions. */
  deleteUser(userId: string): Promise<void>;
  /**
   * Creates a token that can set a password once, within an hour.
   * @param provesAddress whether only the owner of the account's address can have the token,
   *   because it is sent there
   */
  createPasswordReset(userId: string, options?: { provesAddress: boolean }): Promise<string>;
  /**
   * Returns the owner of the account whose password a token can set now; `undefined` if it can set
   * none.
   */
  findPasswordReset(token: string): Promise<AccountUser | undefined>;
  /**
   * Sets a password with a token, and ends all sessions.
   * @returns the owner of the account
   * @throws DocentError `link_refused`, `invalid_request` if the password has an invalid length
   */
  resetPassword(token: string, newPassword: string): Promise<AccountUser>;
  /** Removes the second factor of an account whose owner has lost it, and ends their sessions. */
  removeTwoFactor(userId: string): Promise<void>;
}
