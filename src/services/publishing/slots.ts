import { countActive, endWaitingOfOldest, lockOrganisation, organisationsWithWaiting, type WaitingRows } from '../../db/slots.ts';
import { exportSiteJob, publishSiteJob } from '../../jobs.ts';
import type { Transaction } from '../../ports/database.ts';
import type { Deps } from '../deps.ts';

type SlotDeps = Pick<Deps, 'database' | 'jobs' | 'config'>;

interface SlotKind {
  rows: WaitingRows;
  perOrganisation: (config: Deps['config']) => number;
  enqueue: (jobs: Deps['jobs'], payload: string, transaction: Transaction) => Promise<unknown>;
}

/**
 * Limits how many deployments and how many exports of an organization are in the job queue; the others wait in their rows. When
 * one ends, the next is added at the end of the queue, so that organizations take turns.
 */
function slotsOf({ rows, perOrganisation, enqueue }: SlotKind) {
  /** The second half of `within`, for a transaction that has already made its change. */
  async function fill({ jobs, config }: Omit<SlotDeps, 'database'>, transaction: Transaction, organisationId: string) {
    await lockOrganisation(transaction, organisationId);
    const free = perOrganisation(config) - (await countActive(transaction, rows, organisationId));
    if (free <= 0) return;
    const next = await endWaitingOfOldest(transaction, rows, organisationId, free);
    for (const payload of next) await enqueue(jobs, payload, transaction);
  }

  /**
   * Changes an organization's running or waiting rows under a lock. If the change frees a slot, the row that has waited longest
   * is enqueued in the same transaction.
   */
  function within<Result>(deps: SlotDeps, organisationId: string, change: (transaction: Transaction) => Promise<Result>) {
    return deps.database.queries.transaction().execute(async (transaction) => {
      await lockOrganisation(transaction, organisationId);
      const result = await change(transaction);
      await fill(deps, transaction, organisationId);
      return result;
    });
  }

  return {
    fill,
    within,
    /** Enqueues rows that wait although there are free slots, for example after the limit was raised. */
    async fillAll(deps: SlotDeps): Promise<void> {
      for (const organisationId of await organisationsWithWaiting(deps.database.queries, rows)) {
        await within(deps, organisationId, async () => {});
      }
    },
  };
}

export const publishSlots = slotsOf({
  rows: {
    table: 'deployments',
    underway: 'in_progress',
    payload: 'coalesce(work.turn, work.id)',
    order: 'coalesce(work.turn, work.id)',
  },
  perOrganisation: ({ publishing }) => publishing.perOrganisation,
  enqueue: (jobs, deploymentId, transaction) => jobs.enqueue(publishSiteJob, { deploymentId }, transaction),
});

export const exportSlots = slotsOf({
  rows: { table: 'export_jobs', underway: 'running', payload: 'work.id', order: 'work.created_at, work.id' },
  perOrganisation: ({ exports }) => exports.perOrganisation,
  enqueue: (jobs, jobId, transaction) => jobs.enqueue(exportSiteJob, { jobId }, transaction),
});
