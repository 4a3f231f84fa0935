/** Somebody who can sign in. */
export interface AccountUser {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  twoFactorEnabled: boolean;
}

/** What an HTTP request says about who sends it. */
export interface AccountRequest {
  /** The `Cookie` header. */
  cookie?: string | undefined;
  userAgent?: string | undefined;
  /** Address of the client, shown in the list of sessions. */
  address?: string | undefined;
}

/** An operation of signing in, as the API has it below `/v1/auth`. */
export interface AccountOperation extends AccountRequest {
  method: 'GET' | 'POST';
  /** For example `/sign-in/email`. */
  path: string;
  /** With its question mark; empty where there is none. */
  query?: string;
  body?: object | undefined;
}

export interface AccountAnswer {
  status: number;
  body: unknown;
  /** `Set-Cookie` headers of the response. */
  cookies: string[];
  /** Where the browser is sent. */
  location?: string;
}

/** The identifier of the OpenID Connect provider that a server has. */
export const SSO_PROVIDER = 'oidc';

/** An OpenID Connect provider to sign in with, and what is decided about those who come from it. */
export interface SsoSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  /** Whether an address counts as verified where the provider says nothing about that. */
  trustsEmail: boolean;
  /** A word for why somebody with this verified address does not come in; `undefined` where they do. */
  refusalOf(person: { email: string; isNew: boolean }): Promise<string | undefined>;
  /** Called once for each account that the provider brought. */
  onSignUp(person: { userId: string; email: string }): Promise<void>;
  /** Called when an account can be signed in with from the provider for the first time. */
  onConnect(userId: string): Promise<void>;
}

/** Limits of a password, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 128 } as const;

/**
 * Accounts of people: passwords, second factors, sessions. What they may do is decided elsewhere. A session is in a cookie that scripts
 * cannot read; whether a request may come from another site is for the caller to decide.
 */
export interface Accounts {
  /** Name of the cookie that holds a session. */
  readonly cookieName: string;
  /**
   * Whose session the cookies of a request are. A session that has ended may be found for up to a minute; whoever acts on it checks that
   * its row is there.
   * @returns `cookies` to send with the response; `undefined` where there is no session
   */
  findSession(request: AccountRequest): Promise<{ sessionId: string; user: AccountUser; cookies: string[] } | undefined>;
  /**
   * Signs in or out, or changes the account that is signed in.
   * @throws DocentError `wrong_credentials`, `unauthenticated`, `invalid_request`, `link_refused`, `rate_limited`, `route_not_found`
   */
  perform(operation: AccountOperation): Promise<AccountAnswer>;
  /** @throws DocentError `account_exists` where the address has an account; `invalid_request` where the password has a wrong length */
  createUser(user: { name: string; email: string; password: string }): Promise<AccountUser>;
  /** Deletes an account with its sessions. */
  deleteUser(userId: string): Promise<void>;
  /**
   * A new token with which a password can be set once, within an hour.
   * @param provesAddress whether only somebody with the address of the account can have the token, because it is sent there
   */
  createPasswordReset(userId: string, options?: { provesAddress: boolean }): Promise<string>;
  /**
   * Sets a password with a token, and ends all sessions.
   * @returns whose it is
   * @throws DocentError `link_refused`, `invalid_request` where the password has a wrong length
   */
  resetPassword(token: string, newPassword: string): Promise<AccountUser>;
  /** Removes the second factor of an account whose owner has lost it, and ends their sessions. */
  removeTwoFactor(userId: string): Promise<void>;
}
