import { mayRead } from '@docent/format/access/may-read.ts';
import { DocentError } from '@docent/format/errors.ts';
import { ownAddressPage } from '@docent/theme/plain-page.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../kernel/deps.ts';
import type { App } from '../../kernel/http/base-app.ts';
import { keepFromSharedCaches } from '../../kernel/http/keep-from-shared-caches.ts';
import { pathInside } from '../../kernel/http/path-inside.ts';
import { asksForPage } from '../../kernel/http/problem.ts';
import { agentTokenOf, READER_TOKEN_HEADER, readerOf } from '../../kernel/http/reader-of.ts';
import { hostSiteOf } from '../../kernel/http/site-hosts.ts';
import { siteOfRequest } from '../../kernel/http/site-of-request.ts';
import { SITE_ROUTE } from '../../kernel/http/site-route.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import { loginAddress, sendPage } from './sign-in-pages.ts';
import { isSignInForm, type SignInWays, signInForms, signInPageOf } from './sign-in-ways.ts';

type GateDeps = Pick<Deps, 'readerSessions' | 'readerTokens'> & {
  liveSites: Pick<Deps['liveSites'], 'findShown'>;
};

/**
 * Guards everything that is served of a site whose readers sign in, and serves its sign-in: in a
 * single place, so that no route of a site can be forgotten. Previews have a gate of their own.
 */
export function guardReaders(app: App, deps: GateDeps, ways: SignInWays): void {
  const guarded = new WeakMap<FastifyRequest, LiveSite>();

  app.addHook('onRequest', async (request, reply) => {
    const site = await guardedSite(deps, request);
    if (!site) return;
    guarded.set(request, site);
    if (isSignInForm(ways, request)) return;
    const sendSignIn = signInPageOf(ways, request);
    if (sendSignIn)
      return isOnHost(request)
        ? sendSignIn(request, reply, site)
        : refuseNobody(request, reply, site);
    // What there is of pages for everybody is decided where pages are served.
    if (isContentRoute(request)) return;
    const reader = await readerOf(deps, request, site);
    const hasToken = agentTokenOf(request) !== undefined;
    if (mayRead(reader, { isPublic: false }, site.access) && (reader || !hasToken)) return;
    if (ways.agents && isAgentRoute(request) && isOnHost(request))
      reply.header('www-authenticate', ways.agents.challengeOf(site, hasToken));
    return refuseNobody(request, reply, site);
  });

  app.addHook('onSend', (request, reply, _payload, done) => {
    const site = guarded.get(request);
    if (!site) return done();
    keepPrivate(deps, request, reply, site).then(() => done(), done);
  });

  signInForms(app, ways, (request) => (isOnHost(request) ? guarded.get(request) : undefined));
}

/** Returns the site of a request, if its readers can sign in or must. */
async function guardedSite(
  { liveSites }: GateDeps,
  request: FastifyRequest,
): Promise<LiveSite | undefined> {
  if (!request.routeOptions.url?.startsWith(SITE_ROUTE)) return undefined;
  const site = await siteOfRequest(liveSites, request, (request.params as { slug: string }).slug);
  return site && (site.access.isPrivate || site.access.canSignIn) ? site : undefined;
}

const isAgentRoute = ({ routeOptions: { url } }: FastifyRequest) => url === `${SITE_ROUTE}/mcp`;

/** `GET` of a page, a file or a listing; not that of the assistant, of events and the like. */
function isContentRoute({ method, routeOptions: { url } }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && (url === SITE_ROUTE || url === `${SITE_ROUTE}/*`)
  );
}

/** On the address of the platform all sites share their cookies, so nobody signs in there. */
function isOnHost(request: FastifyRequest): boolean {
  return hostSiteOf(request.raw) !== undefined;
}

/**
 * Answers a request of nobody in particular for something that only readers may read: a browser is
 * sent to the sign-in, and back from there.
 * @throws DocentError `sign_in_required` for programs
 */
export function refuseNobody(
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (!asksForPage(request))
    throw new DocentError(
      'sign_in_required',
      isOnHost(request)
        ? 'Readers of this site sign in; open it in a browser and sign in there, or send a token as X-Reader-Token.'
        : 'Readers of this site sign in, at its own address only.',
    );
  if (!isOnHost(request))
    return sendPage(
      reply,
      403,
      ownAddressPage(site.publicUrl.includes('/sites/') ? undefined : site.publicUrl),
    );
  const path = pathInside(request.url.replace(/^\/sites\/[^/?]*/, '') || '/');
  return reply.redirect(loginAddress(site, path), 303);
}

/**
 * No cache that readers share keeps anything; a browser asks again each time, so that the end of a
 * session counts at once.
 */
async function keepPrivate(
  deps: GateDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
): Promise<void> {
  reply.header(
    'vary',
    ['cookie', READER_TOKEN_HEADER, reply.getHeader('vary')].filter(Boolean).join(', '),
  );
  if (site.access.isPrivate) reply.header('x-robots-tag', 'noindex, nofollow');
  else if ((await readerOf(deps, request, site).catch(() => undefined)) === undefined) return;
  keepFromSharedCaches(reply);
}
