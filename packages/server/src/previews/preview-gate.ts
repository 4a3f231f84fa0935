import { readPreviewLabel } from '@docent/format/access/site-name.ts';
import { DocentError } from '@docent/format/errors.ts';
import {
  membersPage,
  OPEN_PATH,
  PLAIN_PAGE_POLICY,
  UNLOCK_PATH,
  unlockPage,
} from '@docent/theme/plain-page.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkPassword } from '../kernel/access/check-password.ts';
import { dashboardAddressOf } from '../kernel/access/dashboard-address.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { clientOf } from '../kernel/http/client-of.ts';
import { cookiesOf, cookieText } from '../kernel/http/cookies.ts';
import { acceptForms, formOf } from '../kernel/http/forms.ts';
import { keepFromSharedCaches } from '../kernel/http/keep-from-shared-caches.ts';
import { pathInside } from '../kernel/http/path-inside.ts';
import { hostSiteOf } from '../kernel/http/site-hosts.ts';
import { siteOfRequest } from '../kernel/http/site-of-request.ts';
import { SITE_ROUTE } from '../kernel/http/site-route.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import { isPreviewToken, makeUnlockToken, UNLOCKED_SECONDS } from './manage-previews.ts';

type GateDeps = Pick<
  Deps,
  'liveSites' | 'config' | 'secret' | 'clock' | 'limiter' | 'database' | 'passwords'
>;

const UNLOCK_ROUTE = `${SITE_ROUTE}/${UNLOCK_PATH}`;
const OPEN_ROUTE = `${SITE_ROUTE}/${OPEN_PATH}`;
const FORM_BYTES = 8 * 1024;

/**
 * Guards everything that is served of a preview: asks for its password, and keeps search engines
 * and shared caches out. In a single place, so that no route of a site can be forgotten.
 */
export function guardPreviews(parent: App, deps: GateDeps): void {
  const previews = new WeakSet<FastifyRequest>();

  parent.addHook('onRequest', async (request, reply) => {
    const site = await previewOf(deps, request);
    if (!site) return;
    previews.add(request);
    const { url } = request.routeOptions;
    if (url === UNLOCK_ROUTE || url === OPEN_ROUTE || mayRead(deps, site, request)) return;
    const { accept = '' } = request.headers;
    const wantsPage =
      (request.method === 'GET' || request.method === 'HEAD') && /text\/html|\*\/\*/.test(accept);
    if (!wantsPage)
      throw new DocentError(
        'preview_locked',
        'This preview is not public; open it in a browser and enter its password or sign in there.',
      );
    return sendForm(deps, request, reply, site, 403);
  });
  parent.addHook('onSend', (request, reply, _payload, done) => {
    if (previews.has(request)) {
      reply.header('x-robots-tag', 'noindex, nofollow');
      keepFromSharedCaches(reply);
    }
    done();
  });

  parent.register(async (app: App) => {
    acceptForms(app);
    app.post(UNLOCK_ROUTE, { bodyLimit: FORM_BYTES }, async (request, reply) => {
      const site = await previewOf(deps, request);
      if (!site?.preview)
        throw new DocentError('route_not_found', 'Nothing was found at this address.');
      return unlock(deps, request, reply, site);
    });
    app.get(OPEN_ROUTE, async (request, reply) => {
      const site = await previewOf(deps, request);
      if (!site?.preview)
        throw new DocentError('route_not_found', 'Nothing was found at this address.');
      const { token, to } = request.query as Record<string, unknown>;
      const { id, passwordHash } = site.preview;
      const path = pathInside(to);
      if (
        passwordHash !== null &&
        !(typeof token === 'string' && isPreviewToken(deps, 'open', { id, passwordHash }, token))
      )
        return sendForm(deps, request, reply, site, 403, { to: path });
      return admit(deps, request, reply, site, path);
    });
  });
}

