import { formatIp } from '@docent/format/access/ip.ts';
import { classifyClient } from '@docent/format/analytics/classify-client.ts';
import type { FastifyRequest } from 'fastify';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { SiteBody, SiteRedirect } from '../../ports/site-content.ts';
import type { Config } from '../config/config.ts';
import type { Caller, EventCollector, Fetch } from '../process-state.ts';
import { clientOf } from './client-of.ts';

export interface CountDeps {
  analytics: Pick<EventCollector, 'countFetch'>;
  config: Pick<Config, 'trustedProxies'>;
}

const LLMS = /^\/(?:\.well-known\/)?llms(?:-full)?\.txt$|^\/_llms\//;
const SKILLS =
  /^\/skill\.md$|^\/\.well-known\/(?:agent-)?skills\/|^\/\.well-known\/(?:agent-card\.json|api-catalog)$/;

/** The sender of a request, for analytics. */
export function callerOf(
  deps: { config: Pick<Config, 'trustedProxies'> },
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): Caller {
  const client = clientOf(deps, request);
  const { 'user-agent': userAgent = '', dnt, 'sec-gpc': gpc } = request.headers;
  return {
    address: client ? formatIp(client) : '',
    userAgent,
    wantsNone: dnt === '1' || gpc === '1',
  };
}

/** What decides whether a fetch is counted. */
export type FetchedAnswer = SiteRedirect | Pick<SiteBody, 'kind' | 'status' | 'type' | 'page'>;

/** Counts what a machine fetches from a site; readers' pages count themselves. */
export function countSiteFetch(
  deps: CountDeps,
  site: LiveSite,
  request: Pick<FastifyRequest, 'method' | 'headers' | 'raw'>,
  path: string,
  answer: FetchedAnswer,
): void {
  if (request.method !== 'GET' || answer.kind === 'redirect' || answer.status !== 200) return;
  const fetched = fetchOf(path, answer);
  // A fetch by a page's own script, such as the button that copies a page, is part of reading it.
  if (!fetched) return;
  const { 'user-agent': userAgent } = request.headers;
  const isReading =
    fetched.surface === 'page' ? classifyClient(userAgent).class === 'human' : isByScript(request);
  if (isReading) return;
  deps.analytics.countFetch(site, fetched, callerOf(deps, request));
}

/** Classifies what a machine fetched; undefined if it is not counted. */
function fetchOf(path: string, answer: Exclude<FetchedAnswer, SiteRedirect>): Fetch | undefined {
  if (answer.page !== undefined)
    return {
      surface: answer.type.startsWith('text/markdown') ? 'markdown' : 'page',
      href: answer.page,
    };
  if (LLMS.test(path)) return { surface: 'llms' };
  return SKILLS.test(path) ? { surface: 'skills' } : undefined;
}

/**
 * Returns whether a script of a page sent the request, rather than a program or the address bar.
 */
function isByScript({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-mode'] !== 'navigate';
}

/**
 * Counts an MCP call that reads something; calls that only open or keep a connection are not
 * counted.
 */
export function countMcpCall(deps: CountDeps, site: LiveSite, request: FastifyRequest): void {
  const { method, params } = (request.body ?? {}) as {
    method?: unknown;
    params?: { arguments?: { path?: unknown } };
  };
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
  deps.analytics.countFetch(
    site,
    { surface, href: path === undefined ? undefined : hrefOf(path) },
    callerOf(deps, request),
  );
}

function hrefOf(path: string): string {
  const name = path.replace(/^\/+/, '').replace(/\.mdx?$/, '');
  return name === 'index' ? '/' : `/${name}`;
}
