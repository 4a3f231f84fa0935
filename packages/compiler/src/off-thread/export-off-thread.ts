import type { ExportReport } from '@docent/format/exports/export-report.ts';
import { collectYoungGarbage } from '../process/limit-garbage.ts';
import { moduleUrl } from '../process/own-modules.ts';
import type { ExportHost, ExportProcessCalls, ExportProcessStart } from './export-process.ts';
import type { ExportStore } from './export-store.ts';
import { createWorkProcess } from './work-process.ts';

/**
 * The engine counts buffers late: without this, 137 MB of archive took 100 MB of a server, with 8 MB
 * here still 55, with 2 MB none (2026-11-29).
 */
const COLLECTED_BYTES = 2 * 1024 * 1024;

export interface ExportOffThreadOptions {
  store: ExportStore;
  onPage?: (pagesDone: number, pagesTotal: number) => void;
  /** As in `BundleInput`. */
  onReport?: (report: ExportReport) => void;
  signal?: AbortSignal;
  /** Limit of the heap of the process. */
  memoryMb: number;
}

/**
 * Packs a stored build as `packBundle` does, in a process of its own, which ends with the archive:
 * a large site takes more memory than this process should keep. The process packs only as fast as
 * the archive is read. It reads the file store itself if it can, else it asks this process.
 * @throws what `store` and `onReport` throw; Error if the process fails, or is killed
 */
export async function* exportOffThread(
  start: ExportProcessStart,
  { store, onPage, onReport, signal, memoryMb }: ExportOffThreadOptions,
): AsyncGenerator<Uint8Array> {
  const host = createWorkProcess<ExportProcessCalls>({
    module: moduleUrl('./export-process.ts', import.meta.url),
    flags: [`--max-old-space-size=${memoryMb}`],
    local: {
      read: (question) => store.read(question),
      has: (key) => store.has(key),
      onPage: (pagesDone, pagesTotal) => onPage?.(pagesDone, pagesTotal),
      onReport: (report) => onReport?.(report),
    } satisfies ExportHost,
    killed: () =>
      new Error('The system stopped the export, probably because the machine ran out of memory.'),
  });
  try {
    await host.run(({ begin }) => begin(start), signal);
    for (let passedBytes = 0; ; ) {
      const bytes = await host.run(({ next }) => next(), signal);
      if (bytes === undefined) return;
      yield bytes;
      passedBytes += bytes.byteLength;
      if (passedBytes < COLLECTED_BYTES) continue;
      collectYoungGarbage();
      passedBytes = 0;
    }
  } finally {
    await host.end();
  }
}
