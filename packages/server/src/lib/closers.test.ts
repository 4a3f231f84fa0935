import { expect, test, vi } from 'vitest';
import type { Logger } from '../ports/logger.ts';
import { openClosers } from './closers.ts';

function recordingLogger(warnings: object[]): Logger {
  const logger: Logger = {
    debug() {},
    info() {},
    error() {},
    warn: (fields) => warnings.push(fields),
    child: () => logger,
  };
  return logger;
}

test('phases are closed once in reverse order, and a failed phase does not stop the others', async () => {
  const order: string[] = [];
  const warnings: object[] = [];
  const closers = openClosers(recordingLogger(warnings));
  closers.add('database', async () => void order.push('database'));
  closers.add('queue', async () => {
    order.push('queue');
    throw new Error('stuck');
  });
  closers.add('server', async () => void order.push('server'));
  await Promise.all([closers.close(), closers.close()]);
  expect(order).toEqual(['server', 'queue', 'database']);
  expect(warnings).toEqual([{ phase: 'queue', reason: 'Error: stuck' }]);
});

test('phases that hang are left behind, and all together take no longer than 20 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const warnings: object[] = [];
    const closers = openClosers(recordingLogger(warnings));
    let isLastTried = false;
    closers.add('last', async () => {
      isLastTried = true;
    });
    for (let phase = 0; phase < 30; phase += 1)
      closers.add(`hanging ${phase}`, () => new Promise(() => {}));
    let isClosed = false;
    void closers.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(27_000);
    expect({ isLastTried, isClosed, left: warnings.length }).toEqual({
      isLastTried: true,
      isClosed: true,
      left: 30,
    });
  } finally {
    vi.useRealTimers();
  }
});
