import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { App } from '../http/base-app.ts';
import { limitHeaders } from '../http/response-headers.ts';
import { operationsBy } from './operation.ts';
import type { Bucket } from './rate-limits.ts';

/**
 * The URLs of a discovery operation: the hosted service's own, its older one, and the plain one.
 * The description has the first.
 */
export const discoveryPrefixes = [
  { prefix: '/discovery', hide: false },
  { prefix: '/api/discovery', hide: true },
  { prefix: '', hide: true },
] as const;

/**
 * Returns the site that a request names. Hooks run before parameters are parsed; the URL pattern
 * guarantees this one.
 */
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

interface DiscoveryOperation {
  /** The limits that its calls count against; absent for operations without a cost. */
  bucket?: Bucket;
}

/** Registers discovery operations, at each of their URLs. */
export function discoveryOperationsOf(app: App, access: DiscoveryAccess, tag: string) {
  return operationsBy(app, tag, ({ bucket }: DiscoveryOperation) => ({
    security: [{ assistantKey: [] }],
    onRequest: bucket ? access.counted(bucket) : access.free,
    refusals: [401, 403, 404, ...(bucket ? [429] : [])],
    responseHeaders: bucket ? limitHeaders : [],
    places: discoveryPrefixes,
    callerOf: (request) => ({ site: access.siteOf(request) }),
  }));
}
