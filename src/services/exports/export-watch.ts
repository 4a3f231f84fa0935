import { type ExportRun, holdsExportJob, recordExportProgress, touchExportJob } from '../../db/exports/export-runs.ts';
import type { Deps } from '../deps.ts';

type WatchDeps = Pick<Deps, 'database' | 'clock' | 'logger'>;

/** A job that was cancelled is noticed this soon. */
const LOOK_INTERVAL_MS = 500;
/** A sign of life is given this often. */
const TOUCH_INTERVAL_MS = 10_000;
/** Progress is written no more often than this. */
const PROGRESS_INTERVAL_MS = 200;
/** Part of the progress that the pages are; the rest is assets and the end of the upload. */
const PAGES_SHARE = 95;

/** The job was cancelled, or another try has it: what this one makes is not wanted. */
export class ExportNotHeld extends Error {
  constructor() {
    super('The job was cancelled, or another worker has it.');
  }
}

/**
 * Watches whether a try still holds its job, and gives signs of life.
 * @param onLost called once when it does not; a question that cannot be asked now changes nothing
 */
export function watchExport({ database, clock, logger }: WatchDeps, run: ExportRun, onLost: () => void): { stop(): void } {
  let isAsking = false;
  let touchedAt = performance.now();
  const look = async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      if (!(await holdsExportJob(database.queries, run))) return onLost();
      if (performance.now() - touchedAt < TOUCH_INTERVAL_MS) return;
      touchedAt = performance.now();
      await touchExportJob(database.queries, run, clock.now());
    } catch (error) {
      logger.warn({ jobId: run.jobId, error: String(error) }, 'the state of an export could not be asked for');
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(look, LOOK_INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}

/** Writes the newest progress, one write at a time. A write that fails is no reason to fail the export. */
export function createProgressWriter({ database, clock, logger }: WatchDeps, run: ExportRun) {
  let writing: Promise<void> | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    note(done: number, total: number): void {
      if (writing !== undefined || (performance.now() - writtenAt < PROGRESS_INTERVAL_MS && done < total)) return;
      writtenAt = performance.now();
      const progress = Math.floor((done / Math.max(total, 1)) * PAGES_SHARE);
      writing = recordExportProgress(database.queries, run, { progress, pageCount: done, totalPages: total, now: clock.now() })
        .catch((error) => logger.warn({ jobId: run.jobId, error: String(error) }, 'progress was not written'))
        .finally(() => {
          writing = undefined;
        });
    },
    flush: async () => writing,
  };
}
