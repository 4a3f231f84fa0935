import type { PlaygroundDeps } from '../http/routes/site/playground-routes.ts';
import { sitePlaygroundRoutes } from '../http/routes/site/playground-routes.ts';
import type { BundlePart } from './bundle-app.ts';
import { bundleSites } from './bundle-site.ts';
import type { BundleStore } from './bundle-store.ts';

/** Makes the calls of the API pages of the bundle that is served. */
export function openPlayground(store: BundleStore, deps: PlaygroundDeps): BundlePart {
  return { addRoutes: (app, served) => sitePlaygroundRoutes(app, { ...deps, liveSites: bundleSites(served, store, undefined) }) };
}
