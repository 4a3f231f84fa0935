import type { IncomingMessage, ServerResponse } from 'node:http';
import { defaultAssistantSettings } from '../core/assistant/assistant-settings.ts';
import { isDiscoveryPath } from '../http/cors.ts';
import { asksForMcpStream } from '../http/routes/site/mcp.ts';
import { createSmallApp } from '../http/small-app.ts';
import { createThreadTurns } from '../services/assistant/thread-turns.ts';
import { wordSearch } from '../services/search/site-search.ts';
import type { LiveSite } from '../services/sites/live-sites.ts';
import { type AssistantDeps, bundleAssistantRoutes } from './assistant-routes.ts';
import type { Bundle } from './bundle.ts';
import { bundleSite } from './bundle-site.ts';
import type { BundleStore } from './bundle-store.ts';
import { createMemoryThreads } from './memory-threads.ts';
import type { BundlePart } from './start-bundle-server.ts';

export interface OpenAssistantOptions extends Pick<AssistantDeps, 'config' | 'limiter' | 'model' | 'logger' | 'clock'> {
  store: BundleStore;
  /** Address that answers name pages by. */
  publicUrl: string | undefined;
}

/** Answers questions about the bundle that is served, from its own index. */
export async function openAssistant({ store, publicUrl, ...given }: OpenAssistantOptions): Promise<BundlePart> {
  let site: LiveSite | undefined;
  let defaults: Bundle['manifest']['defaults'] = {};
  const deps: AssistantDeps = {
    ...given,
    ...createMemoryThreads(),
    models: new Map(),
    // Which version readers see first cannot be told from the pages of a bundle; its manifest says it.
    siteSearch: { hits: (asked, query, options) => wordSearch.hits(asked, query, { ...options, defaults }) },
    assistantSettings: { of: async () => defaultAssistantSettings, isShown: async () => true, forget: () => {} },
    threadTurns: createThreadTurns(),
  };
  const app = createSmallApp(deps);
  bundleAssistantRoutes(app, deps, () => site);
  await app.ready();

  return {
    handle(request: IncomingMessage, response: ServerResponse, path: string): boolean {
      if (!path.startsWith('/_docent/assistant/') && !isDiscoveryPath(path) && !isForMcp(request, path)) return false;
      const query = request.url?.match(/\?.*$/s)?.[0] ?? '';
      request.url = `${encodeURI(path)}${query}`;
      app.routing(request, response);
      return true;
    },
    use(bundle) {
      site = bundleSite(bundle, store, publicUrl);
      defaults = bundle.manifest.defaults;
    },
    close: () => app.close(),
  };
}

/** A page of the bundle may stand at the same address; it is read with GET. */
function isForMcp(request: IncomingMessage, path: string): boolean {
  return path === '/mcp' && (request.method === 'POST' || asksForMcpStream(request, 'mcp'));
}
