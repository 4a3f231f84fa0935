import { inTime } from '../in-time.ts';
import type { Deps } from './deps.ts';

const ANSWER_WITHIN_MS = 2000;

/**
 * Checks the dependencies. Never throws: one that fails or takes longer than two seconds counts as down.
 * @returns whether each dependency answers, and whether this process can serve anything: with its dependencies, or pages that it
 *   holds in memory
 */
export async function checkReadiness({ database, blobs, liveSites }: Pick<Deps, 'database' | 'blobs' | 'liveSites'>) {
  const [isDatabaseUp, areBlobsUp] = await Promise.all([
    answers(database.ping()),
    answers(blobs.stat('readiness').then(() => true)),
  ]);
  return {
    isReady: isDatabaseUp || liveSites.heldCount > 0,
    dependencies: { database: isDatabaseUp, blobs: areBlobsUp },
  };
}

function answers(check: Promise<unknown>): Promise<boolean> {
  const answer = check.then(Boolean, () => false);
  return inTime(answer, ANSWER_WITHIN_MS, () => false);
}
