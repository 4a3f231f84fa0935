import { insertDeployment } from '../db/deployments.ts';
import { publishSiteJob } from '../jobs/publish-site.job.ts';
import type { Deps } from './deps.ts';

/** Adds a deployment and the job that builds it: both or neither. */
export async function startDeployment(
  { database, jobs, clock }: Pick<Deps, 'database' | 'jobs' | 'clock'>,
  deployment: { id: string; siteId: string; sourceKey: string },
): Promise<void> {
  await database.queries.transaction().execute(async (transaction) => {
    await insertDeployment(transaction, { ...deployment, createdAt: clock.now() });
    await jobs.enqueue(publishSiteJob, { deploymentId: deployment.id }, transaction);
  });
}
