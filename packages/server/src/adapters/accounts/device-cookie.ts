import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a browser remembers that somebody signed in with it. */
export const DEVICE_SECONDS = 365 * 24 * 3600;

const NAME = 'device';

/**
 * The cookie of a browser that signed in to an account ("device cookies", OWASP: Slow Down Online
 * Guessing Attacks). It grants nothing: wrong passwords from this browser are counted apart from
 * those of strangers.
 */
export function deviceCookie({ secret, cookiePrefix }: { secret: string; cookiePrefix: string }) {
  const name = `${cookiePrefix}.${NAME}`;
  const sign = (id: string, email: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['device', id, email.toLowerCase()]))
      .digest();
  return {
    name,
    create(email: string): string {
      const id = randomBytes(16).toString('base64url');
      return `${id}.${sign(id, email).toString('base64url')}`;
    },
    /**
     * Returns the id of the browser in a `Cookie` header, if it signed in to the account with this
     * address.
     */
    read(header: string | undefined, email: string): string | undefined {
      const [id = '', signature = ''] = cookieValue(header, name)?.split('.') ?? [];
      const [sent, expected] = [Buffer.from(signature, 'base64url'), sign(id, email)];
      return sent.length === expected.length && timingSafeEqual(sent, expected) ? id : undefined;
    },
  };
}

/** Returns the value of a cookie in a `Cookie` header. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
