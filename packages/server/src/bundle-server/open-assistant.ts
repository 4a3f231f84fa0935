import { randomBytes } from 'node:crypto';
import { defaultAssistantSettings } from '@docent/assistant/assistant-settings.ts';
import { BoundedCache } from '@docent/format/bounded-cache.ts';
import { DocentError } from '@docent/format/errors.ts';
import { oncePerObject } from '@docent/format/once.ts';
import { loadBundleRules } from '@docent/search/shards/load-bundle-index.ts';
import type { FastifyRequest } from 'fastify';
import { mcpRoute } from '../assistant/mcp-routes.ts';
import { noModelUsage } from '../assistant/model-usage.ts';
import { type DiscoveryDeps, discoveryRoutes } from '../assistant/routes.ts';
import { siteAssistantRoutes } from '../assistant/site-routes.ts';
import { createThreadTurns } from '../assistant/thread-turns.ts';
import type { NewMessage, ThreadRow } from '../kernel/db/conversation-rows.ts';
import { allowBrowsers } from '../kernel/http/browser-origins.ts';
import type { CountDeps } from '../kernel/http/count-fetch.ts';
import { type ReaderDeps, readerOf } from '../kernel/http/reader-of.ts';
import type { DiscoveryAccess } from '../kernel/operations/discovery-operation.ts';
import { type CountCallDeps, countCall, declareBucket } from '../kernel/operations/rate-limits.ts';
import type { Threads, ThreadWrites } from '../kernel/process-state.ts';
import type { LiveSite, LiveSites } from '../ports/live-sites.ts';
import { wordSearch } from '../ports/site-search.ts';
import { ruledSearch } from '../search/ruled-search.ts';
import { BUNDLE_SITE, type BundlePart } from './bundle-app.ts';
import type { BundleReaders } from './bundle-readers.ts';
import { bundleReader, bundleSites } from './bundle-site.ts';
import type { Bundle, BundleStore } from './bundle-store.ts';

interface OpenAssistantOptions
  extends Omit<CountCallDeps, 'accountable'>,
    Pick<DiscoveryDeps, 'model' | 'logger' | 'clock'> {
  store: BundleStore;
  /** Address of pages in answers. */
  publicUrl: string | undefined;
  /** Path of the site and its API on the server, without a trailing slash. */
  basePath: string;
  /** Who may ask; everybody if it is absent. */
  readers?: BundleReaders | undefined;
  /** Counts queries of programs, if analytics are on. */
  analytics?: CountDeps['analytics'] | undefined;
}

/**
 * Answers questions about the served bundle from its own index, with the platform's routes and
 * without keys.
 */
export function openAssistant({
  store,
  publicUrl,
  basePath,
  readers,
  ...given
}: OpenAssistantOptions): BundlePart {
  return {
    hasDiscovery: true,
    service: 'assistant',
    addRoutes(app, served, metrics) {
      const liveSites = bundleSites({ served, store, publicUrl, access: readers?.access });
      const rulesOf = oncePerObject((bundle: Bundle) =>
        loadBundleRules(bundle.files.keys(), bundleReader(bundle, store)),
      );
      const searchRules = async () => served.current && rulesOf(served.current);
      const siteSearch: DiscoveryDeps['siteSearch'] = {
        // The pages of a bundle do not tell which version readers see first; its manifest does.
        hits: (liveSite, query, options) =>
          wordSearch.hits(liveSite, query, {
            ...options,
            defaults: served.current?.manifest.defaults ?? {},
          }),
      };
      const deps = {
        ...given,
        ...readers?.deps,
        ...createMemoryThreads(),
        liveSites,
        config: { ...given.config, publicUrl: publicUrl ?? basePath },
        analytics: given.analytics ?? { countFetch() {} },
        models: new Map(),
        quotingModel: given.model,
        modelUsage: noModelUsage,
        secret: randomBytes(32).toString('base64url'),
        siteSearch: ruledSearch(siteSearch, { searchRules }),
        assistantSettings: {
          of: async () => ({ ...defaultAssistantSettings, ...(await searchRules()) }),
          isShown: async () => true,
          searchRules,
          invalidate: () => {},
        },
        threadTurns: createThreadTurns(),
        accountable: async (id: string) => id,
      };
      app.addHook('onRequest', allowBrowsers);
      discoveryRoutes(app, deps, { access: openAccess(deps, liveSites), metrics });
      siteAssistantRoutes(app, deps, metrics);
      mcpRoute(app, deps);
    },
  };
}

