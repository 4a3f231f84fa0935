import { countActive, endWaitingOfOldest, lockOrganisation, organisationsWithWaiting, type WaitingRows } from '../db/slots.ts';
import { exportSiteJob } from '../jobs/export-site.job.ts';
import { publishSiteJob } from '../jobs/publish-site.job.ts';
import type { Transaction } from '../ports/database.ts';
import type { Deps } from './deps.ts';

type SlotDeps = Pick<Deps, 'database' | 'jobs' | 'config'>;

/**
 * An organisation has only so many deployments, and so many exports, in the job queue at a time; its further ones wait in their rows.
 * Each that ends lets in the next at the end of the queue, so organisations take turns.
 */
export interface Slots {
  /**
   * Changes what an organisation has running or waiting, and nobody else does meanwhile. Where the change leaves room, what has waited
   * longest goes into the job queue, in the same transaction.
   */
  within<Result>(deps: SlotDeps, organisationId: string, change: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** The second half of `within`, for a transaction that has made its change already. */
  fill(deps: Pick<Deps, 'jobs' | 'config'>, transaction: Transaction, organisationId: string): Promise<void>;
  /** Brings forward what waits although there is room, as after the setting was raised. */
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
