import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organisationRoute } from './organisation-routes.ts';
import { pick } from './search.ts';

/** Everything of a site; the address ends in its identifier. */
export const siteRoute = createRoute({
  getParentRoute: () => organisationRoute,
  path: '$domain',
  component: lazyRouteComponent(() => import('../features/frame/site-pages.tsx'), 'SitePages'),
});

const overview = createRoute({
  getParentRoute: () => siteRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
});

const keys = createRoute({
  getParentRoute: () => siteRoute,
  path: 'keys',
  validateSearch: pick('q', 'all', 'create'),
  component: lazyRouteComponent(() => import('../features/keys/keys-page.tsx'), 'AssistantKeysPage'),
});

const exports = createRoute({
  getParentRoute: () => siteRoute,
  path: 'exports',
  validateSearch: pick('job', 'start'),
  component: lazyRouteComponent(() => import('../features/exports/exports-page.tsx'), 'ExportsPage'),
});

export const sitePages = [overview, keys, exports];
