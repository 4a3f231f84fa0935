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
    inTime(database.ping()),
    inTime(blobs.stat('readiness').then(() => true)),
  ]);
  return {
    isReady: isDatabaseUp || liveSites.heldCount > 0,
    dependencies: { database: isDatabaseUp, blobs: areBlobsUp },
  };
}

async function inTime(check: Promise<boolean>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ANSWER_WITHIN_MS);
  return Promise.race([check.catch(() => false), late.promise]).finally(() => clearTimeout(timer));
}
