import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addLastChanges, type HistoryScope, type RunGit } from './history.ts';

interface KeptChanges {
  /** The commit up to which they were read. */
  revision: string;
  changed: Record<string, string>;
}

/**
 * Returns the day of the last change of each file of a folder. The copy of the repository keeps
 * them, so that the next time only the history since then is read.
 */
export async function readLastChanges(
  run: RunGit,
  scope: Required<Pick<HistoryScope, 'revision' | 'folder'>>,
  copy: string,
): Promise<Record<string, string>> {
  const name = createHash('sha256').update(scope.folder).digest('hex').slice(0, 16);
  const file = join(copy, `docent-changes-${name}`);
  const kept = await readKept(file);
  const isPast = kept !== undefined && (await isAncestor(run, kept.revision, scope.revision));
  if (isPast && kept.revision === scope.revision) return kept.changed;
  const changed: Record<string, string> = Object.create(null);
  try {
    await addLastChanges(run, { ...scope, ...(isPast && { since: kept.revision }) }, changed);
  } catch {
    // A history that takes longer is read as far as it comes: the newest changes are first.
    return isPast ? withLater(kept.changed, changed) : changed;
  }
  const all = isPast ? withLater(kept.changed, changed) : changed;
  await writeFile(file, JSON.stringify({ revision: scope.revision, changed: all }));
  return all;
}

/** A branch that was merged since may have older days than the files it changes. */
function withLater(kept: Record<string, string>, changed: Record<string, string>) {
  const all: Record<string, string> = Object.assign(Object.create(null), kept);
  for (const [path, day] of Object.entries(changed)) if (day > (all[path] ?? '')) all[path] = day;
  return all;
}

async function readKept(file: string): Promise<KeptChanges | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as KeptChanges;
  } catch {
    // There is none, or the process ended while it was written.
    return undefined;
  }
}

/** History may have been rewritten, or be too long to say. */
async function isAncestor(run: RunGit, before: string, after: string): Promise<boolean> {
  try {
    for await (const _ of run(['merge-base', '--is-ancestor', before, after]));
    return true;
  } catch {
    return false;
  }
}
