import { lockOrganisation } from '../db/export-slots.ts';
import { countActiveDeployments, endWaitingOfOldest, organisationsWithWaitingDeployments } from '../db/publish-slots.ts';
import { publishSiteJob } from '../jobs/publish-site.job.ts';
import type { Transaction } from '../ports/database.ts';
import type { Deps } from './deps.ts';

type SlotDeps = Pick<Deps, 'database' | 'jobs' | 'config'>;

/*
 * An organisation has only so many deployments in the job queue at a time; its further ones wait in their rows. Each that ends lets
 * in the next at the end of the queue, so organisations take turns.
 */

/** Changes what an organisation has queued or building. Where that leaves room, what has waited longest goes into the job queue. */
export async function withPublishSlots<Result>(
  deps: SlotDeps,
  organisationId: string,
  change: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return deps.database.queries.transaction().execute(async (transaction) => {
    await lockOrganisation(transaction, organisationId);
    const result = await change(transaction);
    await fillPublishSlots(deps, transaction, organisationId);
    return result;
  });
}

/** The second half of `withPublishSlots`, for a transaction that has made its change already. */
export async function fillPublishSlots(
  { jobs, config }: Pick<Deps, 'jobs' | 'config'>,
  transaction: Transaction,
  organisationId: string,
): Promise<void> {
  await lockOrganisation(transaction, organisationId);
  const free = config.publishing.perOrganisation - (await countActiveDeployments(transaction, organisationId));
  if (free <= 0) return;
  const next = await endWaitingOfOldest(transaction, organisationId, free);
  for (const deploymentId of next) await jobs.enqueue(publishSiteJob, { deploymentId }, transaction);
}

/** Brings forward what waits although there is room, as after the setting was raised. */
export async function fillAllPublishSlots(deps: SlotDeps): Promise<void> {
  for (const organisationId of await organisationsWithWaitingDeployments(deps.database.queries)) {
    await withPublishSlots(deps, organisationId, async () => {});
  }
}
