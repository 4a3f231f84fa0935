import { readFile } from 'node:fs/promises';
import { CALL_PATH } from '../core/api-reference/playground/api-call.ts';
import { type PlaygroundDeps, playgroundRoutes } from '../http/routes/site/playground-routes.ts';
import { createSmallApp } from '../http/small-app.ts';
import type { CallingSite } from '../services/assistant/call-api.ts';
import type { Bundle } from './bundle.ts';
import { BUNDLE_SITE } from './bundle-site.ts';
import type { BundleStore } from './bundle-store.ts';
import type { BundlePart } from './start-bundle-server.ts';

/** Makes the calls of the API pages of the bundle that is served. */
export async function openPlayground(store: BundleStore, deps: PlaygroundDeps): Promise<BundlePart> {
  let bundle: Bundle | undefined;
  const site: CallingSite = {
    name: BUNDLE_SITE,
    pageHtml: async (href) => {
      const name = bundle?.manifest.pages.find((page) => page.href === href)?.file;
      const file = name === undefined ? undefined : bundle?.files.get(name);
      return file && readFile(store.filePath(file.sha256), 'utf8');
    },
  };
  const app = createSmallApp(deps);
  playgroundRoutes(app, deps, `/${CALL_PATH}`, async () => site);
  await app.ready();
  return {
    handle(request, response, path) {
      if (path !== `/${CALL_PATH}`) return false;
      request.url = path;
      app.routing(request, response);
      return true;
    },
    use: (served) => {
      bundle = served;
    },
    close: () => app.close(),
  };
}
