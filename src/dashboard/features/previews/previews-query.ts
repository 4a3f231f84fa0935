import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';

/** The previews of a site, newest first. */
export function previewsQuery(org: string, projectId: string) {
  return infiniteQueryOptions({
    queryKey: [org, 'previews', projectId],
    queryFn: ({ pageParam }) => {
      const query = { limit: 100, ...(pageParam !== null && { cursor: pageParam }) };
      return bodyOf(api.GET('/v1/projects/{projectId}/previews', { params: { path: { projectId }, query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
