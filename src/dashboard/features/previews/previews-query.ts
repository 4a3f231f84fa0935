import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, bodyOf, type Schema } from '../../api/client.ts';

const POLL_MS = 2000;

/** Whether a preview is about to change. */
export function isBuilding({ lastDeployment }: Schema<'Preview'>): boolean {
  return lastDeployment?.status === 'queued' || lastDeployment?.status === 'in_progress';
}

/** The previews of a site, newest first; refetched while one is being built. */
export function previewsQuery(org: string, projectId: string) {
  return infiniteQueryOptions({
    queryKey: [org, 'previews', projectId],
    queryFn: ({ pageParam }) => {
      const query = { limit: 100, ...(pageParam !== null && { cursor: pageParam }) };
      return bodyOf(api.GET('/v1/projects/{projectId}/previews', { params: { path: { projectId }, query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.pages.some(({ items }) => items.some(isBuilding)) && POLL_MS,
  });
}
