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

const deployments = createRoute({
  getParentRoute: () => siteRoute,
  path: 'deployments',
  validateSearch: pick('status'),
  component: lazyRouteComponent(() => import('../features/deployments/deployments-page.tsx'), 'DeploymentsPage'),
});

const deployment = createRoute({
  getParentRoute: () => siteRoute,
  path: 'deployments/$id',
  component: lazyRouteComponent(() => import('../features/deployments/deployment-page.tsx'), 'DeploymentPage'),
});

const previews = createRoute({
  getParentRoute: () => siteRoute,
  path: 'previews',
  validateSearch: pick('q', 'create'),
  component: lazyRouteComponent(() => import('../features/previews/previews-page.tsx'), 'PreviewsPage'),
});

const publish = createRoute({
  getParentRoute: () => siteRoute,
  path: 'publish',
  component: lazyRouteComponent(() => import('../features/publish/publish-page.tsx'), 'PublishPage'),
});

const assistant = createRoute({
  getParentRoute: () => siteRoute,
  path: 'assistant',
  component: lazyRouteComponent(() => import('../features/assistant/assistant-page.tsx'), 'AssistantPage'),
});

const conversations = createRoute({
  getParentRoute: () => siteRoute,
  path: 'conversations',
  validateSearch: pick('outcome', 'days', 'thread'),
  component: lazyRouteComponent(() => import('../features/conversations/conversations-page.tsx'), 'ConversationsPage'),
});

const analytics = createRoute({
  getParentRoute: () => siteRoute,
  path: 'analytics',
  validateSearch: pick('days', 'path', 'language'),
  component: lazyRouteComponent(() => import('../features/analytics/analytics-page.tsx'), 'AnalyticsPage'),
});

const searches = createRoute({
  getParentRoute: () => siteRoute,
  path: 'searches',
  validateSearch: pick('days', 'path', 'language', 'q', 'found'),
  component: lazyRouteComponent(() => import('../features/analytics/searches-page.tsx'), 'SearchesPage'),
});

const feedback = createRoute({
  getParentRoute: () => siteRoute,
  path: 'feedback',
  validateSearch: pick('helpful', 'status', 'kind', 'days', 'path', 'language'),
  component: lazyRouteComponent(() => import('../features/feedback/feedback-page.tsx'), 'FeedbackPage'),
});

const settings = createRoute({
  getParentRoute: () => siteRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
});

export const sitePages = [
  overview,
  deployments,
  deployment,
  previews,
  publish,
  analytics,
  searches,
  assistant,
  conversations,
  feedback,
  keys,
  exports,
  settings,
];
