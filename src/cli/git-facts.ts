import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GIT_FACTS_FILE, type WrittenGitFacts, webAddress } from '../core/docs-json/repository.ts';

/** A history that takes longer is read as far as it comes: the newest changes are first. */
const MAX_MS = 10_000;

/**
 * What Git knows of a documentation folder, as the text of `GIT_FACTS_FILE`: where its repository is, and when each file was last changed.
 * @returns undefined where the folder has such a file, is no documentation or not in a repository, or there is no Git
 */
export async function gitFactsOf(folder: string): Promise<string | undefined> {
  const has = (name: string) => existsSync(join(folder, name));
  if (has(GIT_FACTS_FILE) || !(has('docs.json') || has('mint.json'))) return undefined;
  const [prefix, shallow, branch] = await Promise.all([
    firstLineOfGit(folder, ['rev-parse', '--show-prefix']),
    firstLineOfGit(folder, ['rev-parse', '--is-shallow-repository']),
    firstLineOfGit(folder, ['rev-parse', '--abbrev-ref', 'HEAD']),
  ]);
  if (prefix === undefined) return undefined;
  const remote = await firstLineOfGit(folder, ['remote', 'get-url', 'origin']);
  const address = remote === undefined ? undefined : webAddress(remote);
  const facts: WrittenGitFacts = {
    ...(address !== undefined && { remote: address, folder: prefix.replace(/\/$/, '') }),
    ...(branch !== undefined && branch !== 'HEAD' && { branch }),
    // In a shallow clone, Git reports that the last commit changed everything.
    ...(shallow === 'false' && { changed: await lastChanges(folder) }),
  };
  return JSON.stringify(facts);
}

/** The day of the last commit of each file. */
async function lastChanges(folder: string): Promise<Record<string, string>> {
  const changed: Record<string, string> = Object.create(null);
  let day = '';
  const log = ['log', '--format=%x01%cs', '--name-only', '--no-renames', '--relative', '--', '.'];
  for await (const line of git(folder, ['-c', 'core.quotePath=false', ...log])) {
    if (line.startsWith('\u0001')) day = line.slice(1);
    else if (line !== '') changed[line] ??= day;
  }
  return changed;
}

/** The first line that Git writes; undefined where it fails or writes nothing. */
export async function firstLineOfGit(folder: string, args: string[]): Promise<string | undefined> {
  for await (const line of git(folder, args)) return line;
  return undefined;
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
