import type { FastifyRequest } from 'fastify';

/** Returns the values of all cookies of a name. */
export function cookiesOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string[] {
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
}

/**
 * Returns the `Set-Cookie` header of a cookie that only requests carry. It is for this host alone,
 * because it names no domain, and is also sent with a navigation from another site. The prefix
 * `__Host-` of a name demands the path `/`.
 */
export function cookieText(cookie: {
  name: string;
  value: string;
  path?: string;
  /** How long the browser keeps it; 0 deletes it. */
  seconds: number;
  isEncrypted: boolean;
}): string {
  const { name, value, path = '/', seconds, isEncrypted } = cookie;
  const secure = isEncrypted ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
