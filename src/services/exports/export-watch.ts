import { type ExportRun, ownsExportJob, recordExportProgress, touchExportJob } from '../../db/exports/export-runs.ts';
import type { Deps } from '../deps.ts';

type WatchDeps = Pick<Deps, 'database' | 'clock' | 'logger'>;

/** How soon a canceled job is noticed. */
const CHECK_INTERVAL_MS = 500;
/** Heartbeat interval. */
const TOUCH_INTERVAL_MS = 10_000;
/** Minimum interval between progress updates. */
const PROGRESS_INTERVAL_MS = 200;
/** Share of the pages in the progress; the rest is assets and the end of the upload. */
const PAGES_SHARE = 95;

/** The job was canceled, or another attempt holds it: the result of this one is not needed. */
export class ExportRunLost extends Error {
  constructor() {
    super('The job was cancelled, or another worker has it.');
  }
}

/**
 * Watches whether an attempt still holds its job, and sends heartbeats.
 * @param onLost called once if it does not; a check that fails changes nothing
 */
export function watchExport({ database, clock, logger }: WatchDeps, run: ExportRun, onLost: () => void): { stop(): void } {
  let isChecking = false;
  let touchedAt = performance.now();
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      if (!(await ownsExportJob(database.queries, run))) return onLost();
      if (performance.now() - touchedAt < TOUCH_INTERVAL_MS) return;
      touchedAt = performance.now();
      await touchExportJob(database.queries, run, clock.now());
    } catch (error) {
      logger.warn({ jobId: run.jobId, error: String(error) }, 'the state of an export could not be read');
    } finally {
      isChecking = false;
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}

/** Writes the latest progress, one write at a time. A failed write must not fail the export. */
export function createProgressWriter({ database, clock, logger }: WatchDeps, run: ExportRun) {
  let writing: Promise<void> | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    note(done: number, total: number): void {
      if (writing !== undefined || (performance.now() - writtenAt < PROGRESS_INTERVAL_MS && done < total)) return;
      writtenAt = performance.now();
      const progress = Math.floor((done / Math.max(total, 1)) * PAGES_SHARE);
      writing = recordExportProgress(database.queries, run, { progress, pageCount: done, totalPages: total, now: clock.now() })
        .catch((error) => logger.warn({ jobId: run.jobId, error: String(error) }, 'progress could not be stored'))
        .finally(() => {
          writing = undefined;
        });
    },
    flush: async () => writing,
  };
}
