import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyReply } from 'fastify';
import type { ThemeFiles } from '../../compiler/assets/dist-files.ts';
import type { DevChange, DevSite } from '../../compiler/dev/dev-site.ts';
import { CALL_PATH } from '../../core/api-reference/playground/api-call.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { DocentError } from '../../core/errors.ts';
import { html, trustedHtml } from '../../core/html.ts';
import { listenFault } from '../../listen-fault.ts';
import { contentPolicy } from '../../services/site-content/site-headers.ts';
import { createBaseApp } from '../base-app.ts';
import { type PlaygroundDeps, playgroundRoutes } from '../routes/site/playground-routes.ts';
import { serveSites } from '../routes/site/serve-sites.ts';
import { DevClients } from './dev-clients.ts';
import { DevContent } from './dev-content.ts';

/** Number of ports to try after the requested one. */
const MORE_PORTS = 20;
/** Path of the event stream; the client script uses the same one. */
const EVENTS_PATH = '/_docent/dev/events';
const SITE = '/sites/dev';

export interface DevServerOptions {
  site: DevSite;
  theme: ThemeFiles;
  port: number;
  /** Address to listen on for other machines in the network; undefined for this machine only. */
  host: string | undefined;
  /** Calls the APIs of the site. */
  playground: PlaygroundDeps;
}

export interface DevServer {
  port: number;
  /** Called when the site has changed: notifies its open browsers. */
  changed(change: DevChange): Promise<void>;
  /** Called when the known problems may have changed. */
  checked(): void;
  close(): Promise<void>;
}

/**
 * Serves the site of a folder to its author: the platform's site server for a site that changes.
 * @throws DocentError `port_in_use` if neither the port nor those after it are free
 */
export async function startDevServer({ site, theme, host, playground, ...options }: DevServerOptions): Promise<DevServer> {
  let port = options.port;
  const content = new DevContent(site, theme, () => `http://localhost:${port}`);
  const clients = new DevClients(site, content);
  const app = createBaseApp({
    ...playground,
    rewriteUrl: ({ url = '/' }) => (url.startsWith(EVENTS_PATH) || url === `/${CALL_PATH}` ? url : SITE + url),
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (host === undefined && !isAllowedHost(request.headers.host))
      throw new DocentError(
        'misdirected_request',
        'This server accepts only localhost and IP addresses; use --host to allow others.',
      );
    if (!site.build && request.url.startsWith(SITE)) return sendFault(reply, request.url.slice(SITE.length));
  });
  // The site changes, so nothing of it is cached.
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  playgroundRoutes(app, playground, `/${CALL_PATH}`, async () => content.callingSite());
  app.get<{ Querystring: { page?: string; version?: string } }>(EVENTS_PATH, (request, reply) => {
    reply.hijack();
    const { page = '/', version } = request.query;
    return clients.add(reply.raw, page, version || undefined);
  });
  serveSites(app, async (request) => {
    const { '*': path = '' } = request.params as { '*'?: string };
    const opened = await content.at(`/${path}`);
    if (!opened) throw new DocentError('dependency_unavailable', 'There is no site yet.');
    return { content: opened, basePath: '' };
  });
  await app.ready();

  /** Its own files (the client script) must be available even before there is a site. */
  function sendFault(reply: FastifyReply, path: string): FastifyReply {
    const asset = [...theme.values()].find((file) => path === `/_docent/${file.name}`);
    const type = asset?.type ?? 'text/html; charset=utf-8';
    reply
      .code(asset ? 200 : 500)
      .type(type)
      .header('content-security-policy', contentPolicy(type, content.rules()));
    return reply.send(asset?.bytes ?? faultPage(site.fault, content.script('')));
  }

  port = await listen(app.server, port, host ?? '127.0.0.1');
  return {
    port,
    changed: (change) => clients.changed(change),
    checked: () => clients.sendProblems(),
    async close() {
      clients.close();
      app.server.closeAllConnections();
      await app.close();
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

/**
 * Returns whether a server for this machine only may answer a request with this `Host`. A page elsewhere can make a browser call
 * us under its own hostname that resolves to us (DNS rebinding), and would then read the response; it cannot do so under an IP
 * address, `localhost`, or this machine's name.
 */
function isAllowedHost(header: string | undefined): boolean {
  const url = header === undefined ? null : URL.parse(`http://${header}`);
  if (!url || url.username || url.pathname !== '/') return false;
  const name = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const own = hostname().toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || name === own || name === `${own}.local`;
}

/**
 * Returns the document shown instead of a site that could not be built yet. The client script shows the error over it, and loads
 * the site once there is one.
 * @param script the tag of the client script
 */
function faultPage(fault: Diagnostic | undefined, script: string): string {
  const place = [fault?.file, fault?.line].filter(Boolean).join(':');
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>The site cannot be built yet</title>${trustedHtml(script)}</head><body><noscript><h1>The site cannot be built yet</h1><p>${place} ${fault?.message}</p></noscript></body></html>
`.value;
}
