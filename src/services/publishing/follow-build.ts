import { BuildProgress } from '../../core/deployments/build-progress.ts';
import { type BegunDeployment, holdsDeployment, recordProgress } from '../../db/deployments/publishing.ts';
import type { Deps } from '../deps.ts';

const LOOK_INTERVAL_MS = 500;

/** A build whose owner follows it. */
export interface FollowedBuild {
  enter(stage: string): void;
  count(done: number, total: number): void;
  say(text: string): void;
  /** Ends the stage that is running and writes what is left to say. */
  end(status: 'done' | 'failed'): Promise<void>;
}

/**
 * Writes what a build does into its row while it goes on, and watches whether its result is still wanted.
 * @param onLost called once when the deployment was cancelled or deleted, or another try has it
 */
export function followBuild(
  { database, clock, logger }: Pick<Deps, 'database' | 'clock' | 'logger'>,
  deployment: BegunDeployment,
  onLost: () => void,
): FollowedBuild {
  const progress = new BuildProgress(deployment.log);
  let hasNews = false;
  let looking: Promise<void> | undefined;
  const look = async () => {
    const isNews = hasNews;
    hasNews = false;
    try {
      const isHeld = isNews
        ? await recordProgress(database.queries, deployment, { ...progress, now: clock.now() })
        : await holdsDeployment(database.queries, deployment);
      if (!isHeld) onLost();
    } catch (error) {
      // What could not be written is written with the next news; a missing row means nothing.
      hasNews ||= isNews;
      logger.warn({ deploymentId: deployment.id, error: String(error) }, 'the progress of a build was not written');
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, LOOK_INTERVAL_MS);
  return {
    enter(stage) {
      progress.enter(stage, clock.now());
      hasNews = true;
    },
    count(done, total) {
      if (progress.count(done, total, clock.now())) hasNews = true;
    },
    say(text) {
      progress.say(text, clock.now());
      hasNews = true;
    },
    async end(status) {
      clearInterval(timer);
      progress.end(status, clock.now());
      hasNews = true;
      await looking;
      await look();
    },
  };
}
