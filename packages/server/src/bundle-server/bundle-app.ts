import type { IncomingMessage } from 'node:http';
import { isDirectFrom, type TrustedProxies } from '@docent/format/access/ip.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { BundleService } from '@docent/format/exports/bundle-services.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, createBaseApp } from '../kernel/http/base-app.ts';
import { isDiscoveryPath } from '../kernel/http/browser-origins.ts';
import type { AnswerMetrics, Metrics } from '../kernel/http/metrics.ts';
import { markSiteHost } from '../kernel/http/site-hosts.ts';
import type { Logger } from '../ports/logger.ts';
import type { SiteAnswer } from '../ports/site-content.ts';
import { type OpenedSite, serveSites } from '../serving/serve-sites.ts';
import { bundleContent } from './bundle-content.ts';
import type { Bundle, BundleStore } from './bundle-store.ts';

/** What is served now. */
export interface ServedBundle {
  readonly current: Bundle | undefined;
  /** The previous bundle, whose scripts and styles open pages still request. */
  readonly previous: Bundle | undefined;
  /** Additional status of `/readyz`. */
  readonly fault: string | undefined;
  /** Whether another bundle than the served one is configured, and may still become available. */
  readonly isAwaiting: boolean;
}

/**
 * Features besides the files of the bundle: questions, the calls of its API pages, events of its
 * pages.
 */
export interface BundlePart {
  /** What pages show only if the server has it. */
  service?: BundleService;
  /** Adds its routes, the platform's routes of a site. */
  addRoutes(app: App, served: ServedBundle, metrics: AnswerMetrics): void;
  /**
   * Returns how to answer a request for content of somebody who may not read it; undefined for
   * those who may.
   */
  refusalOf?(request: FastifyRequest): Promise<((reply: FastifyReply) => FastifyReply) | undefined>;
  /** Whether it answers the operations of the discovery API. */
  hasDiscovery?: boolean;
  /** Called with what is sent for a path of the site. */
  onAnswer?(request: FastifyRequest, path: string, answer: SiteAnswer): void;
}

interface BundleAppOptions {
  store: BundleStore;
  served: ServedBundle;
  basePath: string;
  /** Answers `/metrics`, and observes every request. */
  metrics?: Metrics | undefined;
  trustedProxies: TrustedProxies;
  /** Whether the process was asked to stop. */
  isLeaving: () => boolean;
  parts: readonly BundlePart[];
  logger: Logger;
}

const noMetrics: AnswerMetrics = { openStream: () => () => {}, observeAnswer() {} };
/** The only site of a bundle server. */
export const BUNDLE_SITE = 'bundle';
const SITE = `/sites/${BUNDLE_SITE}`;
const RETRY_SECONDS = 5;

/**
 * Creates the HTTP application of a bundle: the platform's site server for a single site. Does not
 * listen yet.
 */
export async function createBundleApp(options: BundleAppOptions): Promise<App> {
  const { store, served, basePath, metrics, trustedProxies, isLeaving, parts, logger } = options;
  const refusals = new WeakMap<IncomingMessage, DocentError>();
  const app = createBaseApp({
    logger,
    isLeaving,
    bodies: { trustedProxies },
    rewriteUrl(request) {
      markSiteHost(request, BUNDLE_SITE, basePath);
      const address = addressInside(request, options);
      if (typeof address === 'string') return address;
      refusals.set(request, address);
      return '/';
    },
  });
  app.addHook('onRequest', (request, _reply, done) => done(refusals.get(request.raw)));
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', async (_request, reply) => {
    const { status, body } = readiness(served, isLeaving());
    if (status === 503) reply.header('retry-after', RETRY_SECONDS);
    return reply.code(status).header('cache-control', 'no-store').send(body);
  });
  if (metrics) {
    app.addHook('onResponse', async (request, reply) => metrics.observe(request, reply));
    app.get('/metrics', async (_request, reply) => {
      const { type, text } = await metrics.render();
      return reply.header('cache-control', 'no-store').type(type).send(text);
    });
  }
  for (const part of parts) part.addRoutes(app, served, metrics ?? noMetrics);
  const services = parts.flatMap(({ service }) => service ?? []);
  serveSites(app, async (request) => {
    const bundle = requireBundle(served);
    const onAnswer = (path: string, answer: SiteAnswer) => {
      for (const part of parts) part.onAnswer?.(request, path, answer);
    };
    const content = bundleContent({ bundle, store, basePath, services }, served.previous);
    const refusals = await Promise.all(parts.map((part) => part.refusalOf?.(request)));
    const refusal = refusals.find((refuse) => refuse !== undefined);
    const refuse: OpenedSite['refuse'] = refusal && ((_path, _answer, reply) => refusal(reply));
    return { content, basePath, onAnswer, refuse };
  });
  await app.ready();
  return app;
}

