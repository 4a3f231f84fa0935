import { inTime } from '../in-time.ts';
import type { Deps } from './deps.ts';

/** The current state of a process. */
export interface Readiness {
  /** Whether it can serve anything: with its dependencies, or pages that it holds in memory. */
  isReady: boolean;
  /** Whether each dependency answers. */
  dependencies: Record<'database' | 'blobs', boolean>;
}

const ANSWER_WITHIN_MS = 2000;

/** Checks the dependencies. Never throws: one that fails or takes longer than two seconds counts as down. */
export async function checkReadiness({
  database,
  blobs,
  liveSites,
}: Pick<Deps, 'database' | 'blobs' | 'liveSites'>): Promise<Readiness> {
  const [isDatabaseUp, areBlobsUp] = await Promise.all([
    answers(database.ping()),
    answers(blobs.stat('readiness').then(() => true)),
  ]);
  return {
    isReady: isDatabaseUp || liveSites.heldCount > 0,
    dependencies: { database: isDatabaseUp, blobs: areBlobsUp },
  };
}

function answers(check: Promise<boolean>): Promise<boolean> {
  return inTime(
    check.catch(() => false),
    ANSWER_WITHIN_MS,
    () => false,
  );
}
