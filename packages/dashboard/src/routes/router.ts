import { signInAddress } from '@docent/format/access/return-address.ts';
import { visitorFilterNames } from '@docent/format/analytics/reports.ts';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  type RouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { api, selectOrganization } from '../api/client.ts';
import { dropEarlyAnswer } from '../api/early-answer.ts';
import { queries, sessionQuery, siteQuery } from '../api/queries.ts';
import { Frame, SitePages } from '../features/frame/frame.tsx';
import { NotFound, RouteFault } from '../ui/page.tsx';
import { lazyPage } from './lazy-page.tsx';
import { parseSearch, pick, stringifySearch } from './search.ts';

/**
 * Returns a function that adds a page below `parent`: its path, the module to load on demand, the
 * component in it, and the names that its query string may contain.
 */
function pagesOf<Parent extends AnyRoute>(parent: Parent) {
  return <
    const Path extends string,
    Module extends Record<Name, RouteComponent>,
    Name extends string,
    Key extends string = never,
  >(
    path: Path,
    load: () => Promise<Module>,
    name: Name,
    ...keys: Key[]
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      validateSearch: pick(...keys),
      component: lazyPage(load, name),
    });
}

const rootRoute = createRootRoute({ notFoundComponent: NotFound, errorComponent: RouteFault });

/** The frame around all signed-in pages; signed-out visitors are redirected. */
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData({ ...sessionQuery, revalidateIfStale: true });
    if (session.setupRequired) throw redirect({ to: '/setup' });
    if (!session.user) throw redirect({ href: signInAddress(location.publicHref) });
  },
  component: Frame,
});

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  beforeLoad: async () => {
    const { organizations } = await queries.ensureQueryData(sessionQuery);
    const [first] = organizations;
    // The frame says so.
    if (!first) return;
    throw redirect({ to: '/$org', params: { org: first.slug } });
  },
});

/** All routes of an organization; requests below it are for that organization. */
const organizationRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '$org',
  beforeLoad: async ({ params, location }) => {
    const { organizations } = await queries.ensureQueryData(sessionQuery);
    selectOrganization(params.org);
    if (organizations.some(({ slug }) => slug === params.org)) return;
    // The API also knows an organization by a former identifier and its id, and one joined since.
    const { slug } = await api.get('/v1/organization').catch(() => {
      throw notFound();
    });
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (slug !== params.org)
      throw redirect({
        href: location.publicHref.replace(`/${params.org}`, `/${slug}`),
        replace: true,
      });
  },
});

/** All routes of a site, by its identifier. */
const siteRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '$domain',
  loader: async ({ params: { org, domain }, location }) => {
    await queries.prefetchQuery(siteQuery(org, domain));
    const slug = queries.getQueryData(siteQuery(org, domain).queryKey)?.slug ?? domain;
    // The API also knows a site by a former identifier, a hostname and its project id.
    if (slug !== domain)
      throw redirect({
        href: location.publicHref.replace(`/${org}/${domain}`, `/${org}/${slug}`),
        replace: true,
      });
  },
  component: SitePages,
});

/** Pages for people who may not be signed in. One whose data cannot be loaded says so itself. */
const signedOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-out',
  loader: () => queries.prefetchQuery(sessionQuery),
});

const loadSignIn = () => import('../features/sign-in/sign-in-page.tsx');
const loadJoin = () => import('../features/sign-in/join-page.tsx');
const signedOutPage = pagesOf(signedOutRoute);
const signedOutPages = [
  signedOutPage('sign-in', loadSignIn, 'SignInPage', 'next', 'error', 'done'),
  signedOutPage('signed-in', loadSignIn, 'SignedInPage'),
  signedOutPage('reset', loadSignIn, 'ForgotPage'),
  signedOutPage('reset/$token', loadSignIn, 'ResetPage'),
  signedOutPage('email/$token', loadSignIn, 'ConfirmEmailPage'),
  signedOutPage('setup', loadJoin, 'SetupPage', 'token'),
  signedOutPage('invite/$token', loadJoin, 'InvitePage'),
];

const loadAccount = () => import('../features/account/account-page.tsx');
const accountPage = pagesOf(appRoute);
const accountPages = [
  accountPage('account/profile', loadAccount, 'ProfilePage'),
  accountPage('account/sessions', loadAccount, 'SessionsPage'),
  accountPage(
    'account/security',
    () => import('../features/account/security-page.tsx'),
    'SecurityPage',
    'error',
  ),
];

/** Leads from the address of a folder to its first page. */
const accountRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'account',
  beforeLoad: () => {
    throw redirect({ to: '/account/profile', replace: true });
  },
});
const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$org/settings/general', params, replace: true });
  },
});

