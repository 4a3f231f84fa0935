import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ThemeFiles } from '../../compiler/assets/theme-files.ts';
import type { DevChange, DevSite } from '../../compiler/dev/dev-site.ts';
import { policySources } from '../../compiler/pages/page-policy.ts';
import { defaultSiteSecurity } from '../../core/access/site-security.ts';
import { CALL_PATH } from '../../core/api-reference/playground/api-call.ts';
import { listenFault } from '../../listen-fault.ts';
import type { App } from '../app-types.ts';
import { parseRange } from '../routes/site/conditional-requests.ts';
import { wantsMarkdown } from '../routes/site/content-rules.ts';
import type { PlaygroundDeps } from '../routes/site/playground-routes.ts';
import { contentPolicy } from '../routes/site/site-headers.ts';
import { isAllowedHost } from './allowed-host.ts';
import { type DevAnswer, DevAnswers } from './dev-answers.ts';
import { DevClients } from './dev-clients.ts';
import { faultPage } from './fault-page.ts';

/** Ports that are tried after the wanted one. */
const MORE_PORTS = 20;
/** Where browsers listen; the client script knows it too. */
const EVENTS_PATH = '/_docent/dev/events';

export interface DevServerOptions {
  site: DevSite;
  theme: ThemeFiles;
  port: number;
  /** Address to listen on, for others in the network; undefined for this machine alone. */
  host: string | undefined;
  /** What calls the APIs of the site. */
  playground: PlaygroundDeps;
}

export interface DevServer {
  port: number;
  /** The site has changed: browsers that show it are notified. */
  changed(change: DevChange): Promise<void>;
  /** More is known of what is wrong. */
  checked(): void;
  close(): Promise<void>;
}

/**
 * Serves the site of a folder to its author.
 * @throws DocentError `port_in_use` where neither the port nor the ones after it are free
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { site, theme, host } = options;
  let port = options.port;
  const answers = new DevAnswers(site, theme, () => `http://localhost:${port}`);
  const clients = new DevClients(site, answers);
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      process.stderr.write(`docent: ${error instanceof Error ? error.stack : String(error)}\n`);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('The page could not be made; the terminal says why.');
    });
  });

  /** As a site has it that allows nothing besides: what a page cannot do there, its author learns here. */
  const policyOf = (type: string) => contentPolicy(type, policySources(site.build ?? {}, defaultSiteSecurity, "'self'"));

  let callingApp: Promise<App> | undefined;

  /** Loaded with the first call: most authors make none. */
  async function openCalls(): Promise<App> {
    const [{ createSmallApp }, { playgroundRoutes }] = await Promise.all([
      import('../small-app.ts'),
      import('../routes/site/playground-routes.ts'),
    ]);
    const app = createSmallApp(options.playground);
    playgroundRoutes(app, options.playground, `/${CALL_PATH}`, async () => answers.callingSite());
    await app.ready();
    return app;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (host === undefined && !isAllowedHost(request.headers.host)) {
      return refuse(response, 403, 'This server answers to localhost and to addresses only; --host lets others in.');
    }
    if (request.url === `/${CALL_PATH}`) {
      callingApp ??= openCalls();
      return (await callingApp).routing(request, response);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(response, 405, 'Only GET and HEAD are answered here.');
    const target = readTarget(request.url ?? '/');
    if (!target) return refuse(response, 400, 'The path cannot be read.');
    const { path, query } = target;
    if (path === EVENTS_PATH) {
      const wanted = new URLSearchParams(query);
      return clients.add(response, readTarget(wanted.get('page') ?? '/')?.path ?? '/', wanted.get('version') || undefined);
    }
    const made = await answers.answer(path, query, wantsMarkdown(request.headers.accept));
    if (made) send(request, response, made, policyOf);
    else sendFault(response, path);
  }

  /** Before there is a site, its own files (the client script) must be there all the same. */
  function sendFault(response: ServerResponse, path: string): void {
    const asset = [...theme.values()].find((file) => path === `/_docent/${file.name}`);
    response.writeHead(asset ? 200 : 500, {
      'content-type': asset?.type ?? 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policyOf(asset?.type ?? 'text/html'),
    });
    response.end(asset?.bytes ?? faultPage(site.fault, answers.script('')));
  }

  port = await listen(server, port, host ?? '127.0.0.1');
  return {
    port,
    changed: (change) => clients.changed(change),
    checked: () => clients.tellProblems(),
    async close() {
      clients.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Listens on the port, or on the first free one after it. @returns the port */
async function listen(server: Server, wanted: number, host: string): Promise<number> {
  for (let port = wanted; ; port++) {
    try {
      await once(server.listen(port, host), 'listening');
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || port >= Math.min(wanted + MORE_PORTS, 65_535)) throw listenFault(error, wanted);
    }
  }
}

function readTarget(url: string): { path: string; query: string } | undefined {
  const at = url.indexOf('?');
  try {
    const path = decodeURIComponent(at < 0 ? url : url.slice(0, at));
    return path.startsWith('/') && !path.includes('\0') ? { path, query: at < 0 ? '' : url.slice(at) } : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, bytes }: DevAnswer,
  policyOf: (type: string) => string,
): void {
  response.setHeader('cache-control', 'no-store').setHeader('x-content-type-options', 'nosniff');
  if (answer.kind === 'redirect') {
    // Never a permanent one: a browser would go on following it after the author took it out.
    response.writeHead(307, { location: answer.location }).end();
    return;
  }
  const type = answer.kind === 'file' ? answer.file.type : answer.type;
  response.setHeader('content-security-policy', policyOf(type));
  response.setHeader('content-type', type).setHeader('accept-ranges', 'bytes');
  const range = answer.kind === 'file' ? parseRange(request.headers.range, bytes.byteLength) : undefined;
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${bytes.byteLength}` }).end();
    return;
  }
  const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
  if (range) response.setHeader('content-range', `bytes ${range.start}-${range.end}/${bytes.byteLength}`);
  response.writeHead(range ? 206 : answer.kind === 'file' ? 200 : answer.status, { 'content-length': part.byteLength });
  response.end(request.method === 'HEAD' ? undefined : part);
}
