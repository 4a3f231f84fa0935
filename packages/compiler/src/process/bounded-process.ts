import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { codeFolder, packagesFolder } from './own-modules.ts';

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

/** Passed to `answerQuestions`. */
interface BoundedMessage {
  question: unknown;
  limitMs: number;
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
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let deaths = 0;
  let last: Promise<unknown> = Promise.resolve();

  function end(): void {
    child?.kill('SIGKILL');
    child = undefined;
  }

  async function askNow(question: Question): Promise<BoundedAnswer<Answer>> {
    if (deaths >= MAX_DEATHS) return { failure: 'too much output before it failed' };
    clearTimeout(idle);
    const isFirst = child === undefined;
    child ??= startBounded(options);
    child.ref();
    child.channel?.ref();
    const limitMs = options.timeLimitMs + (isFirst ? options.startLimitMs : 0);
    const result = await answerOf<Answer>(child, { question, limitMs });
    if ('failure' in result) {
      deaths++;
      end();
    } else {
      child.unref();
      child.channel?.unref();
      idle = setTimeout(end, IDLE_MS).unref();
    }
    return result;
  }

  return (question) => {
    const answer = last.then(() => askNow(question));
    last = answer;
    return answer;
  };
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
  const allowed = [...readable, path].map((place) => `--allow-fs-read=${place}`);
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

function answerOf<Answer>(
  child: ChildProcess,
  message: BoundedMessage,
): Promise<BoundedAnswer<Answer>> {
  return new Promise((resolve) => {
    const finish = (result: BoundedAnswer<Answer>): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('error', onError).off('exit', onExit);
      // A process being killed may still report how it ended.
      child.on('error', () => {});
      resolve(result);
    };
    const onMessage = (answer: unknown): void => finish({ answer: answer as Answer });
    const onError = (error: Error): void => finish({ failure: error.message });
    const tooLong = {
      failure: `it took longer than ${Math.round(message.limitMs / 1000)} seconds`,
    };
    const onExit = (_: unknown, signal: unknown): void =>
      finish(signal === 'SIGKILL' ? tooLong : { failure: 'it failed, or used too much memory' });
    // The guard in the process ends it before, unless the process does not even start.
    const timer = setTimeout(() => finish(tooLong), message.limitMs * WALL_CLOCK_FACTOR);
    child.on('message', onMessage).on('error', onError).on('exit', onExit);
    // A process that could not start has an error event instead.
    if (child.connected)
      child.send(message, (error) => {
        if (error) finish({ failure: error.message });
      });
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
  process.on('message', async ({ question, limitMs }: BoundedMessage) => {
    const { user, system } = process.cpuUsage();
    ends[0] = (user + system) / 1000 + limitMs;
    ends[1] = Date.now() + limitMs * WALL_CLOCK_FACTOR;
    process.send?.(await answer(question as Question));
    ends[1] = 0;
  });
}
