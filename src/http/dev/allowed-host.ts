import { isIP } from 'node:net';
import { hostname } from 'node:os';

/**
 * Returns whether a server for this machine only may answer a request with this `Host`. A page elsewhere can make a browser call
 * us under its own hostname that resolves to us (DNS rebinding), and would then read the response; it cannot do so under an IP
 * address, `localhost`, or this machine's name.
 */
export function isAllowedHost(header: string | undefined): boolean {
  const url = header === undefined ? null : URL.parse(`http://${header}`);
  if (!url || url.username || url.pathname !== '/') return false;
  const name = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const own = hostname().toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || name === own || name === `${own}.local`;
}
