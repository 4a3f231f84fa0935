import { DocentError } from '@docent/format/errors.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from './database.ts';
import type { JobContext, JobDefinition, JobQueue, OutageWaits } from './job-queue.ts';

/**
 * A database without the queue's tables, and queues on it, each opened as a separate process would.
 */
export interface JobQueueHarness {
  database: Database;
  openQueue(outages: OutageWaits): Promise<JobQueue>;
  close(): Promise<void>;
}

const quickWaits: OutageWaits = { firstSeconds: 0.1, maxSeconds: 1, totalSeconds: 3600 };

interface Payload {
  n: number;
}

let kinds = 0;

/** A kind of job that no test has used before. */
function newKind(options: Partial<JobDefinition<Payload>> = {}): JobDefinition<Payload> {
  kinds += 1;
  const parse = (payload: unknown) => {
    const { n } = payload as Payload;
    if (typeof n !== 'number') throw new TypeError('n is not a number');
    return { n };
  };
  return {
    name: `kind-${kinds}`,
    parse,
    retryLimit: 0,
    retryDelaySeconds: 0,
    heartbeatSeconds: 10,
    ...options,
  };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The condition was not met within 15 s.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Ends when the job is asked to stop. */
const untilAborted = ({ signal }: JobContext) =>
  new Promise<void>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason)),
  );

interface Opened {
  queue(): JobQueue;
  database(): Database;
  /** Another queue on the same database; closed after the test. */
  another(outages?: OutageWaits): Promise<JobQueue>;
}

/** What every job queue guarantees. */
export function jobQueueContract(name: string, open: () => Promise<JobQueueHarness>): void {
  describe(`job queue: ${name}`, () => {
    let harness: JobQueueHarness;
    let queue: JobQueue;
    const others: JobQueue[] = [];
    beforeAll(async () => {
      harness = await open();
      queue = await harness.openQueue(quickWaits);
    });
    afterEach(async () => {
      for (const other of others.splice(0)) await other.close();
    });
    afterAll(async () => {
      await queue.close();
      await harness.close();
    });
    const opened: Opened = {
      queue: () => queue,
      database: () => harness.database,
      another: async (outages = quickWaits) => {
        const other = await harness.openQueue(outages);
        others.push(other);
        return other;
      },
    };
    describeRunning(opened);
    describeRanks(opened);
    describeTransactions(opened);
    describeRetries(opened);
    describeClosing(opened);
  });
}

function describeRunning({ queue }: Opened): void {
  test('each job runs once, with its payload, in the worker of its kind', async () => {
    const [one, two] = [newKind(), newKind()];
    const seen: string[] = [];
    await queue().work(one, async ({ n }) => void seen.push(`one ${n}`), { concurrency: 4 });
    await queue().work(two, async ({ n }) => void seen.push(`two ${n}`));
    const all = Array.from({ length: 30 }, (_, n) => n);
    for (const n of all) await queue().enqueue(n % 2 === 0 ? one : two, { n });
    await until(() => seen.length >= 30);
    await wait(200);
    expect(seen.sort()).toEqual(all.map((n) => `${n % 2 === 0 ? 'one' : 'two'} ${n}`).sort());
  });

  test('a job that was enqueued before a worker exists runs when one starts', async () => {
    const kind = newKind();
    await queue().enqueue(kind, { n: 7 });
    const seen: number[] = [];
    await queue().work(kind, async ({ n }) => void seen.push(n));
    await until(() => seen.length === 1);
    expect(seen).toEqual([7]);
  });

  test('the number of concurrent jobs reaches the limit and never exceeds it', async () => {
    const kind = newKind();
    let running = 0;
    let most = 0;
    let done = 0;
    const handler = async () => {
      running += 1;
      most = Math.max(most, running);
      await wait(100);
      running -= 1;
      done += 1;
    };
    await queue().work(kind, handler, { concurrency: 3 });
    for (let n = 0; n < 9; n += 1) await queue().enqueue(kind, { n });
    await until(() => done === 9);
    expect(most).toBe(3);
  });

  test('the depth counts waiting and running jobs by kind, and no finished ones', async () => {
    const kind = newKind();
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    await queue().enqueue(kind, { n: 1 });
    await queue().enqueue(kind, { n: 2 });
    expect((await queue().depth())[kind.name]).toBe(2);
    await queue().work(kind, async () => {
      started.resolve();
      await finish.promise;
    });
    await started.promise;
    expect((await queue().depth())[kind.name]).toBe(2);
    finish.resolve();
    await until(async () => (await queue().depth())[kind.name] === 0);
  });
}

