import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { followEvents } from '../../api/events.ts';

export type ExportJob = Schema<'StaticExportJob'>;

/** The exports of a site, newest first. */
export function exportsQuery(org: string, domain: string) {
  return infiniteQueryOptions({
    queryKey: [org, 'exports', domain],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET('/v1/static-export/jobs', {
          params: { query: { domain, limit: 25, ...(pageParam !== null && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export const isRunning = ({ status }: ExportJob) => status === 'queued' || status === 'running';

/** Follows a running export until it ends, and updates it in the list. */
export function useFollowedExport(org: string, domain: string, job: ExportJob): void {
  const queries = useQueryClient();
  const { jobId } = job;
  const running = isRunning(job);
  useEffect(() => {
    if (!running) return;
    const { queryKey } = exportsQuery(org, domain);

    return followEvents(`/v1/static-export/jobs/${jobId}/events`, (data) => {
      const next = JSON.parse(data) as ExportJob;
      queries.setQueryData(
        queryKey,
        (old) =>
          old && {
            ...old,
            pages: old.pages.map((page) => ({ ...page, items: page.items.map((one) => (one.jobId === jobId ? next : one)) })),
          },
      );
    });
  }, [queries, org, domain, jobId, running]);
}
