import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useSite } from '../../api/queries.ts';
import { Loaded, Page, Skeleton } from '../../ui/page.tsx';
import { ACCESS } from './method-forms.tsx';

/** Signs a member in to the site, which sent them here for that. */
export function ReadPage() {
  const { projectId } = useSite();
  const { path = '/' } = useSearch({ strict: false });
  const query = useQuery({
    queryKey: ['site-access', projectId, 'open', path],
    queryFn: () => bodyOf(api.GET(`${ACCESS}/open`, { params: { path: { projectId }, query: { path } } })),
    enabled: projectId !== '',
    staleTime: 0,
    gcTime: 0,
  });
  const address = query.data?.url;
  useEffect(() => {
    if (address !== undefined) window.location.replace(address);
  }, [address]);
  return (
    <Page title="Opening the site">
      <Loaded query={query}>{() => <Skeleton />}</Loaded>
    </Page>
  );
}
