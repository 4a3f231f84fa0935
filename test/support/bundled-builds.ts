import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Builds and exports that the code under test starts run in the bundled program, as where Docent is
 * installed: from the sources, a small build takes 1.6 times the CPU time.
 */
const program = fileURLToPath(new URL('../../dist/program', import.meta.url));
const PROCESS = /[\\/]compiler[\\/]src[\\/]off-thread[\\/](?:build|export)-process\.ts$/;

const { fork } = childProcess;
// Each file of a worker loads this.
if (fork.name !== 'forkBundled') {
  const forkBundled = (module: string | URL, ...more: [string[], childProcess.ForkOptions]) => {
    const isSource = PROCESS.test(String(module));
    const name = `compiler-off-thread-${basename(String(module), '.ts')}.js`;
    return fork(isSource ? join(program, name) : module, ...more);
  };
  Object.assign(childProcess, { fork: forkBundled });
  syncBuiltinESMExports();
}
