import { mayRead } from '@docent/format/access/may-read.ts';
import { DocentError } from '@docent/format/errors.ts';
import { ownAddressPage, PLAIN_PAGE_POLICY, signInPage, signOutPage } from '@docent/theme/plain-page.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownOriginsOf, SITE_ROUTE } from '../../http/kernel/asked-site.ts';
import type { App } from '../../http/kernel/base-app.ts';
import { requireOwnOrigin } from '../../http/kernel/browser-origins.ts';
import { clientOf } from '../../http/kernel/client-of.ts';
import { pathInside } from '../../http/kernel/path-inside.ts';
import { asksForPage } from '../../http/kernel/problem.ts';
import { isEncrypted, readerCookieName, readerOf, readerSessionOf } from '../../http/kernel/reader-of.ts';
import { hostSiteOf } from '../../http/kernel/site-hosts.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { Deps } from '../../services/kernel/deps.ts';
import { basePathOf } from '../../services/sites/site-address.ts';
import { type AccessRow, findAccess } from '../access/access-rows.ts';
import { type SignIn, startReaderSession } from '../sessions/reader-sessions.ts';
import { deleteReaderSession } from '../sessions/session-rows.ts';
import { checkPassword } from '../sign-in/password.ts';

type GateDeps = Pick<Deps, 'liveSites' | 'config' | 'clock' | 'limiter' | 'database' | 'passwords' | 'readerSessions'>;

const LOGIN_ROUTE = `${SITE_ROUTE}/login`;
const LOGOUT_ROUTE = `${SITE_ROUTE}/logout`;
const FORM_BYTES = 8 * 1024;

/**
 * Guards everything that is served of a site whose readers sign in, and serves its sign-in: in a single place, so that no route of a
 * site can be forgotten. Previews have a gate of their own.
 */
export function guardReaders(parent: App, deps: GateDeps): void {
  const guarded = new WeakMap<FastifyRequest, LiveSite>();

  parent.addHook('onRequest', async (request, reply) => {
    const site = await guardedSite(deps, request);
    if (!site) return;
    guarded.set(request, site);
    if (request.method === 'POST' && isSignInRoute(request)) return;
    const page = request.method === 'POST' ? undefined : signInPathOf(request);
    if (page === 'login') return sendLogin(deps, request, reply, site);
    if (page === 'logout') return sendLogout(deps, request, reply, site);
    const reader = await readerOf(deps, request, site);
    if (!mayRead(reader, { isPublic: false }, site.access)) return refuseNobody(request, reply, site);
  });

  parent.addHook('onSend', async (request, reply) => {
    const site = guarded.get(request);
    if (site) await keepPrivate(deps, request, reply, site);
  });

  parent.register(async (app: App) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    const siteOf = (request: FastifyRequest) => {
      const site = guarded.get(request);
      if (!site || hostSiteOf(request.raw) === undefined)
        throw new DocentError('route_not_found', 'Nothing was found at this address.');
      return site;
    };
    // A form of another site could sign a reader in as somebody else, or out.
    const onRequest = [requireOwnOrigin(async (request) => ownOriginsOf(siteOf(request)))];
    app.post(LOGIN_ROUTE, { onRequest, bodyLimit: FORM_BYTES }, (request, reply) =>
      takePassword(deps, request, reply, siteOf(request)),
    );
    app.post(LOGOUT_ROUTE, { onRequest, bodyLimit: FORM_BYTES }, (request, reply) =>
      signOut(deps, request, reply, siteOf(request)),
    );
  });
}

/** Returns the site of a request, if its readers can sign in or must. */
async function guardedSite({ liveSites }: GateDeps, request: FastifyRequest): Promise<LiveSite | undefined> {
  if (!request.routeOptions.url?.startsWith(SITE_ROUTE)) return undefined;
  const site = await liveSites.findShown((request.params as { slug: string }).slug);
  return site && (site.access.isPrivate || site.access.canSignIn) ? site : undefined;
}

