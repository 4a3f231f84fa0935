import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './frame-routes.ts';

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === 'string' ? { next: search.next } : {},
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const setup = createRoute({
  getParentRoute: () => rootRoute,
  path: 'setup',
  component: lazyRouteComponent(() => import('../features/sign-in/setup-page.tsx'), 'SetupPage'),
});

const components = createRoute({
  getParentRoute: () => rootRoute,
  path: '_ui',
  component: lazyRouteComponent(() => import('../features/components/components-page.tsx'), 'ComponentsPage'),
});

/** What is shown to people who are not signed in; the page of all components only to those who work on them. */
export const signedOutRoutes = DOCENT_DEVELOPMENT ? [signIn, setup, components] : [signIn, setup];

export const accountPages = [];
