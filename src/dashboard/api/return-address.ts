const BASE = '/dashboard';

/**
 * Returns the address of the sign-in that leads back to a page.
 * @param wanted its path, query string and hash
 */
export function signInAddress(wanted: string): string {
  return `${BASE}/sign-in?${new URLSearchParams({ next: wanted })}`;
}

/**
 * Reads where to go after the sign-in. Anyone can write a query string, so only pages of the dashboard are accepted, as the browser
 * will read the address.
 * @param next the parameter of `signInAddress`
 */
export function addressAfterSignIn(next: string | undefined): string {
  if (next === undefined || !next.startsWith('/')) return BASE;
  const origin = 'https://dashboard.invalid';
  const url = URL.parse(next, origin);
  const isInside = url?.origin === origin && (url.pathname === BASE || url.pathname.startsWith(`${BASE}/`));
  if (!isInside || /[\\\s]/.test(next) || url.pathname.startsWith(`${BASE}/sign-in`)) return BASE;
  return url.pathname + url.search + url.hash;
}
