import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { accountPages, signedOutRoutes } from './account-routes.ts';
import { appRoute, rootRoute } from './frame-routes.ts';
import { homeRoute, organisationPages, organisationRoute } from './organisation-routes.ts';
import { parseSearch, stringifySearch } from './search.ts';
import { sitePages, siteRoute } from './site-routes.ts';

const routeTree = rootRoute.addChildren([
  ...signedOutRoutes,
  appRoute.addChildren([
    homeRoute,
    ...accountPages,
    organisationRoute.addChildren([...organisationPages, siteRoute.addChildren(sitePages)]),
  ]),
]);

/**
 * The pages of the dashboard by URL.
 * @param history the location, outside a browser
 */
export function createDashboardRouter(queries: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath: '/dashboard',
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: history === undefined,
    ...(history && { history }),
  });
}
