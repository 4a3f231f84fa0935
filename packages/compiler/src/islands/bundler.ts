import childProcess from 'node:child_process';
import { type BuildOptions, type BuildResult, build, stop } from 'esbuild';

/**
 * Maximum memory of the bundler, in MB. It takes 160 MB for the most code that a page may have; its
 * stack grows without bound with nested code, which its parser, unlike ours, may find in files of
 * TypeScript.
 */
const MEMORY_MB = 512;

/** The bundler ran out of memory. */
export class BundlerCrash extends Error {
  constructor() {
    super(`bundling it needs more than ${MEMORY_MB} MB of memory`);
    this.name = 'BundlerCrash';
  }
}

/**
 * Bundles. If the bundler's process ends, only this bundle fails; the next one gets a new process.
 * @throws BundlerCrash; a `BuildFailure` of esbuild for faulty code
 */
export async function runBundler<Options extends BuildOptions>(
  options: Options,
): Promise<BuildResult<Options>> {
  try {
    return await build<Options>(options as never);
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'errors' in error) throw error;
    await stop();
    throw new BundlerCrash();
  }
}

/**
 * Limits the memory of every process that this thread starts, by a shell: Node.js cannot set
 * limits, and the library starts its process itself. The limit is that of data (`-d`), because Go
 * reserves far more addresses than it uses. Without a shell that can set it (Windows), only the
 * budget of the build counts.
 */
export function limitBundler(): void {
  if (process.platform !== 'linux') return;
  const { spawn } = childProcess;
  // What Go writes when it runs out of memory, the stacks of all routines, is for nobody.
  const limit = `ulimit -d ${MEMORY_MB * 1024}; exec "$0" "$@" 2>/dev/null`;
  const limited = (command: string, args: readonly string[], options: childProcess.SpawnOptions) =>
    spawn('/bin/sh', ['-c', limit, command, ...args], { ...options, env: {} });
  Object.assign(childProcess, { spawn: limited });
}
