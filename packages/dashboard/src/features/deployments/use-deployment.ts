import { deploymentTitle } from '@docent/format/deployments/deployment-title.ts';
import { useQuery } from '@tanstack/react-query';
import { deploymentQuery, useSite } from '../../api/queries.ts';
import { isRunning } from './deployment-actions.tsx';

const POLL_MS = 1000;

/** A deployment with its report; polled while it is built. */
export function useDeployment(id: string) {
  const { projectId } = useSite();
  return useQuery({
    ...deploymentQuery(projectId, id),
    refetchInterval: ({ state }) => state.data !== undefined && isRunning(state.data) && POLL_MS,
  });
}

/** How a deployment is called. */
export function useDeploymentName(id: string): string {
  const { data } = useDeployment(id);
  return data ? deploymentTitle(data) : '…';
}
