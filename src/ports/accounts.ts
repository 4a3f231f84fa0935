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
  /** A new token with which a password can be set once, within an hour. */
  createPasswordReset(userId: string): Promise<string>;
  /** Removes the second factor of an account whose owner has lost it, and ends their sessions. */
  removeTwoFactor(userId: string): Promise<void>;
}