/** @throws DocentError `dependency_unavailable` before there is a bundle */
export function requireBundle({ current }: Pick<ServedBundle, 'current'>): Bundle {
  if (current) return current;
  throw new DocentError('dependency_unavailable', 'There is no content yet.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/**
 * Returns the internal URL of a request, or why it has none. Nothing of its target is used before
 * it was parsed here.
 */
function addressInside(
  request: IncomingMessage,
  { basePath, metrics, parts }: BundleAppOptions,
): string | DocentError {
  const target = readTarget(request.url ?? '/');
  if (!target.ok) return new DocentError('invalid_request', target.reason);
  const { path, query } = target;
  if (path === '/healthz' || path === '/readyz') return path;
  // They are for the local network, where scrapers run; other clients get the site.
  if (
    path === '/metrics' &&
    metrics &&
    isDirectFrom('local', request.socket.remoteAddress, request.headers)
  )
    return path;
  const inside = insideBase(path, basePath);
  const encoded = (inside ?? path).split('/').map(encodeURIComponent).join('/');
  if (isDiscoveryPath(encoded) && parts.some(({ hasDiscovery }) => hasDiscovery))
    return encoded + query;
  if (inside === undefined)
    return new DocentError('page_not_found', `Nothing is served outside ${basePath}/.`);
  return `${SITE}${encoded}${query}`;
}

/** `/docs/guides` → `/guides`; empty for the base path without its slash; undefined outside. */
function insideBase(path: string, basePath: string): string | undefined {
  if (basePath === '') return path;
  return path === basePath || path.startsWith(`${basePath}/`)
    ? path.slice(basePath.length)
    : undefined;
}

function readiness(
  { current, fault, isAwaiting }: ServedBundle,
  isLeaving: boolean,
): { status: 200 | 503; body: object } {
  if (isLeaving)
    return { status: 503, body: { status: 'not ready', reason: 'This process is stopping.' } };
  if (!current)
    return {
      status: 503,
      body: { status: 'not ready', reason: fault ?? 'The bundle is being fetched.' },
    };
  const { exportVersion, options } = current.manifest;
  const named = { exportVersion, version: options.version, sha256: current.sha256 };
  if (isAwaiting) {
    const why =
      fault ?? 'The configured bundle is being fetched; an older one is served until then.';
    return { status: 503, body: { status: 'not ready', reason: why, ...named } };
  }
  // The wanted bundle could not be used, so an older one is served.
  return { status: 200, body: { status: 'ok', ...named, fault } };
}

/** The parsed target of a request, or the problem with it. */
type Target = { ok: true; path: string; query: string } | { ok: false; reason: string };

const MAX_PATH_LENGTH = 4096;

/**
 * Parses the target of a request. Refuses anything that some server might interpret as another
 * path.
 * @param target from the request line
 * @returns the decoded path, with a leading slash
 */
function readTarget(target: string): Target {
  const local = target.startsWith('/') ? target : pathOfAddress(target);
  const at = local.search(/[?#]/);
  const written = at < 0 ? local : local.slice(0, at);
  if (written.length > MAX_PATH_LENGTH) return refused('The path is too long.');
  let path: string;
  try {
    path = decodeURIComponent(written);
  } catch {
    return refused(
      'The path contains a % that is not followed by two hexadecimal digits of valid UTF-8.',
    );
  }
  if (!path.startsWith('/')) return refused('The request target is not a path.');
  if (/[\u0000-\u001f\u007f\\]/.test(path))
    return refused('The path contains a character that is not allowed.');
  if (/%2f/i.test(written)) return refused('The path contains an encoded slash.');
  if (path.split('/').some((word) => word === '.' || word === '..'))
    return refused('The path contains a "." or ".." segment.');
  return {
    ok: true,
    path,
    query: at < 0 || local[at] === '#' ? '' : (local.slice(at).split('#')[0] as string),
  };
}

function refused(reason: string): Target {
  return { ok: false, reason };
}

/** Proxies may send the absolute URL (RFC 9112 §3.2.2). */
function pathOfAddress(target: string): string {
  return (
    /^https?:\/\/[^/?#]*(\/.*)?$/is.exec(target)?.[1] ?? (/^https?:/i.test(target) ? '/' : target)
  );
}
