import {
  countActiveExports,
  endWaiting,
  hasWaitingExports,
  lockOrganisation,
  oldestWaitingExports,
  organisationsWithWaitingExports,
} from '../db/export-slots.ts';
import { exportSiteJob } from '../jobs/export-site.job.ts';
import type { Transaction } from '../ports/database.ts';
import type { Deps } from './deps.ts';

type SlotDeps = Pick<Deps, 'database' | 'jobs' | 'config'>;

/*
 * An organisation has only so many exports in the job queue at a time; its further ones wait in their rows. So a hundred exports
 * of one organisation stand no longer in the way of another's than the few that are in the queue.
 */

/**
 * Changes what an organisation has running or waiting, and nobody else does meanwhile. Where the change leaves room, the jobs
 * that have waited longest go into the job queue, in the same transaction.
 */
export async function withExportSlots<Result>(
  deps: SlotDeps,
  organisationId: string,
  change: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return deps.database.queries.transaction().execute(async (transaction) => {
    await lockOrganisation(transaction, organisationId);
    const result = await change(transaction);
    await fillSlots(deps, transaction, organisationId);
    return result;
  });
}

/** Whether a new job may go into the job queue at once; inside `withExportSlots`. */
export async function hasFreeSlot(
  { config }: Pick<Deps, 'config'>,
  transaction: Transaction,
  organisationId: string,
): Promise<boolean> {
  if (await hasWaitingExports(transaction, organisationId)) return false;
  return (await countActiveExports(transaction, organisationId)) < config.exports.perOrganisation;
}

async function fillSlots({ jobs, config }: SlotDeps, transaction: Transaction, organisationId: string): Promise<void> {
  const free = config.exports.perOrganisation - (await countActiveExports(transaction, organisationId));
  if (free <= 0) return;
  const next = await oldestWaitingExports(transaction, organisationId, free);
  await endWaiting(transaction, next);
  for (const jobId of next) await jobs.enqueue(exportSiteJob, { jobId }, transaction);
}

/** Brings forward what waits although there is room, as after the setting was raised. */
export async function fillAllSlots(deps: SlotDeps): Promise<void> {
  for (const organisationId of await organisationsWithWaitingExports(deps.database.queries)) {
    await withExportSlots(deps, organisationId, async () => {});
  }
}
