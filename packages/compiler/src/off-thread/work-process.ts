import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildEnvironment, yieldToServer } from '../process/build-limits.ts';

const NICENESS = 10;

/** How a process ends that the system, or its own engine, stops for lack of memory. */
const OUT_OF_MEMORY: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGABRT', 'SIGTRAP']);

/**
 * A process that works beside the server collects its garbage sooner than V8 would by default:
 * the build of 10,000 pages takes 50 MB less than with 60 %, the setting of `scripts/launch.mjs`.
 */
const HEAP_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=25'];

interface WorkProcessHandlers<Message> {
  receive: (message: Message) => void;
  reject: (reason: Error) => void;
  /** The system, or the engine itself, ended it, probably for lack of memory. */
  onKilled: () => void;
}

/** A process that works for this one. */
export interface WorkProcess<Answer> {
  send(answer: Answer): void;
  /** Kills it and all that it started, unless it has ended. */
  end(): void;
}

/**
 * Runs one of our modules in a process of its own, whose memory is given back when it ends. It is
 * in its own process group, inherits no environment, and yields to this process.
 * @param start its first message
 * @param flags of Node.js, beside those of its heap
 */
export function startWorkProcess<Start, Message, Answer>(
  { module, flags = [] }: { module: URL; flags?: string[] },
  start: Start,
  { receive, reject, onKilled }: WorkProcessHandlers<Message>,
): WorkProcess<Answer> {
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
  child.on('message', receive);
  child.on('error', reject);
  child.on('exit', (code, by) => {
    // What it started must not outlive it.
    killGroup(child);
    if (by !== null && OUT_OF_MEMORY.has(by)) onKilled();
    else reject(new Error(`The process exited with ${by ?? code} before it finished.`));
  });
  const send = (message: Start | Answer) => {
    // If the process is gone, its exit is the more useful error.
    child.send(message as object, () => {});
  };
  send(start);
  return { send, end: () => endWithItsChildren(child) };
}

function endWithItsChildren(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) killGroup(child);
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

/** Kills this process, which `startWorkProcess` has started, and all processes that it started. */
export function endOwnGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // Without process groups, child processes end by themselves.
    process.exit(1);
  }
}
