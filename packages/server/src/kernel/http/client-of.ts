import { clientAddress, type IpAddress } from '@docent/format/access/ip.ts';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';

/** Returns the client's address if known; none on a unix socket. */
export function clientOf(
  { config }: { config: Pick<Config, 'trustedProxies'> },
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): IpAddress | undefined {
  const forwarded = request.headers['x-forwarded-for'];
  const forwardedFor = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
  return clientAddress(request.raw.socket.remoteAddress, forwardedFor, config.trustedProxies);
}
