import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { hostname } from 'node:os';
import type { ThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import type { DevChange, DevSite } from '@docent/compiler/dev/dev-site.ts';
import { type DevProblem, withExcerpt } from '@docent/compiler/dev/dev-site.ts';
import { CALL_PATH } from '@docent/format/api-reference/playground/api-call.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { DocentError } from '@docent/format/errors.ts';
import { html, trustedHtml } from '@docent/format/html.ts';
import type { FastifyReply } from 'fastify';
import { createBaseApp } from '../kernel/http/base-app.ts';
import { listenFault } from '../lib/listen-fault.ts';
import { type PlaygroundDeps, playgroundRoutes } from '../playground/routes.ts';
import { serveSites } from '../serving/serve-sites.ts';
import { contentPolicy } from '../serving/site-headers.ts';
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
  /** Groups of the reader who sees the site; absent: nobody in particular. */
  groups?: readonly string[] | undefined;
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
export async function startDevServer({
  site,
  theme,
  host,
  playground,
  ...options
}: DevServerOptions): Promise<DevServer> {
  let port = options.port;
  const content = new DevContent(site, theme, () => `http://localhost:${port}`, options.groups);
  const clients = new DevClients(site, content);
  const app = createBaseApp({
    ...playground,
    rewriteUrl: ({ url = '/' }) =>
      url.startsWith(EVENTS_PATH) || url === `/${CALL_PATH}` ? url : SITE + url,
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (host === undefined && !isAllowedHost(request.headers.host))
      throw new DocentError(
        'misdirected_request',
        'This server accepts only localhost and IP addresses; use --host to allow others.',
      );
    if (!site.build && request.url.startsWith(SITE))
      return sendFault(reply, request.url.slice(SITE.length));
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
    return reply.send(asset?.identity ?? faultPage(site.fault, content.script('')));
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
async function listen(server: Server, firstPort: number, host: string): Promise<number> {
  for (let port = firstPort; ; port++) {
    try {
      await once(server.listen(port, host), 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || port >= Math.min(firstPort + MORE_PORTS, 65_535))
        throw listenFault(error, firstPort);
    }
  }
}

/**
 * Returns whether a server for this machine only may answer a request with this `Host`. A page
 * elsewhere can make a browser call us under its own hostname that resolves to us (DNS rebinding),
 * and would then read the response; it cannot do so under an IP address, `localhost`, or this
 * machine's name.
 */
function isAllowedHost(header: string | undefined): boolean {
  const url = header === undefined ? null : URL.parse(`http://${header}`);
  if (!url || url.username || url.pathname !== '/') return false;
  const name = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const machineName = hostname().toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    isIP(name) !== 0 ||
    name === machineName ||
    name === `${machineName}.local`
  );
}

/**
 * Returns the document shown instead of a site that could not be built yet. The client script shows
 * the error over it, and loads the site once there is one.
 * @param script the tag of the client script
 */
function faultPage(fault: Diagnostic | undefined, script: string): string {
  const place = [fault?.file, fault?.line].filter(Boolean).join(':');
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>The site cannot be built yet</title>${trustedHtml(script)}</head><body><noscript><h1>The site cannot be built yet</h1><p>${place} ${fault?.message}</p></noscript></body></html>
`.value;
}

const HEARTBEAT_MS = 15_000;
/** Maximum problems per message; the count covers the rest. */
const MAX_NOTES = 100;

/** What the client script receives, one JSON object for each event. */
export type DevMessage =
  /** The content of the page changed. */
  | { type: 'refresh'; version: string }
  /** The code of the page changed, or it is no longer a page: reload. */
  | { type: 'reload' }
  /** All problems: `errors` of the page and of the site, and less urgent ones. */
  | { type: 'problems'; errors: DevProblem[]; notes: Diagnostic[]; noteCount: number };

interface Client {
  response: ServerResponse;
  /** Site path that the browser shows. */
  path: string;
  /** Identifies the document that it has; undefined if unknown. */
  version: string | undefined;
  /** The last list of problems sent to it. */
  problems: string;
}

/** The browsers that show the site, and the events sent to them. */
export class DevClients {
  readonly #site: DevSite;
  readonly #content: DevContent;
  readonly #clients = new Set<Client>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(site: DevSite, content: DevContent) {
    this.#site = site;
    this.#content = content;
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Adds a browser that shows `path` (Server-Sent Events). */
  async add(response: ServerResponse, path: string, version: string | undefined): Promise<void> {
    const client: Client = { response, path, version, problems: '' };
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 500\n\n');
    this.#clients.add(client);
    response.on('close', () => this.#clients.delete(client));
    await this.#bringUpToDate([client]);
  }

  /** Notifies all browsers of a change of the site. */
  async changed(change: DevChange): Promise<void> {
    if (change === 'site') for (const client of this.#clients) send(client, { type: 'reload' });
    else await this.#bringUpToDate([...this.#clients]);
  }

  /** Sends the problems if they changed. */
  sendProblems(clients: Iterable<Client> = this.#clients): void {
    for (const client of clients) {
      const message = this.#problemsFor(client.path);
      const text = JSON.stringify(message);
      if (text === client.problems) continue;
      client.problems = text;
      send(client, message);
    }
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const { response } of this.#clients) response.end();
  }

  async #bringUpToDate(clients: readonly Client[]): Promise<void> {
    for (const path of new Set(clients.map((client) => client.path))) {
      const version = await this.#content.versionAt(path);
      for (const client of clients) {
        if (client.path !== path) continue;
        if (client.version !== undefined && client.version !== version) {
          send(client, version === undefined ? { type: 'reload' } : { type: 'refresh', version });
        }
        client.version = version;
      }
    }
    this.sendProblems(clients);
  }

  #problemsFor(path: string): DevMessage {
    const page = this.#content.pageAt(path);
    const keys = new Set(page === undefined ? [] : this.#site.diagnosticsOf(page).map(keyOf));
    const isOfPage = (diagnostic: Diagnostic) => keys.has(keyOf(diagnostic));
    const all = this.#site.diagnostics();
    const isUrgent = (diagnostic: Diagnostic) =>
      diagnostic.severity === 'error' &&
      (isOfPage(diagnostic) || diagnostic === this.#site.fault || isOfSite(diagnostic));
    const notes = all.filter((diagnostic) => !isUrgent(diagnostic));
    // Problems of the current page come first.
    const sorted = [
      ...notes.filter(isOfPage),
      ...notes.filter((diagnostic) => !isOfPage(diagnostic)),
    ];
    return {
      type: 'problems',
      errors: all
        .filter(isUrgent)
        .map((diagnostic) => withExcerpt(diagnostic, (file) => this.#site.source.readText(file))),
      notes: sorted.slice(0, MAX_NOTES),
      noteCount: notes.length,
    };
  }

  #beat(): void {
    for (const { response } of this.#clients) response.write(':\n\n');
  }
}

function keyOf({ code, file, line, message }: Diagnostic): string {
  return JSON.stringify([code, file, line, message]);
}

function isOfSite(diagnostic: Diagnostic): boolean {
  return /^(?:docs|mint)\.json$/.test(diagnostic.file);
}

function send({ response }: Client, message: DevMessage): void {
  response.write(`data: ${JSON.stringify(message)}\n\n`);
}
