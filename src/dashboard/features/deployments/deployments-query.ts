import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { type Site, sitesQuery, useOrganisation } from '../../api/current.ts';
import { notify, notifyFailure } from '../../ui/overlays/notify.ts';
import type { Tone } from '../../ui/values.tsx';

export type Summary = Schema<'DeploymentSummary'>;

const POLL_MS = 3000;

export const isRunning = ({ status }: Pick<Summary, 'status'>) => status === 'queued' || status === 'in_progress';

/** The deployments of a site, newest first. */
export function deploymentsQuery(org: string, projectId: string, status?: string) {
  return infiniteQueryOptions({
    queryKey: [org, 'deployments', projectId, 'list', status],
    queryFn: ({ pageParam }) => {
      const query = {
        limit: 25,
        ...(status !== undefined && { status: status as Summary['status'] }),
        ...(pageParam !== null && { cursor: pageParam }),
      };
      return bodyOf(api.GET('/v1/projects/{projectId}/deployments', { params: { path: { projectId }, query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some(isRunning)) ? POLL_MS : false),
  });
}

/** A deployment with its report, stages and log. */
export function deploymentQuery(org: string, projectId: string, deploymentId: string) {
  return queryOptions({
    queryKey: [org, 'deployments', projectId, 'one', deploymentId],
    queryFn: () =>
      bodyOf(api.GET('/v1/projects/{projectId}/deployments/{deploymentId}', { params: { path: { projectId, deploymentId } } })),
  });
}

/** Label of a deployment's state. */
export function wordOf({ status, endReason, isLive }: Summary): [word: string, tone: Tone] {
  if (status === 'queued') return ['Queued', 'neutral'];
  if (status === 'in_progress') return ['Building', 'active'];
  if (isLive) return ['Live', 'success'];
  if (status === 'success') return ['Built', 'neutral'];
  if (endReason !== null) return [endReason === 'cancelled' ? 'Cancelled' : 'Superseded', 'neutral'];
  return ['Failed', 'danger'];
}

/** Actions on a deployment. Afterwards all queries about the site are refetched. */
export function useDeploymentActions(site: Site) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const { projectId } = site;
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [org, 'deployments', projectId] }),
      queries.invalidateQueries(sitesQuery(org)),
    ]);
  const of = (deploymentId: string) => ({ params: { path: { projectId, deploymentId } } });
  const url = '/v1/projects/{projectId}/deployments/{deploymentId}';
  const promote = useMutation({
    mutationFn: ({ id }: { id: string; isUndo?: boolean }) => api.POST(`${url}/promote`, of(id)),
    onSuccess: (_, { isUndo }) => {
      const before = site.live?.id;
      if (isUndo || before === undefined) notify('The previous deployment is live again');
      else notify('This deployment is live', () => promote.mutate({ id: before, isUndo: true }));
    },
    onError: (error) => notifyFailure('The live deployment is unchanged', error),
    onSettled: refresh,
  });
  const cancel = useMutation({
    mutationFn: (id: string) => api.POST(`${url}/cancel`, of(id)),
    onSuccess: () => notify('Deployment cancelled'),
    onError: (error) => notifyFailure('The deployment could not be cancelled', error),
    onSettled: refresh,
  });
  const pin = useMutation({
    mutationFn: ({ id, pinned }: { id: string; pinned: boolean }) => api.PATCH(url, { ...of(id), body: { pinned } }),
    onSuccess: (_, { id, pinned }) =>
      notify(pinned ? 'The build is kept until you unpin it' : 'The build can be cleaned up again', () =>
        pin.mutate({ id, pinned: !pinned }),
      ),
    onError: (error) => notifyFailure('Nothing was changed', error),
    onSettled: refresh,
  });
  const remove = (id: string) => api.DELETE(url, of(id));
  return { promote, cancel, pin, remove, refresh };
}
