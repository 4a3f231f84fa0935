import { type ChildProcess, fork } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { errorMessage } from '@docent/format/error-message.ts';
import { answerCalls } from './calls.ts';
import { codeFolder, packagesFolder } from './own-modules.ts';
import { inTurn, WorkerEnd, WorkerHost } from './worker-host.ts';

/** Result of a request: an answer, or why there is none. */
type BoundedAnswer<Answer> = { answer: Answer } | { failure: string };

interface BoundedProcessOptions {
  /** The module that the process runs; it calls `answerQuestions`. */
  module: URL;
  /** CPU time of one request, so that its result does not depend on what else the machine does. */
  timeLimitMs: number;
  /** Added for the first request, which includes loading. */
  startLimitMs: number;
  memoryMb: number;
}

/** What `answerQuestions` offers. */
interface BoundedCalls<Question, Answer> {
  answer(question: Question, limitMs: number): Promise<Answer>;
}

/** A request that waits in place of computing ends after so many times its CPU time, too. */
const WALL_CLOCK_FACTOR = 10;
/**
 * After this many killed processes no more requests are sent, so that a whole build is bounded too.
 */
const MAX_DEATHS = 3;
const IDLE_MS = 20_000;
/** What the process may read: our own code and installed packages. */
const readable = [`${codeFolder}packages`, `${codeFolder}package.json`, packagesFolder];

/**
 * A process for work that may never end. Requests are answered one after another. At its time or
 * memory limit the process is killed, and the next request gets a new one. A thread is not enough:
 * one that runs out of memory can take the whole process down. The process starts with the first
 * request, does not keep its parent alive, inherits no environment, and may neither write files nor
 * start processes.
 * @returns a function that asks the process
 */
export function createBoundedProcess<Question, Answer>(
  options: BoundedProcessOptions,
): (question: Question) => Promise<BoundedAnswer<Answer>> {
  let deaths = 0;
  let limitMs = 0;
  const host = new WorkerHost<BoundedCalls<Question, Answer>>({
    start: () => startBounded(options),
    idleMs: IDLE_MS,
    lost: (reason) =>
      reason instanceof WorkerEnd
        ? new Error(
            reason.signal === 'SIGKILL'
              ? `it took longer than ${Math.round(limitMs / 1000)} seconds`
              : 'it failed, or used too much memory',
          )
        : reason,
  });
  return inTurn(async (question) => {
    if (deaths >= MAX_DEATHS) return { failure: 'too much output before it failed' };
    limitMs = options.timeLimitMs + (host.isRunning ? 0 : options.startLimitMs);
    // The guard in the process ends it before, unless the process does not even start.
    const timer = setTimeout(() => void host.end(), limitMs * WALL_CLOCK_FACTOR);
    try {
      return { answer: await host.run(({ answer }) => answer(question, limitMs)) };
    } catch (error) {
      deaths++;
      await host.end();
      return { failure: errorMessage(error) };
    } finally {
      clearTimeout(timer);
    }
  });
}

/**
 * Starts one of our modules in a process without environment, which reads only our own code and
 * writes nothing.
 */
export function startBounded({
  module,
  memoryMb,
}: Pick<BoundedProcessOptions, 'module' | 'memoryMb'>): ChildProcess {
  const path = fileURLToPath(module);
  const allowed = [...readable, dirname(path)].map((place) => `--allow-fs-read=${place}`);
  return fork(path, [], {
    execArgv: [
      '--permission',
      ...allowed,
      '--allow-worker',
      '--allow-wasi',
      '--no-warnings',
      `--max-old-space-size=${memoryMb}`,
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/**
 * A thread that ends the process when a request exceeds its limits: the code of the request may
 * never return.
 */
const GUARD = `
  const { workerData } = require('node:worker_threads');
  const [cpu, wall] = [0, 1];
  const ends = new Float64Array(workerData);
  setInterval(() => {
    if (ends[wall] === 0) return;
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1000 > ends[cpu] || Date.now() > ends[wall]) process.kill(process.pid, 'SIGKILL');
  }, 200);
`;

/**
 * Runs in a process made by `createBoundedProcess`: answers its requests until the parent is gone.
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  const ends = new Float64Array(new SharedArrayBuffer(16));
  new Worker(GUARD, { eval: true, workerData: ends.buffer, env: {} }).unref();
  answerCalls({
    async answer(question, limitMs) {
      const { user, system } = process.cpuUsage();
      ends[0] = (user + system) / 1000 + limitMs;
      ends[1] = Date.now() + limitMs * WALL_CLOCK_FACTOR;
      try {
        return await answer(question);
      } finally {
        ends[1] = 0;
      }
    },
  } satisfies BoundedCalls<Question, Answer>);
}
