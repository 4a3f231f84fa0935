import { insertDeployment } from '../db/deployments.ts';
import { supersedeQueued } from '../db/publish-slots.ts';
import type { Deps } from './deps.ts';
import { withPublishSlots } from './publish-slots.ts';

/**
 * Adds a deployment; its build begins when the organisation has room for it. Older deployments of the site that are still queued end:
 * nobody needs their builds any more.
 */
export async function startDeployment(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  deployment: { id: string; organisationId: string; siteId: string; sourceKey: string },
): Promise<void> {
  const { organisationId, ...row } = deployment;
  const now = deps.clock.now();
  await withPublishSlots(deps, organisationId, async (transaction) => {
    await supersedeQueued(transaction, deployment.siteId, now);
    await insertDeployment(transaction, { ...row, createdAt: now, waiting: true });
  });
}
