import { countActive, endWaitingOfOldest, lockOrganisation, organisationsWithWaiting, type WaitingRows } from '../../db/slots.ts';
import { exportSiteJob, publishSiteJob } from '../../jobs.ts';
import type { Transaction } from '../../ports/database.ts';
import type { Deps } from '../deps.ts';

type SlotDeps = Pick<Deps, 'database' | 'jobs' | 'config'>;

/**
 * Limits how many deployments and how many exports of an organization are in the job queue; the others wait in their rows. When
 * one ends, the next is added at the end of the queue, so that organizations take turns.
 */
export interface Slots {
  /**
   * Changes an organization's running or waiting rows under a lock. If the change frees a slot, the row that has waited longest
   * is enqueued in the same transaction.
   */
  within<Result>(deps: SlotDeps, organisationId: string, change: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** The second half of `within`, for a transaction that has already made its change. */
  fill(deps: Pick<Deps, 'jobs' | 'config'>, transaction: Transaction, organisationId: string): Promise<void>;
  /** Enqueues rows that wait although there are free slots, for example after the limit was raised. */
  fillAll(deps: SlotDeps): Promise<void>;
}

interface SlotKind {
  rows: WaitingRows;
  perOrganisation: (config: Deps['config']) => number;
  enqueue: (jobs: Deps['jobs'], payload: string, transaction: Transaction) => Promise<unknown>;
}

function slotsOf({ rows, perOrganisation, enqueue }: SlotKind): Slots {
  const slots: Slots = {
    within: (deps, organisationId, change) =>
      deps.database.queries.transaction().execute(async (transaction) => {
        await lockOrganisation(transaction, organisationId);
        const result = await change(transaction);
        await slots.fill(deps, transaction, organisationId);
        return result;
      }),
    async fill({ jobs, config }, transaction, organisationId) {
      await lockOrganisation(transaction, organisationId);
      const free = perOrganisation(config) - (await countActive(transaction, rows, organisationId));
      if (free <= 0) return;
      const next = await endWaitingOfOldest(transaction, rows, organisationId, free);
      for (const payload of next) await enqueue(jobs, payload, transaction);
    },
    async fillAll(deps) {
      for (const organisationId of await organisationsWithWaiting(deps.database.queries, rows)) {
        await slots.within(deps, organisationId, async () => {});
      }
    },
  };
  return slots;
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
