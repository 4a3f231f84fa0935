import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { hasRole, type Role } from '../../core/access/may.ts';
import { api, bodyOf, type Schema } from './client.ts';
import { takeEarlySites } from './early-sites.ts';
import { type Organisation, sessionQuery } from './session.ts';

export type Site = Schema<'Project'>;

/** The sites of an organization. */
export function sitesQuery(org: string) {
  return queryOptions({
    queryKey: [org, 'sites'],
    queryFn: async () => ((await takeEarlySites(org)) ?? (await bodyOf(api.GET('/v1/projects')))).projects,
  });
}

/** The signed-in user; inside the frame there always is one. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, user: data.user as NonNullable<typeof data.user> };
}

/** The organization in the URL, and the user's permissions in it. */
export function useOrganisation(): Organisation & { may: (role: Role) => boolean } {
  const { org } = useParams({ strict: false });
  const { organisations } = useSession();
  const found = organisations.find(({ slug }) => slug === org) ?? (organisations[0] as Organisation);
  return { ...found, may: (role) => hasRole(found.role, role) };
}

/** The site in the URL; `undefined` until it is known. */
export function useSite(): Site | undefined {
  const { org = '', domain } = useParams({ strict: false });
  const { data } = useQuery({ ...sitesQuery(org), enabled: domain !== undefined });
  return data?.find(({ slug }) => slug === domain);
}
