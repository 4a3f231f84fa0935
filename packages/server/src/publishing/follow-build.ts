import { BuildProgress } from '@docent/format/deployments/build-progress.ts';
import type { Deps } from '../kernel/deps.ts';
import { ownsDeployment, recordProgress, type StartedDeployment } from './queries.ts';

/** Reports the progress of a build to its owner. */
export type FollowedBuild = ReturnType<typeof followBuild>;

/** Collects the progress of a build, and writes it into its row. */
export function followBuild(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  deployment: StartedDeployment,
) {
  const progress = new BuildProgress(deployment.log);
  let hasNews = false;
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
    /** Ends the current stage. */
    end(status: 'done' | 'failed'): void {
      progress.end(status, clock.now());
      hasNews = true;
    },
    /** @returns whether the deployment still waits for the result of this attempt */
    async write(): Promise<boolean> {
      if (!hasNews) return ownsDeployment(database.queries, deployment);
      hasNews = false;
      try {
        return await recordProgress(database.queries, deployment, {
          ...progress,
          now: clock.now(),
        });
      } catch (error) {
        hasNews = true;
        throw error;
      }
    },
  };
}
