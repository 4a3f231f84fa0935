import { Worker } from 'node:worker_threads';
import { type BoundedMessage, WALL_CLOCK_FACTOR } from './bounded-process.ts';

/** A thread that ends the process when a request exceeds its limits: the code of the request may never return. */
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

/** Runs in a process made by `createBoundedProcess`: answers its requests until the parent is gone. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
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
