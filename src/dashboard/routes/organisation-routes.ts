import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { selectOrganisation } from '../api/client.ts';
import { sessionQuery } from '../api/session.ts';
import { appRoute } from './frame-routes.ts';
import { pick } from './search.ts';

export const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const { organisations } = await context.queries.ensureQueryData(sessionQuery);
    const [first] = organisations;
    if (!first) throw notFound();
    throw redirect({ to: '/$org', params: { org: first.slug } });
  },
});

/** All routes of an organization; requests below it are for that organization. */
export const organisationRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '$org',
  beforeLoad: async ({ context, params }) => {
    const { organisations } = await context.queries.ensureQueryData(sessionQuery);
    if (!organisations.some(({ slug }) => slug === params.org)) throw notFound();
    selectOrganisation(params.org);
  },
});

const sites = createRoute({
  getParentRoute: () => organisationRoute,
  path: '/',
  validateSearch: pick('q'),
  component: lazyRouteComponent(() => import('../features/sites/sites-page.tsx'), 'SitesPage'),
});

const newSite = createRoute({
  getParentRoute: () => organisationRoute,
  path: 'settings/new-site',
  component: lazyRouteComponent(() => import('../features/publish/new-site-page.tsx'), 'NewSitePage'),
});

const newOrganisation = createRoute({
  getParentRoute: () => organisationRoute,
  path: 'settings/new-organization',
  component: lazyRouteComponent(() => import('../features/organisation/new-organisation-page.tsx'), 'NewOrganisationPage'),
});

const general = createRoute({
  getParentRoute: () => organisationRoute,
  path: 'settings/general',
  component: lazyRouteComponent(() => import('../features/organisation/organisation-page.tsx'), 'OrganisationPage'),
});

const members = createRoute({
  getParentRoute: () => organisationRoute,
  path: 'settings/members',
  component: lazyRouteComponent(() => import('../features/members/members-page.tsx'), 'MembersPage'),
});

const adminKeys = createRoute({
  getParentRoute: () => organisationRoute,
  path: 'settings/keys',
  validateSearch: pick('q', 'all', 'create'),
  component: lazyRouteComponent(() => import('../features/keys/keys-page.tsx'), 'AdminKeysPage'),
});

const auditLog = createRoute({
  getParentRoute: () => organisationRoute,
  path: 'settings/audit-log',
  validateSearch: pick('actor', 'action', 'thing'),
  component: lazyRouteComponent(() => import('../features/audit/audit-page.tsx'), 'AuditPage'),
});

const usage = createRoute({
  getParentRoute: () => organisationRoute,
  path: 'settings/usage',
  component: lazyRouteComponent(() => import('../features/usage/usage-page.tsx'), 'UsagePage'),
});

export const organisationPages = [sites, newSite, newOrganisation, general, members, adminKeys, auditLog, usage];