function describeRanks({ queue, database }: Opened): void {
  test('the job with the lowest rank runs first, and of equals the oldest, however they were enqueued', async () => {
    const kind = newKind();
    const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const seen: number[] = [];
    await queue().work(kind, async ({ n }) => {
      seen.push(n);
      if (n > 0) return;
      started.resolve();
      await finish.promise;
    });
    await queue().enqueue(kind, { n: 0 });
    await started.promise;
    await queue().enqueue(kind, { n: 4 }, undefined, 700);
    await queue().enqueue(kind, { n: 2 });
    const addRanked = (n: number, rank: number) =>
      database()
        .queries.transaction()
        .execute((transaction) => queue().enqueue(kind, { n }, transaction, rank));
    await addRanked(1, -600);
    await addRanked(5, 700);
    await addRanked(3, 0);
    finish.resolve();
    await until(() => seen.length === 6);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
  });
}

function describeTransactions({ queue, database }: Opened): void {
  const inTransaction = (kind: JobDefinition<Payload>, fault?: Error) =>
    database()
      .queries.transaction()
      .execute(async (transaction) => {
        await queue().enqueue(kind, { n: 1 }, transaction);
        await wait(700);
        if (fault) throw fault;
      });

  test('a job enqueued in a transaction that rolls back never runs, even if it is the first of its kind', async () => {
    for (const isFirst of [true, false]) {
      const kind = newKind();
      let runs = 0;
      const handler = async () => {
        runs += 1;
      };
      if (!isFirst) await queue().work(kind, handler);
      await expect(inTransaction(kind, new Error('rolled back'))).rejects.toThrow('rolled back');
      if (isFirst) await queue().work(kind, handler);
      await wait(700);
      expect(runs).toBe(0);
      await queue().enqueue(kind, { n: 2 });
      await until(() => runs === 1);
    }
  });

  test('a job enqueued in a transaction runs after the commit, not before', async () => {
    const kind = newKind();
    let committed = false;
    const ranAfterCommit: boolean[] = [];
    await queue().work(kind, async () => void ranAfterCommit.push(committed));
    await inTransaction(kind).then(() => {
      committed = true;
    });
    await until(() => ranAfterCommit.length > 0);
    expect(ranAfterCommit).toEqual([true]);
  });
}

