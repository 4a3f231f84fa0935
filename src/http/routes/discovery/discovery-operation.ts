import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { findAskedSite } from '../../../services/find-asked-site.ts';
import type { LiveSite } from '../../../services/live-sites.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { countAssistantRequest, declareAssistantLimits } from '../../rate-limits.ts';

/** The two addresses of a discovery operation: the hosted service's own, and the plain one. The description has one of them. */
export const discoveryPrefixes = [
  { prefix: '/discovery', hide: false },
  { prefix: '', hide: true },
] as const;

export const domainParams = z.object({ domain: z.string().describe("The site's identifier or one of its hostnames.") });

/** The site that a request names. Hooks run before parameters are parsed; the address itself guarantees this one. */
export function domainOf(request: FastifyRequest): string {
  return (request.params as { domain: string }).domain;
}

/** Who may ask, for which site, how often: what every operation with an assistant key begins with. */
export function discoveryHooks(deps: Deps) {
  const sites = new WeakMap<FastifyRequest, LiveSite>();
  const findSite = async (request: FastifyRequest, _reply: FastifyReply) => {
    sites.set(request, await findAskedSite(deps, actorOf(request), domainOf(request)));
  };
  return {
    onRequest: [declareAssistantLimits(deps), requireActor(deps, 'assistant.ask'), findSite, countAssistantRequest(deps)],
    siteOf: (request: FastifyRequest) => sites.get(request) as LiveSite,
  };
}