const loadPublish = () => import('../features/publish/publish-page.tsx');
const loadKeys = () => import('../features/keys/keys-page.tsx');
const loadOrganization = () => import('../features/organization/organization-page.tsx');
const auditFilters = ['q', 'actor', 'site', 'kind', 'outcome', 'from', 'to'] as const;
const loadAudit = () => import('../features/audit/audit-page.tsx');
const organizationPage = pagesOf(organizationRoute);
const organizationPages = [
  organizationPage(
    '/',
    () => import('../features/sites/sites-page.tsx'),
    'SitesPage',
    'q',
    'state',
    'sort',
  ),
  organizationPage('settings/new-site', loadPublish, 'NewSitePage'),
  organizationPage('settings/new-organization', loadOrganization, 'NewOrganizationPage'),
  organizationPage('settings/general', loadOrganization, 'OrganizationPage'),
  organizationPage(
    'settings/members',
    () => import('../features/members/members-page.tsx'),
    'MembersPage',
    'create',
  ),
  organizationPage(
    'settings/sign-in',
    () => import('../features/organization/organization-sign-in-page.tsx'),
    'OrganizationSignInPage',
  ),
  organizationPage('settings/keys', loadKeys, 'AdminKeysPage', 'q', 'all', 'create'),
  organizationPage('settings/audit-log', loadAudit, 'AuditPage', ...auditFilters, 'entry'),
  organizationPage(
    'settings/github-app',
    () => import('../features/sources/github-app-page.tsx'),
    'GitHubAppPage',
    ...(['host', 'code', 'state', 'setup_action'] as const),
  ),
  organizationPage('settings/usage', () => import('../features/usage/usage-page.tsx'), 'UsagePage'),
];

const scope = ['days', 'path', 'version', 'language'] as const;
const loadAnalytics = () => import('../features/analytics/analytics-page.tsx');
const loadLive = () => import('../features/analytics/live-page.tsx');
const loadQuestions = () => import('../features/analytics/questions-page.tsx');
const loadSearches = () => import('../features/analytics/searches-page.tsx');
const loadFeedback = () => import('../features/feedback/feedback-page.tsx');
const loadConversations = () => import('../features/conversations/conversations-page.tsx');
const sitePage = pagesOf(siteRoute);
const sitePages = [
  sitePage('/', () => import('./site-start.tsx'), 'SiteStartPage'),
  sitePage(
    'deployments',
    () => import('../features/deployments/deployments-page.tsx'),
    'DeploymentsPage',
    'status',
    'q',
    'show',
    'compare',
  ),
  sitePage(
    'deployments/$id',
    () => import('../features/deployments/deployment-page.tsx'),
    'DeploymentPage',
  ),
  sitePage(
    'deployments/$id/compare',
    () => import('../features/deployments/compare-page.tsx'),
    'ComparePage',
    'base',
    'path',
  ),
  sitePage(
    'previews',
    () => import('../features/previews/previews-page.tsx'),
    'PreviewsPage',
    'q',
    'edit',
  ),
  sitePage(
    'previews/new',
    () => import('../features/publish/new-preview-page.tsx'),
    'NewPreviewPage',
  ),
  sitePage(
    'previews/$name/open',
    () => import('../features/previews/previews-page.tsx'),
    'OpenPreviewPage',
    'path',
  ),
  sitePage('publish', loadPublish, 'PublishPage'),
  sitePage('analytics', loadAnalytics, 'AnalyticsPage', 'unit', ...scope, ...visitorFilterNames),
  sitePage('live', loadLive, 'LivePage', ...scope),
  sitePage('questions', loadQuestions, 'QuestionsPage', 'only', ...scope),
  sitePage('searches', loadSearches, 'SearchesPage', 'q', 'found', ...scope),
  sitePage('assistant', () => import('../features/assistant/assistant-page.tsx'), 'AssistantPage'),
  sitePage('conversations', loadConversations, 'ConversationsPage', 'outcome', 'days', 'thread'),
  sitePage('feedback', loadFeedback, 'FeedbackPage', 'helpful', 'status', 'kind', ...scope),
  sitePage('keys', loadKeys, 'AssistantKeysPage', 'q', 'all', 'create'),
  sitePage('read', () => import('../features/access/read-page.tsx'), 'ReadPage', 'path'),
  sitePage('access', () => import('../features/access/access-page.tsx'), 'AccessPage'),
  sitePage('git', () => import('../features/sources/git-page.tsx'), 'GitPage', 'connect'),
  sitePage(
    'exports',
    () => import('../features/exports/exports-page.tsx'),
    'ExportsPage',
    'job',
    'start',
  ),
  sitePage('settings', () => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
];

const routeTree = rootRoute.addChildren([
  signedOutRoute.addChildren(signedOutPages),
  appRoute.addChildren([
    homeRoute,
    accountRoute,
    ...accountPages,
    organizationRoute.addChildren([
      settingsRoute,
      ...organizationPages,
      siteRoute.addChildren(sitePages),
    ]),
  ]),
]);

/**
 * The pages of the dashboard by URL.
 * @param history the location, outside a browser
 */
export function createDashboardRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    basepath: '/dashboard',
    parseSearch,
    stringifySearch,
    defaultErrorComponent: RouteFault,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: history === undefined,
    ...(history && { history }),
  });
  router.subscribe('onBeforeLoad', ({ fromLocation }) => fromLocation && dropEarlyAnswer());
  return router;
}