function describeRetries({ queue, another }: Opened): void {
  test('a failing job is retried up to its limit, knows its last attempt, and is given up exactly once', async () => {
    const kind = newKind({ retryLimit: 2 });
    const attempts: [number, boolean][] = [];
    const givenUp: Payload[] = [];
    const handler = async (_payload: Payload, { attempt, lastAttempt }: JobContext) => {
      attempts.push([attempt, lastAttempt]);
      throw new Error('again');
    };
    await queue().work(kind, handler, { givenUp: async (payload) => void givenUp.push(payload) });
    await queue().enqueue(kind, { n: 5 });
    await until(() => givenUp.length > 0);
    await wait(700);
    expect(attempts).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
    expect(givenUp).toEqual([{ n: 5 }]);
  });

  test('an outage of something that a job needs uses up no attempt, however often it happens', async () => {
    const kind = newKind({ retryLimit: 0 });
    const attempts: { attempt: number; wait: number | undefined }[] = [];
    let givenUp = 0;
    const handler = async (_payload: Payload, { attempt, waitSeconds }: JobContext) => {
      attempts.push({ attempt, wait: waitSeconds });
      if (attempts.length < 4)
        throw new DocentError('dependency_unavailable', 'The store is away.');
    };
    await queue().work(kind, handler, {
      givenUp: async () => {
        givenUp += 1;
      },
    });
    await queue().enqueue(kind, { n: 1 });
    await until(async () => attempts.length === 4 && (await queue().depth())[kind.name] === 0);
    const [first = 0, second = 0] = attempts.map(({ wait }) => wait ?? 0);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
    expect(second).toBe(2 * first);
    expect(givenUp).toBe(0);
  });

  test('a job that has waited as long as it may fails as by any other error', async () => {
    const impatient = await another({ ...quickWaits, totalSeconds: 0 });
    const kind = newKind({ retryLimit: 0 });
    const waits: (number | undefined)[] = [];
    let givenUp = 0;
    const handler = async (_payload: Payload, { waitSeconds }: JobContext) => {
      waits.push(waitSeconds);
      throw new DocentError('dependency_unavailable', 'The store is away.');
    };
    await impatient.work(kind, handler, {
      givenUp: async () => {
        givenUp += 1;
      },
    });
    await impatient.enqueue(kind, { n: 1 });
    await until(() => givenUp === 1);
    expect(waits).toEqual([undefined]);
  });

  test('a job that succeeds on its second attempt is not given up', async () => {
    const kind = newKind({ retryLimit: 1 });
    let succeeded = 0;
    let givenUp = 0;
    const handler = async (_payload: Payload, { attempt }: JobContext) => {
      if (attempt === 1) throw new Error('again');
      succeeded += 1;
    };
    await queue().work(kind, handler, {
      givenUp: async () => {
        givenUp += 1;
      },
    });
    await queue().enqueue(kind, { n: 1 });
    await until(() => succeeded === 1);
    await wait(2500);
    expect({ succeeded, givenUp }).toEqual({ succeeded: 1, givenUp: 0 });
  });

  test('a job with an invalid payload never reaches the handler and does not block others of its kind', async () => {
    const kind = newKind();
    const seen: number[] = [];
    await queue().work(kind, async ({ n }) => void seen.push(n));
    await queue().enqueue(kind, { n: 'seven' } as unknown as Payload);
    await queue().enqueue(kind, { n: 8 });
    await until(() => seen.length > 0);
    expect(seen).toEqual([8]);
  });
}

function describeClosing({ queue, another }: Opened): void {
  test('closing aborts a running job and returns it to the queue without using up an attempt', async () => {
    const kind = newKind({ retryLimit: 0 });
    const first = await another();
    const started = Promise.withResolvers<void>();
    let lastAfterAbort: boolean | undefined;
    await first.work(kind, async (_payload, context) => {
      started.resolve();
      await untilAborted(context).finally(() => {
        lastAfterAbort = context.lastAttempt;
      });
    });
    await first.enqueue(kind, { n: 3 });
    await started.promise;
    const startedAt = Date.now();
    await first.close();
    expect(Date.now() - startedAt).toBeLessThan(5000);
    expect(lastAfterAbort).toBe(false);
    const attempts: number[] = [];
    await queue().work(kind, async (_payload, { attempt }) => void attempts.push(attempt));
    await until(() => attempts.length > 0);
    expect(attempts).toEqual([1]);
  });

  test('a job that succeeds while the queue closes does not run again', async () => {
    const kind = newKind();
    const first = await another();
    const started = Promise.withResolvers<void>();
    let runs = 0;
    await first.work(kind, async () => {
      started.resolve();
      await wait(300);
      runs += 1;
    });
    await first.enqueue(kind, { n: 1 });
    await started.promise;
    await first.close();
    await queue().work(kind, async () => {
      runs += 1;
    });
    await wait(700);
    expect(runs).toBe(1);
  });

  test('a job that ignores the abort signal does not delay closing and is returned to the queue', async () => {
    const kind = newKind();
    const first = await another();
    const started = Promise.withResolvers<void>();
    await first.work(kind, async () => {
      started.resolve();
      await wait(60_000);
    });
    await first.enqueue(kind, { n: 1 });
    await started.promise;
    await Promise.all([first.close(), first.close()]);
    let runs = 0;
    await queue().work(kind, async () => {
      runs += 1;
    });
    await until(() => runs === 1);
  });

  test('a closed queue starts no more jobs', async () => {
    const kind = newKind();
    const first = await another();
    let runs = 0;
    await first.work(kind, async () => {
      runs += 1;
    });
    await first.close();
    await queue().enqueue(kind, { n: 1 });
    await wait(700);
    expect(runs).toBe(0);
  });
}
