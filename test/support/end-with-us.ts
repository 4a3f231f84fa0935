import { spawn } from 'node:child_process';

/**
 * Ends processes and removes their folder when this process ends, however it ends: a shell waits for the end of its standard
 * input, which comes even with `kill -9`.
 * @returns lets go of them, for who has ended them in order
 */
export function endWithUs(folder: string, pids: readonly (number | undefined)[]): () => void {
  const known = pids.filter((pid) => pid !== undefined).map(String);
  const watch = spawn('sh', ['-c', 'read -r end; kill -9 "$@" 2> /dev/null; rm -rf "$0"', folder, ...known], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // What the terminal sends to all of us must not end it first.
    detached: true,
  });
  watch.unref();
  return () => watch.kill('SIGKILL');
}
