import { isIP } from 'node:net';
import { hostname } from 'node:os';

/**
 * Whether a request with this `Host` may be answered by a server that is meant for this machine alone. A page elsewhere
 * can make a browser call us under a name of its own that leads here (DNS rebinding), and would then read the answer; it
 * cannot do so under an address, under `localhost`, or under this machine's name.
 */
export function isAllowedHost(header: string | undefined): boolean {
  const url = header === undefined ? null : URL.parse(`http://${header}`);
  if (!url || url.username || url.pathname !== '/') return false;
  const name = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const own = hostname().toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || name === own || name === `${own}.local`;
}
