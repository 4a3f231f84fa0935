import type { PullRequestRow } from './pull-request-queries.ts';
import type { GitSourceRow } from './queries.ts';

/**
 * A branch of the repository itself was pushed by somebody who may write to it, whatever a message
 * says.
 */
export const isFromFork = ({ ref }: Pick<PullRequestRow, 'ref'>) => !ref.startsWith('refs/heads/');

/**
 * Returns whether a commit of a pull request may be built: the only place that decides about forks.
 */
export function mayPreview(
  { forks }: Pick<GitSourceRow, 'forks'>,
  pull: Pick<PullRequestRow, 'ref' | 'isMember' | 'approvedSha'>,
  sha: string,
): boolean {
  if (!isFromFork(pull) || forks === 'all' || pull.approvedSha === sha) return true;
  return forks === 'members' && pull.isMember;
}
