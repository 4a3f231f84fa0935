import { expect, test } from 'vitest';
import { openClosers } from './closers.ts';
import type { Logger } from './ports/logger.ts';

function recordingLogger(warnings: object[]): Logger {
  const logger: Logger = { debug() {}, info() {}, error() {}, warn: (fields) => warnings.push(fields), child: () => logger };
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
