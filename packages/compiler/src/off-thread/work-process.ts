import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildEnvironment, yieldToServer } from '../process/build-limits.ts';
import { WorkerEnd, WorkerHost } from '../process/worker-host.ts';

const NICENESS = 10;

/** How a process ends that the system, or its own engine, stops for lack of memory. */
const OUT_OF_MEMORY: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGABRT', 'SIGTRAP']);

/**
 * A process that works beside the server collects its garbage sooner than V8 would by default:
 * the build of 10,000 pages takes 50 MB less than with 60 %, the setting of `scripts/launch.mjs`. Few
 * objects of an export live longer than a page; half as much room for young ones takes a fifth more
 * CPU.
 */
const HEAP_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=25'];

interface WorkProcessOptions {
  module: URL;
  /** Flags of Node.js, beside those of its heap. */
  flags?: string[];
  /** Functions that it may call. */
  local: object;
  /** The error if the system, or the engine itself, ended it, probably for lack of memory. */
  killed: () => Error;
}

/**
 * Runs one of our modules in a process of its own, whose memory is given back when it ends. It is
 * in its own process group, inherits no environment, yields to this process, and ends with all that
 * it started.
 */
export function createWorkProcess<Remote extends object>({
  module,
  flags = [],
  local,
  killed,
}: WorkProcessOptions): WorkerHost<Remote, ChildProcess> {
  return new WorkerHost<Remote, ChildProcess>({
    start() {
      const child = fork(fileURLToPath(module), [], {
        execArgv: ['--no-warnings', ...HEAP_FLAGS, ...flags],
        env: buildEnvironment,
        cwd: '/',
        // Its own process group, so that it can be killed together with its children.
        detached: true,
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      yieldToServer(child.pid, NICENESS);
      // What it started must not outlive it.
      child.on('exit', () => killGroup(child));
      return child;
    },
    local,
    lost(reason) {
      if (!(reason instanceof WorkerEnd)) return reason;
      if (reason.signal !== null && OUT_OF_MEMORY.has(reason.signal)) return killed();
      return new Error(`The process ended before it finished: ${reason.message}`);
    },
    kill: killGroup,
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group is gone, or the system has no groups.
    child.kill('SIGKILL');
  }
}

/** Kills this process, which `createWorkProcess` has started, and all that it started. */
export function endOwnGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // Without process groups, child processes end by themselves.
    process.exit(1);
  }
}
