import type { QueryClient } from '@tanstack/react-query';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { appRoute, rootRoute } from './frame-routes.ts';
import { pick } from './search.ts';

/** A page that cannot be loaded says so itself. */
const loadSession = ({ context }: { context: { queries: QueryClient } }) => context.queries.prefetchQuery(sessionQuery);

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: pick('next', 'error'),
  loader: loadSession,
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const setup = createRoute({
  getParentRoute: () => rootRoute,
  path: 'setup',
  validateSearch: pick('token'),
  loader: loadSession,
  component: lazyRouteComponent(() => import('../features/sign-in/setup-page.tsx'), 'SetupPage'),
});

const reset = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reset/$token',
  component: lazyRouteComponent(() => import('../features/sign-in/reset-page.tsx'), 'ResetPage'),
});

const forgot = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reset',
  component: lazyRouteComponent(() => import('../features/sign-in/reset-page.tsx'), 'ForgotPage'),
});

const invite = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invite/$token',
  component: lazyRouteComponent(() => import('../features/sign-in/invite-page.tsx'), 'InvitePage'),
});

/** Signed-out pages. */
export const signedOutRoutes = [signIn, setup, forgot, reset, invite];

const profile = createRoute({
  getParentRoute: () => appRoute,
  path: 'account/profile',
  component: lazyRouteComponent(() => import('../features/account/profile-page.tsx'), 'ProfilePage'),
});

const security = createRoute({
  getParentRoute: () => appRoute,
  path: 'account/security',
  validateSearch: pick('error'),
  component: lazyRouteComponent(() => import('../features/account/security-page.tsx'), 'SecurityPage'),
});

const sessions = createRoute({
  getParentRoute: () => appRoute,
  path: 'account/sessions',
  component: lazyRouteComponent(() => import('../features/account/sessions-page.tsx'), 'SessionsPage'),
});

export const accountPages = [profile, security, sessions];
