import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { LiveSite } from '../../../services/sites/live-sites.ts';
import type { Bucket } from '../../rate-limits.ts';

/**
 * The URLs of a discovery operation: the hosted service's own, its older one, and the plain one. The description has the first.
 */
export const discoveryPrefixes = [
  { prefix: '/discovery', hide: false },
  { prefix: '/api/discovery', hide: true },
  { prefix: '', hide: true },
] as const;

export const domainParams = z.object({
  domain: z.string().meta({ description: "The site's identifier, or one of its hostnames.", examples: ['acme'] }),
});

/** Returns the site that a request names. Hooks run before parameters are parsed; the URL pattern guarantees this one. */
export function domainOf(request: FastifyRequest): string {
  return (request.params as { domain: string }).domain;
}

/** Defines who may call the discovery operations, for which site, and how often. */
export interface DiscoveryAccess {
  /** `onRequest` hooks of an operation that counts against the limits of the bucket. */
  counted(bucket: Bucket): onRequestAsyncHookHandler[];
  /** Like `counted`, for operations without a cost. */
  free: onRequestAsyncHookHandler[];
  /** Returns the requested site; only behind these hooks. */
  siteOf(request: FastifyRequest): LiveSite;
  /** Returns whether the caller is signed in, and so is not a program. */
  isMember(request: FastifyRequest): boolean;
}
