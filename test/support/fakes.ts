import { Readable } from 'node:stream';
import { defaultSiteSecurity, defaultSiteSettings } from '@docent/format/access/site-settings.ts';
import type { BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { SearchDocument, SearchIndex, SearchOptions } from '@docent/search/search-index.ts';
import type {
  ChatModel,
  ChatPart,
  ChatRequest,
} from '../../packages/server/src/ports/chat-model.ts';
import type { Clock } from '../../packages/server/src/ports/clock.ts';
import type { Transaction } from '../../packages/server/src/ports/database.ts';
import { DnsFault, type DnsLookup } from '../../packages/server/src/ports/dns-lookup.ts';
import type { GitRepositories } from '../../packages/server/src/ports/git/git-repositories.ts';
import type { JobDefinition, JobQueue } from '../../packages/server/src/ports/job-queue.ts';
import {
  type LiveSite,
  type LiveSites,
  PUBLIC_ACCESS,
} from '../../packages/server/src/ports/live-sites.ts';
import type { OutsideCall, OutsideCalls } from '../../packages/server/src/ports/outside-calls.ts';
import {
  OutsideFault,
  type OutsideFile,
  type OutsideFiles,
} from '../../packages/server/src/ports/outside-files.ts';

/** Creates a clock that only `advance` moves. */
export function fakeClock(
  start = '2026-11-20T12:00:00.000Z',
): Clock & { advance(seconds: number): void } {
  let time = Date.parse(start);
  return {
    now: () => new Date(time),
    advance: (seconds) => {
      time += seconds * 1000;
    },
  };
}

/** Creates a queue that records the jobs that are added and runs none. */
export function fakeJobQueue(): JobQueue & {
  added: { name: string; payload: object; inTransaction: boolean; rank: number }[];
} {
  const added: { name: string; payload: object; inTransaction: boolean; rank: number }[] = [];
  return {
    added,
    enqueue: async <Payload extends object>(
      job: JobDefinition<Payload>,
      payload: Payload,
      transaction?: Transaction,
      rank = 0,
    ) => {
      added.push({
        name: job.name,
        payload: job.parse(payload),
        inTransaction: transaction !== undefined,
        rank,
      });
    },
    work: async () => {},
    depth: async () =>
      Object.fromEntries(
        added.map(({ name }) => [name, added.filter((one) => one.name === name).length]),
      ),
    close: async () => {},
  };
}

/** Creates live sites from those that are added. */
export function fakeLiveSites(): LiveSites & { add(site: LiveSite): void } {
  const sites: LiveSite[] = [];
  return {
    add: (site) => sites.push(site),
    find: async (domain) =>
      sites.find(
        (site) => site.slug === domain || site.siteId === domain || site.hostnames.includes(domain),
      ),
    findShown(slug) {
      return this.find(slug);
    },
    get heldCount() {
      return sites.length;
    },
    invalidate: () => {},
    outdate: () => {},
  };
}

export function fakePage(path: string, version?: string): BuiltPage {
  const href = path === 'index' ? '/' : `/${path}`;
  return {
    path,
    href,
    file: `${path}.mdx`,
    title: path,
    mode: 'default',
    version,
    content: { sha256: 'a'.repeat(64), sizeBytes: 2, type: 'application/json' },
  };
}

/**
 * Creates a live site with these pages, and an index that finds every page with a word of the query
 * in its path.
 */
export function fakeLiveSite(
  site: Pick<LiveSite, 'siteId' | 'organizationId' | 'slug' | 'deploymentId'>,
  pages: BuiltPage[],
): LiveSite {
  const documents = pages.map((page) => fakeDocument(page));
  return {
    ...site,
    hostnames: [],
    security: defaultSiteSecurity,
    settings: defaultSiteSettings,
    access: PUBLIC_ACCESS,
    as() {
      return this;
    },
    narrowed() {
      return this;
    },
    publicUrl: `http://${site.slug}.localhost:3000`,
    build: {
      pages,
      files: {},
      config: { name: 'Test', colors: { primary: '#0d9373', light: '#07c983' } },
      navigation: { roots: [], global: [] },
    } as unknown as SiteBuild,
    searchIndex: async () => fakeSearchIndex(documents),
    pageContent: async (path) => {
      const page = pages.find((one) => one.path === path);
      const markdown = `All about ${path}.`;
      return page && { html: `<p>${markdown}</p>`, aside: '', toc: [], markdown, elements: [] };
    },
  };
}

function fakeDocument(page: BuiltPage): SearchDocument {
  const text = `All about ${page.title}.`;
  const { path, href, title: pageTitle, version } = page;
  return {
    path,
    href,
    pageTitle,
    description: '',
    keywords: [],
    anchor: '',
    headings: [],
    markdown: text,
    text,
    code: '',
    boost: 1,
    version,
  };
}

function fakeSearchIndex(documents: SearchDocument[]): SearchIndex {
  const index = {
    versions: ['v1', 'v2'],
    languages: [],
    sectionsOf: () => [],
    search: (query: string, { limit, filter }: SearchOptions) => {
      const words = query.toLowerCase().split(/\W+/);
      const found = documents.filter(({ pageTitle, version }) => {
        const matches = words.some((word) => pageTitle.split('/').includes(word));
        return matches && (filter?.version === undefined || filter.version === version);
      });
      return found.slice(0, limit).map((document, rank) => ({ document, score: 1 / (rank + 1) }));
    },
  };
  return index;
}

export interface FakeModel extends ChatModel {
  requests: ChatRequest[];
  /** Whether the last call ended because its signal was aborted. */
  aborted: boolean;
}

/**
 * Creates a model that streams the given parts. At `wait`, it waits until it is aborted; an `Error`
 * is thrown.
 */
export function fakeModel(script: (ChatPart | Error | 'wait')[]): FakeModel {
  const model: FakeModel = {
    name: 'fake',
    requests: [],
    aborted: false,
    async *stream(request, signal) {
      model.requests.push(request);
      signal.addEventListener('abort', () => {
        model.aborted = true;
      });
      for (const part of script) {
        if (part instanceof Error) throw part;
        if (part === 'wait')
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        else yield part;
        if (signal.aborted) return;
      }
    },
  };
  return model;
}

/** Creates other servers with these files, by address. */
export function fakeOutsideFiles(
  files: Readonly<Record<string, Omit<OutsideFile, 'url'>>> = {},
): OutsideFiles {
  return {
    async fetch(url) {
      const file = files[url];
      if (!file) throw new OutsideFault('unreachable', `${url} could not be reached.`);
      return { ...file, url };
    },
  };
}

/** Git without a network: every repository is unreachable. */
export function fakeGit(): GitRepositories {
  const unreachable = async () => {
    throw new DocentError('git_unavailable', 'There is no network.');
  };
  return {
    resolve: unreachable,
    list: unreachable,
    inspect: unreachable,
    withSource: unreachable,
    addBranch: unreachable,
    createKey: unreachable,
    forget: async () => {},
  };
}

/** Creates an API that responds to every call with 200 and the URL of the call. */
export function fakeOutsideCalls(made: OutsideCall[] = []): OutsideCalls {
  return {
    async call(call) {
      made.push(call);
      const headers: [string, string][] = [
        ['content-type', 'text/plain'],
        ['set-cookie', 'a=b'],
        ['transfer-encoding', 'chunked'],
      ];
      return {
        status: 200,
        statusText: 'OK',
        headers,
        body: Readable.from([Buffer.from(`called ${call.url}`)]),
      };
    },
  };
}

/** Creates a DNS with the records of a test, by type and name; `down` for no response at all. */
export function fakeDns(): DnsLookup & { records: Map<string, string[]>; down: boolean } {
  const dns = {
    records: new Map<string, string[]>(),
    down: false,
    txt: async (name: string) => ask(`TXT ${name}`),
    cname: async (name: string) => ask(`CNAME ${name}`),
  };
  const ask = (question: string): string[] => {
    if (dns.down)
      throw new DnsFault(`The records of ${question} could not be looked up (ETIMEOUT).`);
    return dns.records.get(question) ?? [];
  };
  return dns;
}
