import { createEnding } from '@docent/format/ending.ts';
import type { ExportReport } from '@docent/format/exports/export-report.ts';
import { moduleUrl } from '../process/own-modules.ts';
import type {
  ExportProcessAnswer,
  ExportProcessMessage,
  ExportProcessStart,
} from './export-process.ts';
import type { ExportStore } from './export-store.ts';
import { startWorkProcess } from './work-process.ts';

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
  signal?.throwIfAborted();
  const ending = createEnding();
  let chunk = Promise.withResolvers<Uint8Array | undefined>();
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      ending.end(error);
    }
  };
  const reply = (id: number, answering: Promise<unknown>) =>
    answering.then((answer) => host.send({ id, answer }), ending.end);
  const receive = (message: ExportProcessMessage) => {
    switch (message.type) {
      case 'read':
        reply(message.id, store.read(message.question));
        break;
      case 'has':
        reply(message.id, store.has(message.key));
        break;
      case 'page':
        onPage?.(message.pagesDone, message.pagesTotal);
        break;
      case 'report':
        attempt(() => onReport?.(message.report));
        break;
      case 'chunk':
        chunk.resolve(message.bytes);
        break;
      case 'broken':
        // The code tells whether the disk is full.
        ending.end(
          Object.assign(new Error(message.reason), message.code && { code: message.code }),
        );
        break;
    }
  };
  const host = startWorkProcess<ExportProcessStart, ExportProcessMessage, ExportProcessAnswer>(
    {
      module: moduleUrl('./export-process.ts', import.meta.url),
      flags: [`--max-old-space-size=${memoryMb}`],
    },
    start,
    {
      receive,
      reject: ending.end,
      onKilled: () =>
        ending.end(
          new Error(
            'The system stopped the export, probably because the machine ran out of memory.',
          ),
        ),
    },
  );
  const abort = () => ending.end(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      host.send({ next: true });
      const bytes = await ending.wait(chunk.promise);
      if (bytes === undefined) return;
      chunk = Promise.withResolvers();
      yield bytes;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    host.end();
  }
}
