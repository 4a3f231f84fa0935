import { BuildProgress } from '@docent/format/deployments/build-progress.ts';
import type { Deps } from '../kernel/deps.ts';
import { ownsDeployment, recordProgress, type StartedDeployment } from './queries.ts';

const CHECK_INTERVAL_MS = 500;

/** Reports the progress of a build to its owner. */
export type FollowedBuild = ReturnType<typeof followBuild>;

/**
 * Writes the progress of a build into its row, and watches whether its result is still needed.
 * @param onLost called once if the deployment was canceled or deleted, or another attempt holds it
 */
export function followBuild(
  { database, clock, logger }: Pick<Deps, 'database' | 'clock' | 'logger'>,
  deployment: StartedDeployment,
  onLost: () => void,
) {
  const progress = new BuildProgress(deployment.log);
  let hasNews = false;
  let checking: Promise<void> | undefined;
  const check = async () => {
    const isNews = hasNews;
    hasNews = false;
    try {
      const isHeld = isNews
        ? await recordProgress(database.queries, deployment, { ...progress, now: clock.now() })
        : await ownsDeployment(database.queries, deployment);
      if (!isHeld) onLost();
    } catch (error) {
      // Retried with the next update; a failed query does not mean that the row is missing.
      hasNews ||= isNews;
      logger.warn(
        { deploymentId: deployment.id, error: String(error) },
        'the progress of a build could not be stored',
      );
    }
  };
  const timer = setInterval(() => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
  }, CHECK_INTERVAL_MS);
  return {
    enter(stage: string): void {
      progress.enter(stage, clock.now());
      hasNews = true;
    },
    count(done: number, total: number): void {
      if (progress.count(done, total, clock.now())) hasNews = true;
    },
    log(text: string): void {
      progress.addLine(text, clock.now());
      hasNews = true;
    },
    /** Ends the current stage and writes pending progress. */
    async end(status: 'done' | 'failed'): Promise<void> {
      clearInterval(timer);
      progress.end(status, clock.now());
      hasNews = true;
      await checking;
      await check();
    },
  };
}
