import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import type { ExportJobRow } from '../../db/exports/export-jobs.ts';
import { failExportJob } from '../../db/exports/export-runs.ts';
import type { Deps } from '../deps.ts';
import { exportSlots } from '../publishing/slots.ts';
import { findJob } from './get-export.ts';

/** Prefix of a canceled job's `error`, for programs that distinguish it from a failure. */
const CANCELLED = 'cancelled: The job was cancelled before it was completed.';

/**
 * Cancels a queued or running job. Its worker notices within a second and leaves nothing behind. Canceling again changes nothing.
 * @throws DocentError `job_not_found`; `job_ended` for one that was completed or had failed
 */
export async function cancelExport(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  actor: Actor,
  jobId: string,
): Promise<ExportJobRow> {
  requirePermission(actor, 'exports.write');
  await findJob(deps.database, actor, jobId);
  await exportSlots.within(deps, actor.organisationId, (transaction) =>
    failExportJob(transaction, jobId, { error: CANCELLED, now: deps.clock.now() }),
  );
  const job = await findJob(deps.database, actor, jobId);
  if (job.error !== CANCELLED) throw new DocentError('job_ended', `The job is ${job.status}; there is nothing to cancel.`);
  return job;
}
