import type { Reader } from '@docent/format/access/may-read.ts';
import type { FastifyRequest } from 'fastify';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { Deps } from '../deps.ts';
import { cookiesOf } from './cookies.ts';
import { hostSiteOf } from './site-hosts.ts';
import { SITE_ROUTE } from './site-route.ts';

/** Absent where nobody can sign in: in a bundle, in the development server. */
export type ReaderDeps = Partial<Pick<Deps, 'readerSessions' | 'readerTokens'>>;
type SignedIn = { sessionId?: string; method?: string; reader: Reader };

/** Carries the signed identity of a reader with a call of the API. */
export const READER_TOKEN_HEADER = 'x-reader-token';

/**
 * Cookies of one name that are tried: a browser sends one, unless a page of another host of the
 * domain set more.
 */
const MAX_COOKIES = 4;

const results = new WeakMap<FastifyRequest, Map<string, Promise<SignedIn | undefined>>>();

/**
 * Returns who reads a site with this request; `undefined` for nobody in particular. Asked once per
 * request.
 * @throws DocentError `sign_in_required` for a token that is not valid, which says why
 */
export async function readerOf(
  deps: ReaderDeps,
  request: FastifyRequest,
  site: LiveSite,
): Promise<Reader | undefined> {
  return (await readerSessionOf(deps, request, site))?.reader;
}

/** The same, with the session. */
export function readerSessionOf(
  deps: ReaderDeps,
  request: FastifyRequest,
  site: LiveSite,
): Promise<SignedIn | undefined> {
  if (!site.access.canSignIn) return Promise.resolve(undefined);
  const ofRequest = results.get(request) ?? new Map<string, Promise<SignedIn | undefined>>();
  results.set(request, ofRequest);
  const result = ofRequest.get(site.siteId) ?? findSession(deps, request, site);
  ofRequest.set(site.siteId, result);
  return result;
}

/**
 * A token says itself which site it is for. Sessions count only on the site's own addresses: on
 * that of the platform, all sites share their cookies.
 */
async function findSession(
  deps: ReaderDeps,
  request: FastifyRequest,
  site: LiveSite,
): Promise<SignedIn | undefined> {
  const token = request.headers[READER_TOKEN_HEADER];
  if (typeof token === 'string')
    return deps.readerTokens && { reader: await deps.readerTokens.verify(site, token) };
  if (hostSiteOf(request.raw) === undefined) return undefined;
  const agentToken = agentTokenOf(request);
  if (agentToken !== undefined) {
    const session = await deps.readerSessions?.findByAgent(site.siteId, agentToken);
    return session && { sessionId: session.id, method: session.method, reader: session.reader };
  }
  for (const cookie of cookiesOf(request, readerCookieName(site)).slice(0, MAX_COOKIES)) {
    const session = await deps.readerSessions?.find(site.siteId, cookie);
    if (session) return { sessionId: session.id, method: session.method, reader: session.reader };
  }
  return undefined;
}

/** Returns the token that an agent sends to the MCP server of a site. */
export function agentTokenOf({ headers, routeOptions }: FastifyRequest): string | undefined {
  if (routeOptions.url !== `${SITE_ROUTE}/mcp`) return undefined;
  return /^Bearer +([\w-]+)$/i.exec(headers.authorization ?? '')?.[1];
}

/**
 * Returns the name of the cookie of a site's readers. The prefix makes browsers refuse a cookie
 * that another host or an unencrypted page set (RFC 6265bis §4.1.3); the id keeps sites apart that
 * are below paths of one host.
 */
export function readerCookieName(site: Pick<LiveSite, 'siteId' | 'publicUrl'>): string {
  return `${isEncrypted(site) ? '__Host-' : ''}docent-reader-${site.siteId.toLowerCase()}`;
}

/** Whether readers open the site with https. */
export function isEncrypted({ publicUrl }: Pick<LiveSite, 'publicUrl'>): boolean {
  return publicUrl.startsWith('https:');
}
