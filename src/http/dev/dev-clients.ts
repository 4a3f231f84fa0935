import type { ServerResponse } from 'node:http';
import { type DevChange, type DevProblem, type DevSite, withExcerpt } from '../../compiler/dev/dev-site.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import type { DevContent } from './dev-content.ts';

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
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
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
    const ofPage = new Set(page === undefined ? [] : this.#site.diagnosticsOf(page));
    const all = this.#site.diagnostics();
    const isUrgent = (one: Diagnostic) =>
      one.severity === 'error' && (ofPage.has(one) || one === this.#site.fault || isOfSite(one));
    const notes = all.filter((one) => !isUrgent(one));
    // Problems of the current page come first.
    const sorted = [...notes.filter((one) => ofPage.has(one)), ...notes.filter((one) => !ofPage.has(one))];
    return {
      type: 'problems',
      errors: all.filter(isUrgent).map((one) => withExcerpt(one, (file) => this.#site.source.readText(file))),
      notes: sorted.slice(0, MAX_NOTES),
      noteCount: notes.length,
    };
  }

  #beat(): void {
    for (const { response } of this.#clients) response.write(':\n\n');
  }
}

function isOfSite(diagnostic: Diagnostic): boolean {
  return /^(?:docs|mint)\.json$/.test(diagnostic.file);
}

function send({ response }: Client, message: DevMessage): void {
  response.write(`data: ${JSON.stringify(message)}\n\n`);
}
