import { statfs } from 'node:fs/promises';
import type { Deps } from '../kernel/deps.ts';
import { inTime } from '../lib/in-time.ts';

const CHECK_EVERY_MS = 2000;
const ANSWER_WITHIN_MS = 2000;
/** With less, writes fail soon. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;

export type ReadinessDeps = Pick<Deps, 'database' | 'blobs' | 'limiter' | 'liveSites' | 'config'>;

/** What the last check of a dependency found. */
export interface DependencyState {
  isUp: boolean;
  /** How long its answer took; that of the time limit if there was none. */
  seconds: number;
}

/**
 * What a process depends on, as the last check in the background found it: who asks never waits for
 * a dependency.
 */
export interface Readiness {
  /** By name: `database`, `blobs`, `disk`, and `redis` where it is used. */
  readonly dependencies: ReadonlyMap<string, DependencyState>;
  /** Free space of the data folder in bytes, if the system tells. */
  readonly freeDiskBytes: number | undefined;
  /**
   * Whether this process can serve anything: with its database, or pages that it holds in memory.
   */
  isReady(): boolean;
  stop(): void;
}

/**
 * Checks the dependencies every two seconds.
 * @returns what the checks find, and what checks now; nothing is known before the first check
 */
export function watchReadiness({ database, blobs, limiter, liveSites, config }: ReadinessDeps): {
  readiness: Readiness;
  check: () => Promise<void>;
} {
  const dependencies = new Map<string, DependencyState>();
  let freeDiskBytes: number | undefined;
  const hasRoom = async () => {
    const { bavail, bsize } = await statfs(config.dataFolder);
    freeDiskBytes = bavail * bsize;
    return freeDiskBytes >= MIN_FREE_BYTES;
  };
  const checks: Record<string, () => Promise<unknown>> = {
    database: () => database.ping(),
    blobs: () => blobs.stat('readiness').then(() => true),
    ...(limiter.ping && { redis: () => limiter.ping?.() as Promise<boolean> }),
    // A data folder that does not exist is not needed.
    disk: () => hasRoom().catch(() => true),
  };
  const checkAll = async () => {
    await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const startedAt = performance.now();
        const isUp = await answers(check);
        dependencies.set(name, { isUp, seconds: (performance.now() - startedAt) / 1000 });
      }),
    );
  };
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    await checkAll();
    isChecking = false;
  }, CHECK_EVERY_MS);
  timer.unref();
  const readiness: Readiness = {
    dependencies,
    get freeDiskBytes() {
      return freeDiskBytes;
    },
    isReady: () => dependencies.get('database')?.isUp === true || liveSites.heldCount > 0,
    stop: () => clearInterval(timer),
  };
  return { readiness, check: checkAll };
}

/** Never throws: a check that fails or takes too long counts as down. */
function answers(check: () => Promise<unknown>): Promise<boolean> {
  const answer = Promise.resolve()
    .then(check)
    .then(Boolean, () => false);
  return inTime(answer, ANSWER_WITHIN_MS, () => false);
}
