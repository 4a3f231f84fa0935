import type { FastifyReply } from 'fastify';

/**
 * Changes the `cache-control` of an answer that not everybody may read: no cache that readers share
 * keeps it, and a browser asks again each time, unless what is at the address never changes.
 */
export function keepFromSharedCaches(reply: FastifyReply): void {
  const cacheControl = String(reply.getHeader('cache-control') ?? '');
  if (cacheControl.includes('no-store')) return;
  const rest = cacheControl.includes('immutable') ? 'max-age=31536000, immutable' : 'no-cache';
  reply.header('cache-control', `private, ${rest}`);
}
