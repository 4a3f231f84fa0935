import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { viewFilterNames } from '../../core/analytics/reports.ts';
import { sitesQuery } from '../api/current.ts';
import { SitePages } from '../features/frame/site-pages.tsx';
import { organisationRoute } from './organisation-routes.ts';
import { pick } from './search.ts';

/** All routes of a site, by its identifier. */
export const siteRoute = createRoute({
  getParentRoute: () => organisationRoute,
  path: '$domain',
  loader: ({ context, params }) => context.queries.ensureQueryData(sitesQuery(params.org)),
  component: SitePages,
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
  validateSearch: pick('days', 'unit', 'path', 'version', 'language', ...viewFilterNames),
  component: lazyRouteComponent(() => import('../features/analytics/analytics-page.tsx'), 'AnalyticsPage'),
});

const live = createRoute({
  getParentRoute: () => siteRoute,
  path: 'live',
  validateSearch: pick('path', 'version', 'language'),
  component: lazyRouteComponent(() => import('../features/analytics/live-page.tsx'), 'LivePage'),
});

const questions = createRoute({
  getParentRoute: () => siteRoute,
  path: 'questions',
  validateSearch: pick('days', 'path', 'version', 'language'),
  component: lazyRouteComponent(() => import('../features/analytics/questions-page.tsx'), 'QuestionsPage'),
});

const searches = createRoute({
  getParentRoute: () => siteRoute,
  path: 'searches',
  validateSearch: pick('days', 'path', 'version', 'language', 'q', 'found'),
  component: lazyRouteComponent(() => import('../features/analytics/searches-page.tsx'), 'SearchesPage'),
});

const feedback = createRoute({
  getParentRoute: () => siteRoute,
  path: 'feedback',
  validateSearch: pick('helpful', 'status', 'kind', 'days', 'path', 'version', 'language'),
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
  live,
  questions,
  searches,
  assistant,
  conversations,
  feedback,
  keys,
  exports,
  settings,
];
