import type { FastifyRequest } from 'fastify';
import { formatIp } from '../core/access/ip.ts';
import type { Caller, Fetch } from '../services/analytics/analytics.ts';
import type { Deps } from '../services/deps.ts';
import type { LiveSite } from '../services/sites/live-sites.ts';
import { clientOf } from './client-of.ts';
import type { SiteAnswer } from './routes/site/answer-site-request.ts';

type CountDeps = Pick<Deps, 'analytics' | 'config'>;

const LLMS = /^\/(?:\.well-known\/)?llms(?:-full)?\.txt$|^\/_llms\//;
const SKILLS = /^\/skill\.md$|^\/\.well-known\/(?:agent-)?skills\/|^\/\.well-known\/(?:agent-card\.json|api-catalog)$/;

/** Who sent a request, for analytics. */
export function callerOf(
  deps: { config: Pick<Deps['config'], 'trustedProxies'> },
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): Caller {
  const client = clientOf(deps, request);
  const { 'user-agent': userAgent = '', dnt, 'sec-gpc': gpc } = request.headers;
  return { address: client ? formatIp(client) : '', userAgent, wantsNone: dnt === '1' || gpc === '1' };
}

/** Counts what a machine fetched of a site; readers' pages count themselves. */
export function countSiteFetch(deps: CountDeps, site: LiveSite, request: FastifyRequest, path: string, answer: SiteAnswer): void {
  if (request.method !== 'GET' || answer.kind === 'redirect' || (answer.kind === 'text' && answer.status !== 200)) return;
  const fetched = fetchOf(path, answer);
  // A page's own script, for example the button that copies a page, is part of reading it.
  if (!fetched || (fetched.surface !== 'page' && isByScript(request))) return;
  deps.analytics.countFetch(site, fetched, callerOf(deps, request));
}

function fetchOf(path: string, answer: Exclude<SiteAnswer, { kind: 'redirect' }>): Fetch | undefined {
  if (answer.kind === 'text' && answer.page !== undefined)
    return { surface: answer.type.startsWith('text/markdown') ? 'markdown' : 'page', href: answer.page };
  return fetchOfFile(path);
}

/** What a file beside the pages is to a machine; undefined: nothing that counts. */
export function fetchOfFile(path: string): Fetch | undefined {
  if (LLMS.test(path)) return { surface: 'llms' };
  return SKILLS.test(path) ? { surface: 'skills' } : undefined;
}

/** Whether a script of a page asks, and not a program or the address bar. */
export function isByScript({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-mode'] !== 'navigate';
}

/** Counts a call of the Model Context Protocol that reads something; what only opens or keeps a connection is none. */
export function countMcpCall(deps: CountDeps, site: LiveSite, request: FastifyRequest): void {
  const { method, params } = (request.body ?? {}) as { method?: unknown; params?: { arguments?: { path?: unknown } } };
  if (method !== 'tools/call' && method !== 'resources/read') return;
  const path = params?.arguments?.path;
  const href = typeof path === 'string' ? hrefOf(path) : undefined;
  deps.analytics.countFetch(site, { surface: 'mcp', href }, callerOf(deps, request));
}

/** Counts a call of the search or page API, unless a browser made it for a reader. */
export function countApiCall(
  deps: CountDeps,
  site: LiveSite,
  request: FastifyRequest,
  { surface, path }: { surface: 'search' | 'page-api'; path?: string },
): void {
  if (request.headers.origin !== undefined) return;
  deps.analytics.countFetch(site, { surface, href: path === undefined ? undefined : hrefOf(path) }, callerOf(deps, request));
}

function hrefOf(path: string): string {
  const name = path.replace(/^\/+/, '').replace(/\.mdx?$/, '');
  return name === 'index' ? '/' : `/${name}`;
}
