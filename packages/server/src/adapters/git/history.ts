import { MAX_FILES_CHANGED, type SentCommit } from '@docent/format/deployments/commit.ts';

/** Runs Git with arguments, and yields the lines that it writes. */
export type RunGit = (args: string[]) => AsyncIterable<string>;

/** What part of which history is read. */
export interface HistoryScope {
  revision: string;
  /**
   * Folder from the root of the repository, without slashes around it. Absent: the folder in which
   * Git runs.
   */
  folder?: string;
  /** A commit: what it has is left out. */
  since?: string;
}

function scopeArgs({ revision, folder, since }: HistoryScope): string[] {
  const revisions = [revision, ...(since === undefined ? [] : [`^${since}`])];
  if (folder === undefined) return ['--relative', ...revisions, '--', '.'];
  return folder === ''
    ? [...revisions, '--']
    : [`--relative=${folder}/`, ...revisions, '--', folder];
}

/**
 * Adds the day of the last commit of each file to `changed`, newest first, by its path in the
 * folder.
 */
export async function addLastChanges(
  run: RunGit,
  scope: HistoryScope,
  changed: Record<string, string>,
): Promise<void> {
  let day = '';
  for await (const line of run([
    'log',
    '--format=%x01%cs',
    '--name-only',
    '--no-renames',
    ...scopeArgs(scope),
  ])) {
    if (line.startsWith('\u0001')) day = line.slice(1);
    else if (line !== '') changed[line] ??= day;
  }
}

/** Returns what a commit says of itself; nothing if there is none. */
export async function readCommitFacts(run: RunGit, revision: string): Promise<SentCommit> {
  const lines: string[] = [];
  for await (const line of run(['log', '-1', '--format=%H%n%cI%n%an%n%s', revision, '--']))
    lines.push(line);
  const [sha, committedAt, author, message] = lines;
  return sha === undefined ? {} : { sha, committedAt, author, message };
}

/** The files of the folder that a commit changed; of a merge, those that its branch brought. */
export async function readFilesChanged(run: RunGit, scope: HistoryScope) {
  const files = { added: [] as string[], modified: [] as string[], removed: [] as string[] };
  const show = [
    'diff-tree',
    '--root',
    '-r',
    '-m',
    '--first-parent',
    '--no-commit-id',
    '--no-renames',
    '--name-status',
  ];
  for await (const line of run([...show, ...scopeArgs(scope)])) {
    const [status, path] = line.split('\t');
    const list = status === 'A' ? files.added : status === 'D' ? files.removed : files.modified;
    if (path !== undefined && list.length < MAX_FILES_CHANGED) list.push(path);
  }
  return files;
}
