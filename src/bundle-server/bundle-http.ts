import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { agentLinks } from '../compiler/site/agent-files.ts';
import { errorMessage } from '../core/error-message.ts';
import { answerClientError } from '../http/client-error.ts';
import { cacheControl } from '../http/routes/site/conditional-requests.ts';
import { wantsMarkdown } from '../http/routes/site/content-rules.ts';
import type { Logger } from '../ports/logger.ts';
import { answerPath, type PathAnswer } from './answer-path.ts';
import type { Bundle } from './bundle.ts';
import type { BundleMetrics } from './bundle-metrics.ts';
import type { BundleStore } from './bundle-store.ts';
import { createHeldFiles } from './held-files.ts';
import { readTarget } from './read-target.ts';
import { safetyHeaders, sendFile } from './send-file.ts';

/** Memory for small files as they go over the wire. */
const HELD_BYTES = 64 * 1024 * 1024;
/** Longer than load balancers keep a connection, so that it is they who close it. */
const KEEP_ALIVE_MS = 75_000;

export interface BundleHttpOptions {
  store: BundleStore;
  /** The bundle that is served, and the one before, whose scripts and styles open pages still ask for. */
  bundles: () => { current: Bundle | undefined; previous: Bundle | undefined };
  /** What `/readyz` says besides. */
  fault: () => string | undefined;
  /** Whether another bundle than the one that is served is asked for, and may still be had. */
  isAwaiting: () => boolean;
  basePath: string;
  /** Answers `/metrics`, and is told of every request. */
  metrics?: BundleMetrics | undefined;
  /** Whether the process was told to stop. */
  isLeaving: () => boolean;
  /** Takes the requests that ask for more than files. @returns whether it did */
  answers: (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
  logger: Logger;
}

/** Makes the HTTP server of a bundle. It listens nowhere yet. */
export function createBundleHttp(options: BundleHttpOptions): Server {
  const handle = bundleHandler(options);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: KEEP_ALIVE_MS + 5000 }, (request, response) => {
    options.metrics?.observe(request, response);
    handle(request, response).catch((error: unknown) => {
      const reason = errorMessage(error);
      options.logger.error({ url: request.url?.slice(0, 500), reason }, 'a request failed');
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'Something went wrong on the server.');
    });
  });
  server.on('clientError', answerClientError);
  return server;
}

function bundleHandler(options: BundleHttpOptions) {
  const { store, basePath, bundles } = options;
  const files = { store, held: createHeldFiles(store, HELD_BYTES) };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (options.isLeaving()) response.setHeader('connection', 'close');
    const target = readTarget(request.url ?? '/');
    if (!target.ok) return sendText(response, target.status, target.reason);
    const { path, query } = target;
    if (path === '/healthz' || path === '/readyz') return sendProbe(request, response, path, options);
    if (path === '/metrics' && options.metrics?.isFor(request)) return sendMetrics(response, options.metrics);
    const inside = insideBase(path, basePath);
    if (options.answers(request, response, inside ?? path)) return;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendText(response, 405, 'Only GET and HEAD are answered here.');
    }
    const { current, previous } = bundles();
    if (!current) {
      response.setHeader('retry-after', '5');
      return sendText(response, 503, 'There is no content yet.');
    }
    if (inside === '') return redirect(response, 308, `${basePath}/${query}`);
    if (inside === undefined) return sendText(response, 404, `Nothing is served outside of ${basePath}/.`);
    const wanted = { path: inside, query, basePath, wantsMarkdown: wantsMarkdown(request.headers.accept) };
    let bundle = current;
    let answer: PathAnswer = answerPath(bundle, wanted);
    if (answer.kind === 'nothing' && previous) {
      bundle = previous;
      answer = answerPath(bundle, wanted);
    }
    if (answer.kind === 'redirect') return redirect(response, answer.status, answer.location);
    if (answer.kind === 'nothing') return sendText(response, 404, 'There is nothing at this address.');
    const hasMarkdown = /\.(?:html|md)$/.test(answer.path) && answer.status === 200;
    if (answer.path.endsWith('.html')) response.setHeader('link', agentLinks(basePath, false).join(', '));
    const pagePolicy = bundle.manifest.contentSecurityPolicy;
    await sendFile(request, response, files, { file: answer.file, status: answer.status, hasMarkdown, pagePolicy });
  };
}

/** `/docs/guides` → `/guides`; empty for the base path without its slash; undefined outside. */
function insideBase(path: string, basePath: string): string | undefined {
  if (basePath === '') return path;
  return path === basePath || path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}

function sendProbe(request: IncomingMessage, response: ServerResponse, path: string, options: BundleHttpOptions): void {
  const { status, body } = path === '/healthz' ? { status: 200, body: { status: 'ok' } } : readiness(options);
  if (status === 503) response.setHeader('retry-after', '5');
  const text = `${JSON.stringify(body)}\n`;
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
}

function readiness({ bundles, fault, isAwaiting, isLeaving }: BundleHttpOptions): { status: 200 | 503; body: object } {
  const { current } = bundles();
  const reason = fault();
  if (isLeaving()) return { status: 503, body: { status: 'not ready', reason: 'This process is stopping.' } };
  if (!current) return { status: 503, body: { status: 'not ready', reason: reason ?? 'The bundle is being fetched.' } };
  const { exportVersion } = current.manifest;
  const version = current.manifest.options.version;
  const named = { exportVersion, ...(version !== undefined && { version }), sha256: current.sha256 };
  if (isAwaiting()) {
    const why = reason ?? 'The bundle that is asked for is being fetched; one from before is served until then.';
    return { status: 503, body: { status: 'not ready', reason: why, ...named } };
  }
  // The bundle that is wanted could not be taken, and an older one is served.
  return { status: 200, body: { status: 'ok', ...named, ...(reason !== undefined && { fault: reason }) } };
}

async function sendMetrics(response: ServerResponse, metrics: BundleMetrics): Promise<void> {
  const { type, text } = await metrics.render();
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function redirect(response: ServerResponse, status: 307 | 308, location: string): void {
  response.writeHead(status, { ...safetyHeaders, location, 'cache-control': cacheControl(false), 'content-length': 0 }).end();
}

/** For what is no page. */
function sendText(response: ServerResponse, status: number, text: string): void {
  const headers = { ...safetyHeaders, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) + 1 }).end(`${text}\n`);
}
