import { insertDeployment } from '../../db/deployments/deployments.ts';
import { supersedeQueued } from '../../db/deployments/publishing.ts';
import { pastStorageQuota, roomOf } from '../access/quotas.ts';
import type { Deps } from '../deps.ts';
import { publishSlots } from './slots.ts';

/**
 * Adds a deployment; its build starts when the organization has a free slot. An older deployment of the site that is still queued
 * ends, because its build is no longer needed, and this one takes its place: frequent publishing must not postpone the build
 * forever.
 * @throws DocentError `quota_exceeded` if the source does not fit
 */
export async function startDeployment(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  deployment: {
    id: string;
    organisationId: string;
    siteId: string;
    previewId?: string | undefined;
    sourceKey: string;
    sourceBytes?: number;
  },
): Promise<void> {
  const { organisationId, ...row } = deployment;
  const now = deps.clock.now();
  await publishSlots.within(deps, organisationId, async (transaction) => {
    // Other uploads may have used up the room meanwhile.
    const { sourceBytes = 0 } = deployment;
    if (sourceBytes > 0 && sourceBytes > (await roomOf(transaction, deps.config, organisationId)))
      throw pastStorageQuota(deps.config, 'This upload');
    const place = await supersedeQueued(transaction, deployment, now);
    await insertDeployment(transaction, { ...row, createdAt: now, waiting: true, ...place });
  });
}
