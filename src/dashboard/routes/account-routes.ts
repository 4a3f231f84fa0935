import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute, rootRoute } from './frame-routes.ts';
import { pick } from './search.ts';

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: pick('next', 'error'),
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const setup = createRoute({
  getParentRoute: () => rootRoute,
  path: 'setup',
  validateSearch: pick('token'),
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

const components = createRoute({
  getParentRoute: () => rootRoute,
  path: '_ui',
  component: lazyRouteComponent(() => import('../features/components/components-page.tsx'), 'ComponentsPage'),
});

const signedOut = [signIn, setup, forgot, reset, invite];

/** What is shown to people who are not signed in; the page of all components only to those who work on them. */
export const signedOutRoutes = DOCENT_DEVELOPMENT ? [...signedOut, components] : signedOut;

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
