import { Worker } from 'node:worker_threads';
import type { BoundedMessage } from './bounded-process.ts';

/** A thread that ends the process when a request has long exceeded its time limit: the parent may be gone. */
const GUARD = `
  const { workerData } = require('node:worker_threads');
  const deadline = new Float64Array(workerData);
  setInterval(() => {
    if (deadline[0] > 0 && Date.now() > deadline[0]) process.kill(process.pid, 'SIGKILL');
  }, 500);
`;
const GRACE_MS = 2_000;

/** Runs in a process made by `createBoundedProcess`: answers its requests until the parent is gone. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  const deadline = new Float64Array(new SharedArrayBuffer(8));
  new Worker(GUARD, { eval: true, workerData: deadline.buffer, env: {} }).unref();
  process.on('message', async ({ question, limitMs }: BoundedMessage) => {
    deadline[0] = Date.now() + limitMs + GRACE_MS;
    process.send?.(await answer(question as Question));
    deadline[0] = 0;
  });
}
