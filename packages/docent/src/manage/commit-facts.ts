import {
  type FilesChanged,
  readCommit,
  type SentCommit,
} from '@docent/format/deployments/commit.ts';
import { gitCommitOf } from '@docent/server/start/git-facts.ts';
import { ciFactsOf } from './ci-facts.ts';

/** What is said on the command line about the commit; it takes precedence. */
export interface CommitOptions {
  commit?: string;
  branch?: string;
  message?: string;
  author?: string;
}

/** Paths are part of the URL, and proxies accept about 8 kB of it. */
const MAX_PATHS_BYTES = 4000;

/**
 * Returns the commit of a source for the API: as options, Git and the variables of the CI service
 * know it.
 * @param folder undefined for an archive, of whose repository Git knows nothing
 */
export async function commitParametersOf(
  folder: string | undefined,
  env: NodeJS.ProcessEnv,
  options: CommitOptions,
): Promise<SentCommit> {
  const ci = ciFactsOf(env);
  const git = folder === undefined ? {} : await gitCommitOf(folder);
  // Of a merge that the service made to try a pull request, only the files are those of the pull
  // request.
  const isTrial = ci.isPullRequest && git.sha !== ci.commit.sha;
  const { repository: remote, added, modified, removed } = git;
  const fromGit = given(isTrial ? { repository: remote, added, modified, removed } : git);
  const { commit: sha, branch, message, author } = options;
  // Services check out a commit rather than a branch.
  const ref = branch ?? (ci.commit.ref || undefined);
  const commit = readCommit({ ...ci.commit, ...fromGit, ...given({ sha, ref, message, author }) });
  if (!commit) return {};
  const { filesChanged, committedAt, repository, ...rest } = commit;
  return given({
    ...rest,
    author: rest.author ?? undefined,
    committedAt: committedAt ?? undefined,
    repository: repository ?? undefined,
    ...withinBytes(filesChanged, MAX_PATHS_BYTES),
  });
}

function withinBytes(files: FilesChanged, room: number): Record<string, string[]> {
  let bytes = 0;
  const fits = (name: string) => (path: string) => {
    bytes += name.length + 2 + encodeURIComponent(path).length;
    return bytes <= room;
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, paths]: [string, string[]]) => [
      name,
      paths.filter(fits(name)),
    ]),
  );
}

/** The parts that are known: an empty one says nothing. */
function given<Facts extends object>(facts: Facts): Partial<Facts> {
  const entries = Object.entries(facts).filter(
    ([, value]) => value !== undefined && value !== '' && value?.length !== 0,
  );
  return Object.fromEntries(entries) as Partial<Facts>;
}
