// Plain JavaScript that any Node.js can run, in a checkout and in the published package: how a
// process of Docent starts.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The first version that runs TypeScript files directly, and has everything that we use. */
export const OLDEST_NODE = [22, 18];

export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/**
 * Logs an error to standard error, because standard output is for results, and ends the process
 * with exit code 1.
 */
export function fail(message) {
  process.stderr.write(`docent: ${message}\n`);
  process.exit(1);
}

/**
 * Returns the file that runs the commands: the bundled program where it was built, else the source.
 * @param folder of the checkout
 */
export function mainOf(folder) {
  const bundled = join(folder, 'dist/program/docent-main.js');
  return existsSync(bundled) ? bundled : join(folder, 'packages/docent/src/main.ts');
}

/**
 * By default, Node.js keeps up to 134 MB of its main thread's heap for young objects, most of it
 * garbage, and lets the rest grow to three times what is in use before it collects garbage.
 */
const smallHeap = ['--max-semi-space-size=16', '--heap-growing-percent=60'];

/**
 * For a command that builds a site in threads, whose own limits these flags replace: 1,000 pages
 * take 290 MB instead of 310, 4,000 take 465 instead of 505, for the same CPU time. With 25 %
 * instead of 60 they take 275 and 425, for about 5 % more of it (2026-11-30).
 */
const smallThreads = ['--max-semi-space-size=8', '--heap-growing-percent=60'];

/**
 * For a process that may contain the embedded database: V8 would optimize one of its functions, of
 * 105 kB, as soon as it is warm, and use 600 MB for that. Builds run in separate processes, which
 * highlight code faster without these flags.
 */
const leanWasm = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

const PACKING = ['build', 'export'];
const WITH_DATABASE = ['serve', 'backup', 'restore', 'migrate', 'doctor', 'verify-store'];

/** Returns the flags of Node.js for a command of Docent. */
export function flagsFor(command) {
  if (PACKING.includes(command)) return smallThreads;
  return WITH_DATABASE.includes(command) ? [...smallHeap, ...leanWasm] : smallHeap;
}

/**
 * Becomes `node args…`: in place if Node.js and the system can, otherwise as a child that shares
 * our standard streams and signals.
 * @param compileCache folder in which Node.js keeps compiled code
 */
export function become(node, args, compileCache) {
  const env = {
    // Node.js caches compiled code there, also for threads, which halves the time until a command
    // runs.
    NODE_COMPILE_CACHE: compileCache,
    // With an arena for each build thread, glibc would keep up to a hundred megabytes of freed
    // memory.
    MALLOC_ARENA_MAX: '2',
    // Otherwise it raises this threshold with each large block, and keeps tens of megabytes
    // permanently.
    MALLOC_TRIM_THRESHOLD_: '131072',
    ...process.env,
  };
  // A launcher that only waits would use sixty megabytes.
  if (process.platform !== 'win32' && process.execve) process.execve(node, [node, ...args], env);
  const child = spawn(node, args, { cwd: process.cwd(), stdio: 'inherit', env });
  // A terminal sends Ctrl-C to the whole group; a supervisor signals only us. Either way the child
  // decides when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}
