import type { Transaction } from '../../ports/database.ts';
import { exportSiteJob, publishSiteJob } from '../../ports/jobs.ts';
import type { Deps } from '../deps.ts';
import {
  addToShare,
  countActive,
  DEPLOYMENT_ROWS,
  deleteSpentShares,
  EXPORT_ROWS,
  endWaitingOfOldest,
  findShareTime,
  findUnderway,
  lockOrganization,
  lockShare,
  organizationsWithWaiting,
  type WaitingRows,
} from './slot-queries.ts';

export type SlotDeps = Pick<Deps, 'database' | 'jobs' | 'config' | 'clock'>;

interface SlotKind {
  rows: WaitingRows;
  perAccount: (config: Deps['config']) => number;
  enqueue: (
    jobs: Deps['jobs'],
    payload: string,
    transaction: Transaction,
    rank: number,
  ) => Promise<unknown>;
}

/** How much of what an account has not used lately counts for it: about one build. */
const CREDIT_SECONDS = 600;
/** A turn that ends at once is still a turn. */
const MIN_TURN_SECONDS = 1;

/**
 * Limits how many deployments and how many exports of an account are in the job queue; the others
 * wait in their rows. When one ends, the next is added. Workers take first whoever has used the
 * least of their time: the turn of an account begins on a common scale of seconds where its last
 * one ended, and at the earliest a credit before the turn that began last (start-time fair queuing:
 * Goyal, Vin, Cheng, 1996). So whoever publishes without pause delays anybody else by about one
 * build, however long its builds take, and nobody waits forever.
 *
 * The account is the person who created the organization, so that many organizations of one person
 * have one turn.
 */
function slotsOf({ rows, perAccount, enqueue }: SlotKind) {
  /**
   * Changes an organization's running or waiting rows under a lock. What a row that ends has used
   * is added to the share of its account, and if there is a free slot, the row that has waited
   * longest is enqueued in the same transaction.
   */
  async function withinTransaction<Result>(
    { jobs, config, clock }: Omit<SlotDeps, 'database'>,
    transaction: Transaction,
    organizationId: string,
    change: () => Promise<Result>,
  ): Promise<Result> {
    await lockOrganization(transaction, organizationId);
    const share = await lockShare(transaction, rows, organizationId);
    if (!share) return change();
    const before = await findUnderway(transaction, rows, share.account, clock.now());
    const result = await change();
    const left =
      before.length > 0 ? await findUnderway(transaction, rows, share.account, clock.now()) : [];
    const isUnderway = new Set(left.map(({ id }) => id));
    let { used } = share;
    for (const ended of before.filter(({ id }) => !isUnderway.has(id))) {
      const seconds = Math.max(MIN_TURN_SECONDS, ended.seconds);
      used = await addToShare(transaction, rows, share.account, {
        share: ended.share ?? 0,
        seconds,
      });
    }
    const free = perAccount(config) - (await countActive(transaction, rows, share.account));
    if (free <= 0) return result;
    const begin = Math.max(used, (await findShareTime(transaction, rows)) - CREDIT_SECONDS);
    const next = await endWaitingOfOldest(transaction, rows, share.account, {
      count: free,
      share: begin,
    });
    for (const payload of next) await enqueue(jobs, payload, transaction, Math.round(begin));
    return result;
  }

  /** `withinTransaction`, in one of its own. */
  function within<Result>(
    deps: SlotDeps,
    organizationId: string,
    change: (transaction: Transaction) => Promise<Result>,
  ) {
    return deps.database.queries
      .transaction()
      .execute((transaction) =>
        withinTransaction(deps, transaction, organizationId, () => change(transaction)),
      );
  }

  return {
    withinTransaction,
    within,
    /**
     * Adds what a failed attempt has used to the share of its account, if it is going to be tried
     * again.
     */
    async charge(deps: SlotDeps, organizationId: string, id: string): Promise<void> {
      await deps.database.queries.transaction().execute(async (transaction) => {
        const share = await lockShare(transaction, rows, organizationId);
        if (!share) return;
        const underway = await findUnderway(transaction, rows, share.account, deps.clock.now());
        const attempt = underway.find((row) => row.id === id);
        if (attempt)
          await addToShare(transaction, rows, share.account, {
            share: attempt.share ?? 0,
            seconds: attempt.seconds,
          });
      });
    },
    /**
     * Enqueues rows that wait although there are free slots, for example after the limit was
     * raised.
     */
    async fillAll(deps: SlotDeps): Promise<void> {
      const { queries } = deps.database;
      for (const organizationId of await organizationsWithWaiting(queries, rows)) {
        await within(deps, organizationId, async () => {});
      }
      await deleteSpentShares(queries, rows, (await findShareTime(queries, rows)) - CREDIT_SECONDS);
    },
  };
}

export const publishSlots = slotsOf({
  rows: DEPLOYMENT_ROWS,
  perAccount: ({ publishing }) => publishing.perOrganization,
  enqueue: (jobs, deploymentId, transaction, rank) =>
    jobs.enqueue(publishSiteJob, { deploymentId }, transaction, rank),
});

export const exportSlots = slotsOf({
  rows: EXPORT_ROWS,
  perAccount: ({ exports }) => exports.perOrganization,
  enqueue: (jobs, jobId, transaction, rank) =>
    jobs.enqueue(exportSiteJob, { jobId }, transaction, rank),
});
