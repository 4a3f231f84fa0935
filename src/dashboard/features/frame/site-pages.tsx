import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { sitesQuery, useOrganisation, useSite } from '../../api/current.ts';
import { NotFound } from '../../ui/faults.tsx';
import { ErrorState, Skeleton } from '../../ui/page.tsx';

/** The pages of a site, rendered once the site is known to exist. */
export function SitePages() {
  const { slug } = useOrganisation();
  const { error, isPending, refetch } = useQuery(sitesQuery(slug));
  const site = useSite();
  if (isPending) return <Skeleton lines={5} />;
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  return site ? <Outlet key={site.projectId} /> : <NotFound />;
}
