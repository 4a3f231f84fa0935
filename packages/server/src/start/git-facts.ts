import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { hasConfig } from '@docent/compiler/source/folder-files.ts';
import type { SentCommit } from '@docent/format/deployments/commit.ts';
import {
  GIT_FACTS_FILE,
  type WrittenGitFacts,
  webAddress,
} from '@docent/format/docs-json/settings/repository.ts';
import { DocentError } from '@docent/format/errors.ts';
import { addLastChanges, readCommitFacts, readFilesChanged } from '../adapters/git/history.ts';

/** A history that takes longer is read as far as it comes: the newest changes are first. */
const MAX_MS = 10_000;
/** What Git answers first, also in a repository without commits. */
const PLACE = ['--show-prefix', '--is-shallow-repository'];

/**
 * What Git knows of a documentation folder, as the text of `GIT_FACTS_FILE`: where its repository
 * is, and when it and each file were last changed.
 * @param date as `contentDate` returns it
 * @returns undefined where the folder has such a file, is no documentation, or nothing is known
 * @throws DocentError `invalid_setting`
 */
export async function gitFactsOf(
  folder: string,
  date?: Promise<Date | undefined>,
): Promise<string | undefined> {
  if (existsSync(join(folder, GIT_FACTS_FILE)) || !hasConfig(folder)) return undefined;
  // One process for all: to start one takes longer than its answer.
  const [[prefix, shallow, branch], contentDay] = await Promise.all([
    linesOfGit(folder, ['rev-parse', ...PLACE, '--abbrev-ref', 'HEAD']),
    date ?? contentDate(folder),
  ]);
  const day = contentDay?.toISOString().slice(0, 10);
  if (prefix === undefined) return day && JSON.stringify({ day } satisfies WrittenGitFacts);
  const remote = await firstLineOfGit(folder, ['remote', 'get-url', 'origin']);
  const address = remote === undefined ? undefined : webAddress(remote);
  const facts: WrittenGitFacts = {
    remote: address,
    folder: address && prefix.replace(/\/$/, ''),
    branch: branch === 'HEAD' ? undefined : branch,
    day,
    // In a shallow clone, Git reports that the last commit changed everything.
    changed: shallow === 'false' ? await lastChanges(folder) : undefined,
    submodules: await submodulesIn(folder),
  };
  return JSON.stringify(facts);
}

/**
 * Returns when the content of a folder was made, as far as that is a property of the content:
 * `SOURCE_DATE_EPOCH`, else the date of its last commit. So bundles of equal folders are identical.
 * @throws DocentError `invalid_setting`
 */
export async function contentDate(folder: string): Promise<Date | undefined> {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch !== undefined && !/^\d{1,11}$/.test(epoch))
    throw new DocentError(
      'invalid_setting',
      'SOURCE_DATE_EPOCH is not a number of seconds since 1970; correct or unset it.',
    );
  const seconds = epoch ?? (await firstLineOfGit(folder, ['log', '-1', '--format=%ct', '--', '.']));
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000);
}

/**
 * Returns the path of a folder from the root of its repository, to which annotations of a pull
 * request refer: the workspace of a GitHub workflow, else the Git repository, else the current
 * folder. Empty if it is the root, or in none of them.
 */
export async function pathInRepository(folder: string): Promise<string> {
  const repository = await firstLineOfGit(folder, ['rev-parse', '--show-toplevel']);
  const roots = [process.env.GITHUB_WORKSPACE || [], repository ?? [], process.cwd()].flat();
  const paths = roots.map((root) => relative(root, folder));
  return (
    paths.find((path) => !/^\.\.(?:[\\/]|$)/.test(path) && !isAbsolute(path)) ?? ''
  ).replaceAll('\\', '/');
}

/** The addresses of submodules, by their paths; an empty one where it is not known. */
async function submodulesIn(folder: string): Promise<Record<string, string> | undefined> {
  const submodules: Record<string, string> = Object.create(null);
  for await (const line of gitIn(folder)(['ls-files', '--stage', '--', '.'])) {
    const [, path] = /^160000 [^\t]*\t(.+)$/.exec(line) ?? [];
    if (path === undefined) continue;
    const remote = await firstLineOfGit(join(folder, path), ['remote', 'get-url', 'origin']);
    submodules[path] = webAddress(remote ?? '') ?? '';
  }
  return Object.keys(submodules).length > 0 ? submodules : undefined;
}

/** The day of the last commit of each file. */
async function lastChanges(folder: string): Promise<Record<string, string>> {
  const changed: Record<string, string> = Object.create(null);
  await addLastChanges(gitIn(folder), { revision: 'HEAD' }, changed);
  return changed;
}

const gitIn = (folder: string) => (args: string[]) =>
  git(folder, ['-c', 'core.quotePath=false', ...args]);

/**
 * Returns what Git says about the commit of a folder.
 * @returns nothing where the folder is in no repository, or Git is missing
 */
export async function gitCommitOf(folder: string): Promise<SentCommit> {
  const [commit, branch, tag, remote, shallow] = await Promise.all([
    readCommitFacts(gitIn(folder), 'HEAD'),
    firstLineOfGit(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
    firstLineOfGit(folder, ['describe', '--tags', '--exact-match', 'HEAD']),
    firstLineOfGit(folder, ['remote', 'get-url', 'origin']),
    firstLineOfGit(folder, ['rev-parse', '--is-shallow-repository']),
  ]);
  if (commit.sha === undefined) return {};
  // In a shallow clone, the last commit seems to have added everything.
  const files =
    shallow === 'false' ? await readFilesChanged(gitIn(folder), { revision: 'HEAD' }) : {};
  return { ...commit, ref: branch ?? tag, repository: remote && webAddress(remote), ...files };
}

/** The first line that Git writes; undefined where it fails or writes nothing. */
export async function firstLineOfGit(folder: string, args: string[]): Promise<string | undefined> {
  for await (const line of git(folder, args)) return line;
  return undefined;
}

async function linesOfGit(folder: string, args: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of git(folder, args)) lines.push(line);
  return lines;
}

/** The lines that Git writes; none where it fails. */
async function* git(folder: string, args: string[]): AsyncGenerator<string> {
  // A program that Git would start for the folder's sake is not started.
  const child = spawn('git', ['-C', folder, '-c', 'core.fsmonitor=false', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: MAX_MS,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
  });
  child.on('error', () => {});
  try {
    yield* createInterface({ input: child.stdout });
  } finally {
    child.kill();
  }
}
