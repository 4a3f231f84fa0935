import { hasRole, type Role } from '@docent/format/access/may.ts';
import {
  infiniteQueryOptions,
  QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiError, api, type Schema } from './client.ts';
import { FIRST_SITES, takeEarlySite, takeEarlySites } from './early-answer.ts';
import { beginSession, regainSession } from './session-end.ts';

/**
 * A request that the server refused would be refused again; one that did not reach it may succeed.
 */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  return failures < 2 && !(error instanceof ApiError && error.status < 500);
}

/** What the dashboard has loaded. */
export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: isWorthAnotherTry },
    mutations: { networkMode: 'always' },
  },
});

/**
 * Refetches everything that is shown, after a change. What is not shown is refetched when it is.
 */
export const refresh = () => queries.invalidateQueries();

/**
 * A list that the API returns in parts.
 * @param query filters, and the maximum size of a part
 * @param read requests a part: the first one, or the one at the cursor
 * @param select makes the data from all parts
 */
export function pagedQuery<Query extends object, Part extends { nextCursor: string | null }, Data>(
  queryKey: QueryKey,
  query: Query,
  read: (query: Query & { cursor?: string }) => Promise<Part>,
  select: (parts: readonly Part[]) => Data,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam === null ? query : { ...query, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => select(pages),
  });
}

export type Session = Schema<'Session'>;

const readSession = () => api.get('/v1/session');

/**
 * The signed-in user and their organizations. Once somebody is signed in, their pages stay: they
 * can sign in again over them.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session> => {
    let session = await readSession();
    const before = queries.getQueryData<Session>(['session']);
    if (session.user === null && before?.user) {
      if (!(await regainSession(false))) return before;
      session = await readSession();
    }
    if (session.user !== null) beginSession(session.user.id);
    return session;
  },
  staleTime: 60_000,
});

/** The signed-in user; inside the frame there always is one. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, user: data.user as NonNullable<typeof data.user> };
}

/**
 * The organization in the URL, or else the first one, and the user's permissions in it. The frame
 * shows only users who have one.
 */
export function useOrganization(): Session['organizations'][number] & {
  may: (role: Role) => boolean;
} {
  const { org } = useParams({ strict: false });
  const { organizations } = useSession();
  const organization = organizations.find(({ slug }) => slug === org) ?? organizations[0];
  if (!organization)
    throw new Error('You are not a member of an organization any more. Reload the page.');
  return { ...organization, may: (role) => hasRole(organization.role, role) };
}

/** What an organization used of its limits. */
export const usageQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'usage'],
    queryFn: () => api.get('/v1/organization/usage'),
  });

export type Site = Schema<'Project'>;

/** What is known about the sites of an organization: the key of all queries about them. */
export const sitesKey = (org: string) => [org, 'sites'];

/** A site of an organization, by its identifier or project id. */
export function siteQuery(org: string, domain: string) {
  return queryOptions({
    queryKey: [...sitesKey(org), 'site', domain],
    queryFn: async (): Promise<Site> =>
      (await takeEarlySite(org, domain)) ??
      (await api.get('/v1/projects/{projectId}', { path: { projectId: domain } })),
    // Each part of a page asks for it; the router tries again.
    retryOnMount: false,
  });
}

/** The sites that were deployed last, and whether there are more. */
export function firstSitesQuery(org: string) {
  return queryOptions({
    queryKey: [...sitesKey(org), 'first'],
    queryFn: async () =>
      (await takeEarlySites(org)) ?? (await api.get('/v1/projects', { query: FIRST_SITES })),
  });
}

/** The site in the URL; on the pages of a site there always is one. */
export function useSite(): Site {
  const { org = '', domain = '' } = useParams({ strict: false });
  return useQuery({ ...siteQuery(org, domain), enabled: domain !== '' }).data as Site;
}

/** The settings of a site's assistant. */
export function assistantSettingsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['assistant-settings', projectId],
    queryFn: () => {
      const params = { path: { projectId } };
      return api.get('/v1/project/{projectId}/assistant-settings', params);
    },
  });
}

/** A deployment of a site with its report. */
export function deploymentQuery(projectId: string, deploymentId: string) {
  return queryOptions({
    queryKey: ['deployments', projectId, 'one', deploymentId],
    queryFn: () => {
      const path = { projectId, deploymentId };
      return api.get('/v1/projects/{projectId}/deployments/{deploymentId}', { path });
    },
  });
}

export type ApiKey = Schema<'ApiKey'>;

/** All keys of an organization. */
export function keysQuery(org: string) {
  return queryOptions({
    queryKey: [org, 'keys'],
    queryFn: async () => (await api.get('/v1/keys')).keys,
  });
}

const SOON_MS = 14 * 86_400_000;

/** Whether a key is valid, and for how long. */
export function stateOf({
  revokedAt,
  expiresAt,
}: ApiKey): 'active' | 'expires soon' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  const left = Date.parse(expiresAt) - Date.now();
  return left <= 0 ? 'expired' : left < SOON_MS ? 'expires soon' : 'active';
}

/** Whether requests with a key are accepted. */
export const isUsable = (key: ApiKey): boolean => ['active', 'expires soon'].includes(stateOf(key));

/** The members of an organization. */
export function membersQuery(org: string) {
  return queryOptions({
    queryKey: [org, 'members'],
    queryFn: async () =>
      (await api.get('/v1/organization/members', { query: { limit: 1000 } })).items,
  });
}