function isSignInRoute({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === LOGIN_ROUTE || url === LOGOUT_ROUTE;
}

/** Pages at these paths are the sign-in wherever readers can sign in. */
function signInPathOf({ params }: FastifyRequest): string | undefined {
  return (params as { '*'?: string })['*'];
}

/**
 * Answers a request of nobody in particular for something that only readers may read: a browser is sent to the sign-in, and back from
 * there.
 * @throws DocentError `sign_in_required` for programs
 */
export function refuseNobody(request: FastifyRequest, reply: FastifyReply, site: LiveSite): FastifyReply {
  const isOnHost = hostSiteOf(request.raw) !== undefined;
  reply.header('cache-control', 'no-store');
  if (!asksForPage(request))
    throw new DocentError(
      'sign_in_required',
      isOnHost
        ? 'Readers of this site sign in; open it in a browser, and sign in there.'
        : 'Readers of this site sign in, at its own address only.',
    );
  if (!isOnHost) return sendPage(reply, 403, ownAddressPage(site.publicUrl.includes('/sites/') ? undefined : site.publicUrl));
  const path = pathInside(request.url.replace(/^\/sites\/[^/?]*/, '') || '/');
  const query = path === '/' ? '' : `?${new URLSearchParams({ redirect: path })}`;
  return reply.redirect(`${baseOf(site)}/login${query}`, 303);
}

/** No cache that readers share keeps anything; a browser asks again each time, so that the end of a session counts at once. */
async function keepPrivate(deps: GateDeps, request: FastifyRequest, reply: FastifyReply, site: LiveSite): Promise<void> {
  reply.header('vary', ['cookie', reply.getHeader('vary')].filter(Boolean).join(', '));
  if (site.access.isPrivate) reply.header('x-robots-tag', 'noindex, nofollow');
  else if ((await readerOf(deps, request, site)) === undefined) return;
  const cacheControl = String(reply.getHeader('cache-control') ?? '');
  if (cacheControl.includes('no-store')) return;
  const isImmutable = cacheControl.includes('immutable');
  reply.header('cache-control', isImmutable ? 'private, max-age=31536000, immutable' : 'private, no-cache');
}

async function sendLogin(deps: GateDeps, request: FastifyRequest, reply: FastifyReply, site: LiveSite): Promise<FastifyReply> {
  if (hostSiteOf(request.raw) === undefined) return refuseNobody(request, reply, site);
  const redirect = redirectIn((request.query as Record<string, unknown>).redirect);
  if (await readerOf(deps, request, site))
    return reply.header('cache-control', 'no-store').redirect(baseOf(site) + redirect, 303);
  return sendForm(deps, reply, site, 200, { redirect });
}

async function takePassword(deps: GateDeps, request: FastifyRequest, reply: FastifyReply, site: LiveSite): Promise<FastifyReply> {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const redirect = redirectIn(form.get('redirect'));
  const access = await findAccess(deps.database.queries, site.siteId);
  const { password } = access.methods;
  if (!password) return sendForm(deps, reply, site, 403, { redirect, problem: 'This site takes no password any more.' });
  const result = await checkPassword(deps, site.siteId, password, form.get('password') ?? '', clientOf(deps, request));
  if ('retrySeconds' in result) {
    reply.header('retry-after', result.retrySeconds);
    return sendForm(deps, reply, site, 429, { redirect, problem: 'Too many attempts. Try again in an hour.' });
  }
  if (!result.isRight) return sendForm(deps, reply, site, 403, { redirect, problem: 'The password is wrong.' });
  const reader = { id: 'password', groups: [], content: {}, apiPlaygroundInputs: {} };
  return admit(deps, request, reply, { site, access, redirect }, { method: 'password', generation: password.generation, reader });
}

/** Starts a session in this browser, in place of the one that it had, and sends it to where it wanted to go. */
async function admit(
  deps: GateDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { site, access, redirect }: { site: LiveSite; access: AccessRow; redirect: string },
  signIn: SignIn,
): Promise<FastifyReply> {
  const former = await readerSessionOf(deps, request, site);
  if (former) await deleteReaderSession(deps.database.queries, site.siteId, former.sessionId);
  const { siteId } = site;
  const { token, expiresAt } = await startReaderSession(deps, { siteId, sessionDays: access.sessionDays }, signIn);
  const seconds = Math.floor((expiresAt.getTime() - deps.clock.now().getTime()) / 1000);
  return reply
    .header('set-cookie', cookieOf(site, token, seconds))
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(baseOf(site) + redirect, 303);
}

/** A page elsewhere can only lead here, and then the reader is asked. */
async function sendLogout(deps: GateDeps, request: FastifyRequest, reply: FastifyReply, site: LiveSite): Promise<FastifyReply> {
  if (hostSiteOf(request.raw) === undefined) return refuseNobody(request, reply, site);
  const from = request.headers['sec-fetch-site'];
  if (from === 'same-origin' || from === 'none') return signOut(deps, request, reply, site);
  const isSignedIn = (await readerOf(deps, request, site)) !== undefined;
  const login = `${baseOf(site)}/login`;
  return sendPage(reply, 200, signOutPage(isSignedIn ? { login, action: `${baseOf(site)}/logout` } : { login }));
}

async function signOut(deps: GateDeps, request: FastifyRequest, reply: FastifyReply, site: LiveSite): Promise<FastifyReply> {
  const session = await readerSessionOf(deps, request, site);
  if (session) {
    await deleteReaderSession(deps.database.queries, site.siteId, session.sessionId);
    deps.readerSessions.invalidate(site.siteId);
  }
  reply.header('set-cookie', cookieOf(site, '', 0)).header('clear-site-data', '"cache"');
  return sendPage(reply, 200, signOutPage({ login: `${baseOf(site)}/login` }));
}

/** For this host only, because it names no domain. The prefix of the name demands the path. */
function cookieOf(site: LiveSite, value: string, seconds: number): string {
  const secure = isEncrypted(site) ? '; Secure' : '';
  return `${readerCookieName(site)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Never back to the sign-in, which would end where it began. */
function redirectIn(path: unknown): string {
  const redirect = pathInside(path);
  return /^\/(?:login|logout)(?:[/?#]|$)/.test(redirect) ? '/' : redirect;
}

function baseOf(site: LiveSite): string {
  return basePathOf(site.settings.publicUrl);
}

async function sendForm(
  deps: GateDeps,
  reply: FastifyReply,
  site: LiveSite,
  status: 200 | 403 | 429,
  { redirect, problem }: { redirect: string; problem?: string },
): Promise<FastifyReply> {
  const { methods } = await findAccess(deps.database.queries, site.siteId);
  const page = signInPage({
    siteName: site.build.config.name,
    action: `${baseOf(site)}/login`,
    redirect,
    hasPassword: methods.password !== undefined,
    problem,
  });
  return sendPage(reply, status, page);
}

/** The address goes to pages of the same origin only: the form's origin must be known, and where readers wanted to go is private. */
function sendPage(reply: FastifyReply, status: 200 | 403 | 429, page: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': PLAIN_PAGE_POLICY,
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}
