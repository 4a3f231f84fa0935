import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AssistantSettings } from '../../../core/assistant/assistant-settings.ts';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import { findAskedSite } from '../../../services/sites/find-asked-site.ts';
import type { LiveSite } from '../../../services/sites/live-sites.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { type Bucket, countRequest, declareBucket } from '../../rate-limits.ts';

/** The addresses of a discovery operation: the hosted service's own, its older one, and the plain one. The description has the first. */
export const discoveryPrefixes = [
  { prefix: '/discovery', hide: false },
  { prefix: '/api/discovery', hide: true },
  { prefix: '', hide: true },
] as const;

export const domainParams = z.object({
  domain: z.string().meta({ description: "The site's identifier, or one of its hostnames.", examples: ['acme'] }),
});

/** The site that a request names. Hooks run before parameters are parsed; the address itself guarantees this one. */
export function domainOf(request: FastifyRequest): string {
  return (request.params as { domain: string }).domain;
}

/** Who may ask, for which site, how often: what every operation with an assistant key begins with. */
export function discoveryHooks(deps: Deps, bucket: Bucket) {
  const sites = new WeakMap<FastifyRequest, LiveSite>();
  const findSite = async (request: FastifyRequest, _reply: FastifyReply) => {
    const actor = actorOf(request);
    const site = await findAskedSite(deps, actor, domainOf(request));
    // Members ask from the dashboard, whose origin was checked with their session.
    if (actor.kind !== 'member') requireOrigin(await deps.assistantSettings.of(site.siteId), request.headers.origin);
    sites.set(request, site);
  };
  return {
    onRequest: [declareBucket(deps, bucket), requireActor(deps, 'assistant.ask'), findSite, countRequest(deps, bucket)],
    siteOf: (request: FastifyRequest) => sites.get(request) as LiveSite,
  };
}

/** Browsers say where a request comes from; other callers say nothing, and their key decides. */
function requireOrigin({ allowedOrigins }: AssistantSettings, origin: string | undefined): void {
  if (origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes(origin)) return;
  throw new DocentError('origin_not_allowed', `The assistant of this site does not answer pages of ${origin.slice(0, 200)}.`);
}
