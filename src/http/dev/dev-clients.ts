import type { ServerResponse } from 'node:http';
import { type DevProblem, withExcerpt } from '../../compiler/dev/dev-problem.ts';
import type { DevChange, DevSite } from '../../compiler/dev/dev-site.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import type { DevAnswers } from './dev-answers.ts';

const HEARTBEAT_MS = 15_000;
/** More in one message help nobody; the count covers the rest. */
const MAX_NOTES = 100;

/** What the client script receives, one JSON object for each event. */
export type DevMessage =
  /** The page reads differently. */
  | { type: 'refresh'; version: string }
  /** What runs in the page is another, or it is no page. */
  | { type: 'reload' }
  /** All that is wrong: `errors` of the page and of the site, and what may wait. */
  | { type: 'problems'; errors: DevProblem[]; notes: Diagnostic[]; noteCount: number };

interface Client {
  response: ServerResponse;
  /** Site path that the browser shows. */
  path: string;
  /** Names the document that it has; undefined where that is not known. */
  version: string | undefined;
  /** The last list of problems that it was sent. */
  problems: string;
}

/** The browsers that show the site, and what they are sent. */
export class DevClients {
  readonly #site: DevSite;
  readonly #answers: DevAnswers;
  readonly #clients = new Set<Client>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(site: DevSite, answers: DevAnswers) {
    this.#site = site;
    this.#answers = answers;
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** A browser that shows `path` begins to listen (Server-Sent Events). */
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

  /** Sends what is wrong, where that is new. */
  tellProblems(clients: Iterable<Client> = this.#clients): void {
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
      const version = (await this.#answers.answer(path, '', false))?.version;
      for (const client of clients) {
        if (client.path !== path) continue;
        if (client.version !== undefined && client.version !== version) {
          send(client, version === undefined ? { type: 'reload' } : { type: 'refresh', version });
        }
        client.version = version;
      }
    }
    this.tellProblems(clients);
  }

  #problemsFor(path: string): DevMessage {
    const page = this.#answers.pageAt(path);
    const ofPage = new Set(page === undefined ? [] : this.#site.diagnosticsOf(page));
    const all = this.#site.diagnostics();
    const isUrgent = (one: Diagnostic) =>
      one.severity === 'error' && (ofPage.has(one) || one === this.#site.fault || isOfSite(one));
    const notes = all.filter((one) => !isUrgent(one));
    // What concerns the page at hand comes first.
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
