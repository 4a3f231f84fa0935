import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from './ports/logger.ts';

/** Timeout of one phase of closing. */
const PHASE_SECONDS = 10;

/** Opened resources, closed in reverse order. */
export interface Closers {
  add(name: string, close: () => Promise<void>): void;
  /** Closes everything, newest first, each phase with a time limit; a phase that fails does not stop the others. */
  close(): Promise<void>;
}

export function openClosers(logger: Logger): Closers {
  const phases: { name: string; close: () => Promise<void> }[] = [];
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    for (const { name, close } of phases.toReversed()) {
      const limit = new AbortController();
      const late = wait(PHASE_SECONDS * 1000, 'late', { signal: limit.signal, ref: false }).catch(() => undefined);
      const ended = await Promise.race([
        close().then(
          () => undefined,
          (error: unknown) => error,
        ),
        late,
      ]);
      limit.abort();
      if (ended !== undefined) logger.warn({ phase: name, reason: String(ended) }, 'a resource could not be closed cleanly');
    }
  };
  return {
    add: (name, close) => phases.push({ name, close }),
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}