/** No key is required, but a sign-in where readers sign in; any name means the only site. */
function openAccess(deps: CountCallDeps & ReaderDeps, liveSites: LiveSites): DiscoveryAccess {
  const sites = new WeakMap<FastifyRequest, LiveSite>();
  const findSite = async (request: FastifyRequest): Promise<void> => {
    const site = (await liveSites.find(BUNDLE_SITE)) as LiveSite;
    const reader = await readerOf(deps, request, site);
    if (site.access.isPrivate && !reader)
      throw new DocentError(
        'sign_in_required',
        'Readers of this site sign in; send the token of one as X-Reader-Token.',
      );
    sites.set(request, site.as(reader));
  };
  return {
    counted: (bucket) => [
      declareBucket(deps, bucket),
      findSite,
      (request, reply) => countCall(deps, request, reply, bucket, BUNDLE_SITE),
    ],
    free: [findSite],
    siteOf: (request) => sites.get(request) as LiveSite,
    isMember: () => false,
  };
}

interface HeldThread extends ThreadRow {
  siteId: string;
  messages: NewMessage[];
}

/** About two thousand conversations. */
const MAX_THREAD_BYTES = 64 * 1024 * 1024;
/** Bytes of memory for a character of JSON. */
const MEMORY_OF_JSON = 2;
/** Earlier turns do not help an answer. */
const MAX_MESSAGES = 60;

/**
 * Conversations in memory: a bundle server stores nothing about its readers. The least recently
 * used threads are evicted first, and all of them end with the process; a reader who continues an
 * evicted one starts a new one.
 */
function createMemoryThreads(): { threads: Threads; threadWrites: ThreadWrites } {
  const threadCache = new BoundedCache<HeldThread>('bundle_threads', {
    maxBytes: MAX_THREAD_BYTES,
    sizeOf: (thread) => MEMORY_OF_JSON * JSON.stringify(thread).length,
  });

  const threads: Threads = {
    async find(siteId, id) {
      const thread = threadCache.get(id);
      return thread?.siteId === siteId ? thread : undefined;
    },
    async turns(threadId, { limit, before }) {
      const messages = threadCache.get(threadId)?.messages ?? [];
      const end = messages.findIndex(({ id }) => id === before);
      const earlier = (end < 0 ? messages : messages.slice(0, end)).filter(
        ({ content }) => content !== '',
      );
      return earlier
        .slice(-limit)
        .map(({ role, content, sources }) => ({ role, content, sources }));
    },
    async setHelpful({ threadId, messageId }) {
      const messages = threadCache.get(threadId)?.messages ?? [];
      return messages.some(
        ({ id, role }) => role === 'assistant' && (messageId === undefined || id === messageId),
      );
    },
  };

  const threadWrites: ThreadWrites = {
    async write({ thread, message: { basis: _, ...message }, replaces }) {
      const memoryThread = thread ? { ...thread, messages: [] } : threadCache.get(message.threadId);
      if (!memoryThread) return;
      const at =
        replaces === undefined
          ? -1
          : memoryThread.messages.findIndex(({ id }) => id === message.id);
      if (at >= 0)
        memoryThread.messages.splice(at, replaces === 'message' ? 1 : memoryThread.messages.length);
      memoryThread.messages.push(message);
      memoryThread.messages.splice(0, memoryThread.messages.length - MAX_MESSAGES);
      threadCache.set(memoryThread.id, memoryThread);
    },
    settled: async () => {},
    expect: () => () => {},
    close: async () => {},
  };
  return { threads, threadWrites };
}
