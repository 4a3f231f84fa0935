const BASE = '/dashboard';
const SIGN_IN = `${BASE}/sign-in`;
const INVITATION = `${BASE}/invite/`;

/**
 * A path of the dashboard, with query string and hash, in the characters of an address (RFC 3986).
 * Browsers would read a backslash as a slash, and leave out tabs and line breaks.
 */
const ADDRESS = /^(\/dashboard(?:\/[!"$->@-[\]-~]*)?)(?:[?#][!-[\]-~]*)?$/;

/** What browsers resolve as `.` or `..`. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/**
 * Returns the address of the sign-in that leads back to a page.
 * @param returnAddress its path, query string and hash
 */
export function signInAddress(returnAddress: string): string {
  return `${SIGN_IN}?next=${encodeURIComponent(returnAddress)}`;
}

/**
 * Whether a sign-in may lead to an address. Anyone can write it into a link, so only pages of the
 * dashboard are accepted, as the browser will read the address, and not the sign-in itself.
 */
export function isReturnAddress(address: string): boolean {
  const path = ADDRESS.exec(address)?.[1];
  if (path === undefined || path.startsWith(SIGN_IN)) return false;
  return !path.split('/').some((segment) => DOTS.test(segment));
}

/**
 * Reads where to go after the sign-in.
 * @param next the parameter of `signInAddress`
 */
export function addressAfterSignIn(next: string | undefined): string {
  return next !== undefined && isReturnAddress(next) ? next : BASE;
}

/** Where to go with a new account, which has accepted the invitations of its email address. */
export function addressAfterSignUp(address: string): string {
  return address.startsWith(INVITATION) ? BASE : address;
}
