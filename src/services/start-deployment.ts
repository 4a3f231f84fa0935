import { insertDeployment } from '../db/deployments.ts';
import { supersedeQueued } from '../db/publish-slots.ts';
import type { Deps } from './deps.ts';
import { withPublishSlots } from './publish-slots.ts';
import { pastStorageQuota, roomOf } from './quotas.ts';

/**
 * Adds a deployment; its build begins when the organisation has room for it. Older deployments of the site that are still queued end:
 * nobody needs their builds any more.
 * @throws DocentError `quota_exceeded` where the source does not fit
 */
export async function startDeployment(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  deployment: { id: string; organisationId: string; siteId: string; sourceKey: string; sourceBytes?: number },
): Promise<void> {
  const { organisationId, ...row } = deployment;
  const now = deps.clock.now();
  await withPublishSlots(deps, organisationId, async (transaction) => {
    // Other uploads may have used the room up meanwhile.
    const { sourceBytes = 0 } = deployment;
    if (sourceBytes > 0 && sourceBytes > (await roomOf(transaction, deps.config, organisationId)))
      throw pastStorageQuota(deps.config, 'This upload');
    await supersedeQueued(transaction, deployment.siteId, now);
    await insertDeployment(transaction, { ...row, createdAt: now, waiting: true });
  });
}
