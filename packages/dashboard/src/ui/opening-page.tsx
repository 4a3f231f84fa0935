import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSite } from '../api/queries.ts';
import { Loaded, Page, Skeleton } from './page.tsx';

interface OpeningPageProps {
  title: string;
  /** Identifies the request among those of the site. */
  request: readonly string[];
  /**
   * Requests an address with a token that lets this browser in; `path` is where the reader goes.
   */
  open: (projectId: string, path: string) => Promise<{ url: string }>;
}

/**
 * Leads a member to a site or preview that is not public. The address counts once, so none is kept.
 */
export function OpeningPage({ title, request, open }: OpeningPageProps) {
  const { projectId } = useSite();
  const { path = '/' } = useSearch({ strict: false });
  const query = useQuery({
    queryKey: [...request, projectId, 'open', path],
    queryFn: () => open(projectId, path),
    enabled: projectId !== '',
    staleTime: 0,
    gcTime: 0,
  });
  const address = query.data?.url;
  useEffect(() => {
    if (address !== undefined) window.location.replace(address);
  }, [address]);
  return (
    <Page title={title}>
      <Loaded query={query}>{() => <Skeleton />}</Loaded>
    </Page>
  );
}
