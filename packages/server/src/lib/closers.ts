import type { Logger } from '../ports/logger.ts';
import { inTime } from './in-time.ts';

/**
 * Timeout of one phase of closing, and of all together: less than orchestrators wait before they
 * kill.
 */
const PHASE_SECONDS = 10;
const TOTAL_SECONDS = 20;
/** What a phase gets after that. */
const LAST_SECONDS = 0.2;

/** Opened resources, closed in reverse order. */
export interface Closers {
  add(name: string, close: () => Promise<void>): void;
  /**
   * Closes everything, newest first, within 20 seconds; a phase that fails or takes too long does
   * not stop the others.
   */
  close(): Promise<void>;
}

export function openClosers(logger: Logger): Closers {
  const phases: { name: string; close: () => Promise<void> }[] = [];
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    const end = performance.now() + TOTAL_SECONDS * 1000;
    for (const { name, close } of phases.toReversed()) {
      const leftSeconds = Math.max(LAST_SECONDS, (end - performance.now()) / 1000);
      const closed = close().then(
        () => undefined,
        (error: unknown) => error,
      );
      const ended = await inTime(closed, Math.min(PHASE_SECONDS, leftSeconds) * 1000, () => 'late');
      if (ended !== undefined)
        logger.warn(
          { phase: name, reason: String(ended) },
          'a resource could not be closed cleanly',
        );
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
