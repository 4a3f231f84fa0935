import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { hasRole, type Role } from '../../core/access/may.ts';
import { type Organisation, type Site, sessionQuery, sitesQuery } from './queries.ts';

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

/** The site in the URL; on the pages of a site there always is one. */
export function useSite(): Site {
  const { org = '', domain } = useParams({ strict: false });
  const { data } = useQuery(sitesQuery(org));
  return data?.find(({ slug }) => slug === domain) as Site;
}
