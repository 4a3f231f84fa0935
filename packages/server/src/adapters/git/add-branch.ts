import { join } from 'node:path';
import { oneLine } from '@docent/format/deployments/commit.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { NewBranch } from '../../ports/git/git-repositories.ts';
import { firstLine, type GitBudget, GitFailure, type GitRun, runGit } from './run-git.ts';

const FILE_MODE = '100644';

/**
 * Writes a commit that adds one file to another commit, into a copy that has the folders of that
 * commit but not the content of its files. Nothing is checked out.
 * @returns its sha; undefined if the path is taken
 */
export async function commitFile(
  { base, run, work }: { base: readonly string[]; run: GitRun; work: string },
  parent: string,
  { file, content, message, author }: Pick<NewBranch, 'file' | 'content' | 'message' | 'author'>,
): Promise<string | undefined> {
  const entry = await firstLine(
    [...base, '--literal-pathspecs', 'ls-tree', '--name-only', parent, '--', file],
    run,
  );
  if (entry !== '') return undefined;
  const blob = await firstLine([...base, 'hash-object', '-w', '--stdin'], {
    ...run,
    input: content,
  });
  const env = {
    ...run.env,
    GIT_INDEX_FILE: join(work, 'index'),
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  const inIndex = { ...run, env };
  await runGit([...base, 'read-tree', parent], inIndex);
  try {
    const line = `${FILE_MODE},${blob},${file}`;
    await runGit([...base, 'update-index', '--add', '--cacheinfo', line], inIndex);
  } catch (error) {
    // A file is where its folder would be.
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
  // The content of the other files is not here.
  const tree = await firstLine([...base, 'write-tree', '--missing-ok'], inIndex);
  return firstLine([...base, 'commit-tree', tree, '-p', parent, '-F', '-'], {
    ...inIndex,
    input: message,
  });
}

/**
 * Pushes a commit as a branch that does not exist.
 * @returns why the server did not take it; undefined if it did
 * @throws what `runGit` throws, but no GitFailure: the copy is as it was
 */
export async function pushBranch(
  {
    copy,
    env,
    budget,
    signal,
  }: {
    copy: string;
    env: Record<string, string>;
    budget: GitBudget;
    signal?: AbortSignal | undefined;
  },
  sha: string,
  ref: string,
): Promise<DocentError | undefined> {
  const push = ['push', '--quiet', '--no-thin', '--no-verify', '--no-signed', '--no-follow-tags'];
  // Nothing that is there is replaced.
  const lease = [`--force-with-lease=${ref}:`, '--end-of-options'];
  try {
    await runGit(['--git-dir', copy, ...push, ...lease, 'docent', `${sha}:${ref}`], {
      env,
      budget,
      signal,
    });
    return undefined;
  } catch (error) {
    if (error instanceof GitFailure) return pushFault(error);
    throw error;
  }
}

const MAY_NOT_WRITE =
  'The credentials of the source may read the repository, but not write to it; let the token write its contents, or give the deploy key write access.';

function pushFault({ output }: GitFailure): DocentError {
  if (/error: 5\d\d|timed? ?out|reset|hung up|could not resolve|failed to connect/i.test(output))
    return new DocentError(
      'git_unavailable',
      'The server of the repository could not be reached while the branch was sent; try again.',
    );
  // What a rule of the server says is in the parentheses.
  const [, rule] = /^ ! \[[^\]\n]*rejected\] [^(\n]*\(([^\n]*)\)$/m.exec(output) ?? [];
  const refusal = `The server of the repository refused the new branch: ${oneLine(rule ?? '', 200)}.`;
  return new DocentError('git_refused', rule === undefined ? MAY_NOT_WRITE : refusal);
}

export function pathTaken(file: string): DocentError {
  return new DocentError(
    'git_refused',
    `The repository has a file ${file} already, or a file where its folder would be; choose another path.`,
  );
}
