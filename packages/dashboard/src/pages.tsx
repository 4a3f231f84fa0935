import { loaded } from 'docent:loaded';
import { createMemoryHistory } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { queries, type Session, type Site, sessionQuery, siteQuery } from './api/queries.ts';
import { Application } from './application.tsx';
import { SignedOut } from './features/sign-in/signed-out.tsx';
import { createDashboardRouter } from './routes/router.ts';
import { Skeleton } from './ui/page.tsx';

/** The addresses of all pages, such as `/$org/$domain/keys`. */
export const addresses: readonly string[] = Object.keys(createDashboardRouter().routesByPath);

/**
 * Renders the page at an address as it looks before it has data. Values known only at request time
 * are placeholders such as
 * `__org__`, for the part `$org` of the address, and `__origin__`. `modules` are what it loads on demand. The page at `/` is that
 * of people who are redirected.
 * @throws what a component threw
 */
export async function renderPage(address: string): Promise<{ html: string; modules: string[] }> {
  if (address === '/') {
    const first = (
      <SignedOut title="Opening the dashboard">
        <Skeleton />
      </SignedOut>
    );
    return { html: renderToStaticMarkup(first), modules: [] };
  }
  // There is no server to ask again.
  queries.setDefaultOptions({ queries: { retry: false } });
  if (/^\/(?:account|\$org)(?:\/|$)/.test(address))
    queries.setQueryData(sessionQuery.queryKey, session);
  if (address.startsWith('/$org/$domain'))
    queries.setQueryData(siteQuery(ORGANIZATION, site.slug).queryKey, site);
  const path = address.replaceAll(/\$(\w+)/g, '__$1__');
  const router = createDashboardRouter(
    createMemoryHistory({ initialEntries: [`/dashboard${path}`] }),
  );
  await router.load();
  const modules = [...loaded];
  const faults: unknown[] = [];
  const onError = (error: unknown) => void faults.push(error);
  const { prelude } = await prerender(<Application router={router} />, { onError });
  const html = await new Response(prelude).text();
  if (faults.length > 0) throw faults[0];
  return { html, modules };
}

const ORGANIZATION = '__org__';

const session: Session = {
  setupRequired: false,
  user: { id: '', name: '', email: '', twoFactorEnabled: false, hasPassword: true, hasSso: false },
  organizations: [
    {
      id: '',
      slug: ORGANIZATION,
      name: '',
      role: 'owner',
      plan: 'enterprise',
      twoFactorRequired: false,
    },
  ],
  signIn: { password: true, sso: [] },
  organizationCreation: 'operator',
  mail: false,
  version: '',
};

const site: Site = {
  projectId: '',
  slug: '__domain__',
  name: '__domain__',
  url: '',
  state: 'live',
  published: true,
  createdAt: '',
  updatedAt: '',
  hostnames: [],
  defaultUrl: '',
  settings: { noindex: false, publicUrl: null },
  live: null,
  lastDeployment: null,
};
