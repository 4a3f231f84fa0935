import { readFile } from 'node:fs/promises';
import { DocentError } from '@docent/format/errors.ts';

/** The embedded database keeps nearly 300 files open; readers, builds and uploads need more. */
const MIN_OPEN_FILES = 512;

/**
 * Refuses to start where the system allows so few open files that the database would break in the
 * middle of its start. Node.js has raised the limit as far as it may. Knows the limit on Linux
 * only.
 * @throws DocentError `dependency_unavailable`
 */
export async function requireOpenFiles(): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const allowed = /^Max open files +(\d+)/m.exec(limits)?.[1];
  if (allowed === undefined || Number(allowed) >= MIN_OPEN_FILES) return;
  throw new DocentError(
    'dependency_unavailable',
    `The system allows this process only ${allowed} open files, and it needs at least ${MIN_OPEN_FILES}; raise the limit, for example with "ulimit -n 65536".`,
  );
}