/** Redirects into a preview, which the browser may read from now on. */
function admit(
  deps: GateDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
  to: string,
): FastifyReply {
  const { id = '', passwordHash = null } = site.preview ?? {};
  if (passwordHash !== null)
    reply.header(
      'set-cookie',
      cookieOf(deps, request, site, makeUnlockToken(deps, { id, passwordHash })),
    );
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  return reply.headers(headers).redirect(`${basePathOf(request, site)}${to}`, 303);
}

async function previewOf(
  { liveSites }: GateDeps,
  request: FastifyRequest,
): Promise<LiveSite | undefined> {
  if (!request.routeOptions.url?.startsWith(SITE_ROUTE)) return undefined;
  const { slug } = request.params as { slug: string };
  const site =
    readPreviewLabel(slug.toLowerCase()) && (await siteOfRequest(liveSites, request, slug));
  return site?.preview && site;
}

async function unlock(
  deps: GateDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
): Promise<FastifyReply> {
  const form = formOf(request);
  const to = pathInside(form.get('to'));
  const { id = '', passwordHash = null } = site.preview ?? {};
  if (passwordHash === null) return admit(deps, request, reply, site, to);
  // Nobody knows its password.
  if (site.preview?.membersOnly) return sendForm(deps, request, reply, site, 403, { to });
  const password = form.get('password') ?? '';
  const place = { id, hash: passwordHash };
  const result = await checkPassword(deps, place, password, clientOf(deps, request));
  if ('retrySeconds' in result) {
    reply.header('retry-after', result.retrySeconds);
    return sendForm(deps, request, reply, site, 429, {
      to,
      problem: 'Too many attempts. Try again in an hour.',
    });
  }
  if (!result.isRight)
    return sendForm(deps, request, reply, site, 403, { to, problem: 'The password is wrong.' });
  return admit(deps, request, reply, site, to);
}

function mayRead(deps: GateDeps, site: LiveSite, request: FastifyRequest): boolean {
  const { id = '', passwordHash = null } = site.preview ?? {};
  if (passwordHash === null) return true;
  const name = cookieNameOf(deps, request);
  return cookiesOf(request, name).some((token) =>
    isPreviewToken(deps, 'preview', { id, passwordHash }, token),
  );
}

/**
 * The prefix makes browsers refuse a cookie that another host or an unencrypted page set (RFC
 * 6265bis §4.1.3).
 */
function cookieNameOf({ config }: Pick<Deps, 'config'>, request: FastifyRequest): string {
  const isBound = config.publicUrl.startsWith('https:') && hostSiteOf(request.raw) !== undefined;
  return `${isBound ? '__Host-' : ''}docent-preview`;
}

function cookieOf(
  deps: Pick<Deps, 'config'>,
  request: FastifyRequest,
  site: LiveSite,
  token: string,
): string {
  return cookieText({
    name: cookieNameOf(deps, request),
    value: token,
    path: basePathOf(request, site) || '/',
    seconds: UNLOCKED_SECONDS,
    isEncrypted: deps.config.publicUrl.startsWith('https:'),
  });
}

function basePathOf(request: FastifyRequest, site: LiveSite): string {
  return hostSiteOf(request.raw) === undefined ? `/sites/${site.slug}` : '';
}

async function sendForm(
  deps: GateDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
  status: 403 | 429,
  { to, problem }: { to?: string; problem?: string } = {},
): Promise<FastifyReply> {
  const requestedPath = request.url.replace(/^\/sites\/[^/?]*/, '') || '/';
  const path = to ?? pathInside(requestedPath);
  const page = site.preview?.membersOnly
    ? membersPage(await memberAddress(deps, site, path))
    : unlockPage({ action: `${basePathOf(request, site)}/${UNLOCK_PATH}`, to: path, problem });
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': PLAIN_PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      vary: 'cookie',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}

/** Where members open a preview: a page of the dashboard, which asks them to sign in first. */
async function memberAddress(deps: GateDeps, site: LiveSite, path: string): Promise<string> {
  const { site: slug = '', name = '' } = site.preview ?? {};
  return dashboardAddressOf(deps, site.organizationId, [slug, 'previews', name, 'open'], { path });
}
