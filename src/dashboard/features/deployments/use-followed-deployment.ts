import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Schema } from '../../api/client.ts';
import { sitesQuery } from '../../api/current.ts';
import { followEvents } from '../../api/events.ts';
import { deploymentQuery, isRunning, type Summary } from './deployments-query.ts';

type Deployment = Schema<'Deployment'>;

/** Follows a deployment until it ends: stages and log as they arrive, then the report. */
export function useFollowedDeployment(org: string, projectId: string, deployment: Deployment | undefined): void {
  const queries = useQueryClient();
  const id = deployment?.id;
  const running = deployment !== undefined && isRunning(deployment);
  useEffect(() => {
    if (!running || id === undefined) return;
    const { queryKey } = deploymentQuery(org, projectId, id);
    let log: Deployment['log'] = [];
    const change = (next: Partial<Deployment>) => queries.setQueryData(queryKey, (old) => old && { ...old, ...next });
    return followEvents(`/v1/projects/${projectId}/deployments/${id}/events`, (data, type) => {
      if (type === 'log') {
        log = [...log, JSON.parse(data) as Deployment['log'][number]];
        change({ log });
        return;
      }
      const progress = JSON.parse(data) as Summary & Pick<Deployment, 'stages'>;
      if (isRunning(progress)) change(progress);
      // The events do not contain the report.
      else
        void Promise.all([
          queries.invalidateQueries({ queryKey: [org, 'deployments', projectId] }),
          queries.invalidateQueries(sitesQuery(org)),
        ]);
    });
  }, [queries, org, projectId, id, running]);
}
