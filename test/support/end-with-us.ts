import { spawn } from 'node:child_process';

/**
 * Ends processes and removes their folder when this process ends in any way: a shell waits for the
 * end of its standard input, which comes even with `kill -9`.
 * @returns cancels this, for callers that have ended the processes themselves
 */
export function endWithUs(folder: string, pids: readonly (number | undefined)[]): () => void {
  const known = pids.filter((pid) => pid !== undefined).map(String);
  const watch = spawn(
    'sh',
    ['-c', 'read -r end; kill -9 "$@" 2> /dev/null; rm -rf "$0"', folder, ...known],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      // A signal that the terminal sends to the whole group must not end it first.
      detached: true,
    },
  );
  watch.unref();
  return () => watch.kill('SIGKILL');
}
