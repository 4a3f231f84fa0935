import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, bodyOf, type Schema } from './client.ts';
import { hasRole, type Organisation, type Role, sessionQuery } from './session.ts';

export type Site = Schema<'Project'>;

/** The sites of an organization. */
export function sitesQuery(org: string) {
  return queryOptions({
    queryKey: [org, 'sites'],
    queryFn: async () => (await bodyOf(api.GET('/v1/projects'))).projects,
  });
}

/** Who is signed in; inside the frame somebody always is. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, user: data.user as NonNullable<typeof data.user> };
}

/** The organization of the address, and what the user may do in it. */
export function useOrganisation(): Organisation & { may: (role: Role) => boolean } {
  const { org } = useParams({ strict: false });
  const { organisations } = useSession();
  const found = organisations.find(({ slug }) => slug === org) ?? (organisations[0] as Organisation);
  return { ...found, may: (role) => hasRole(found.role, role) };
}

/** The site of the address; `undefined` until it is known. */
export function useSite(): Site | undefined {
  const { org = '', domain } = useParams({ strict: false });
  const { data } = useQuery({ ...sitesQuery(org), enabled: domain !== undefined });
  return data?.find(({ slug }) => slug === domain);
}
