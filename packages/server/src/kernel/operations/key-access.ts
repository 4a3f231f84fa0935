import type { AssistantSettings } from '@docent/assistant/assistant-settings.ts';
import { mayRead, type Reader } from '@docent/format/access/may-read.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { Deps } from '../deps.ts';
import { readerOf } from '../http/reader-of.ts';
import { findRequestedSite } from '../sites/find-site.ts';
import { type DiscoveryAccess, domainOf } from './discovery-operation.ts';
import { actorOf, requireActor } from './identify.ts';
import { countRequest, declareBucket } from './rate-limits.ts';

/** The access of the platform: an assistant key of the site, or a member of its organization. */
export function keyAccess(deps: Deps): DiscoveryAccess {
  const sites = new WeakMap<FastifyRequest, LiveSite>();
  const isMember = (request: FastifyRequest) => actorOf(request).kind === 'member';
  const findSite = async (request: FastifyRequest): Promise<LiveSite> => {
    const site = await findRequestedSite(deps, actorOf(request), domainOf(request));
    const seen = site.as(isMember(request) ? 'owner' : await requireReader(deps, request, site));
    sites.set(request, seen);
    return seen;
  };
  const findSiteForOrigin = async (request: FastifyRequest): Promise<void> => {
    const { siteId } = await findSite(request);
    // Members ask from the dashboard, whose origin was checked with their session.
    if (!isMember(request))
      requireOrigin(await deps.assistantSettings.of(siteId), request.headers.origin);
  };
  return {
    counted: (bucket) => [
      declareBucket(deps, bucket),
      requireActor(deps, 'assistant.ask'),
      findSiteForOrigin,
      countRequest(deps, bucket),
    ],
    free: [requireActor(deps, 'assistant.read'), async (request) => void (await findSite(request))],
    siteOf: (request) => sites.get(request) as LiveSite,
    isMember,
  };
}

/** A key may be public, so on a private site it opens nothing without its reader. */
async function requireReader(
  deps: Deps,
  request: FastifyRequest,
  site: LiveSite,
): Promise<Reader | undefined> {
  const reader = await readerOf(deps, request, site);
  if (mayRead(reader, { isPublic: false }, site.access)) return reader;
  throw new DocentError(
    'sign_in_required',
    'This site is private: send the token of a reader as X-Reader-Token beside the key.',
  );
}

/** Browsers say where a request comes from; other callers say nothing, and their key decides. */
function requireOrigin({ allowedOrigins }: AssistantSettings, origin: string | undefined): void {
  if (origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes(origin))
    return;
  throw new DocentError(
    'origin_not_allowed',
    `The assistant of this site does not answer pages of ${origin.slice(0, 200)}.`,
  );
}
