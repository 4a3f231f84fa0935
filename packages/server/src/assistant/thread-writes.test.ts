import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestDatabase } from '../../../../test/support/test-database.ts';
import type { NewMessage, NewThread } from '../kernel/db/conversation-rows.ts';
import type { ThreadWrite } from '../kernel/process-state.ts';
import type { Database } from '../ports/database.ts';
import { createThreadWrites } from './thread-writes.ts';

let database: Database;
beforeAll(async () => {
  database = await sharedTestDatabase();
  await database.execute(`INSERT INTO organizations (id, slug, name) VALUES ('o', 'o', 'o')`);
  await database.execute(
    `INSERT INTO sites (id, organization_id, slug, name) VALUES ('s', 'o', 's', 's')`,
  );
});
afterAll(() => database.close());

const createdAt = new Date('2026-11-20T12:00:00Z');
const counts = {
  model: null,
  inputTokens: null,
  outputTokens: null,
  outcome: null,
  firstTextMs: null,
  durationMs: null,
};
const message = (threadId: string, id: string): NewMessage => {
  return {
    ...counts,
    id: `${threadId}-${id}`,
    threadId,
    role: 'user',
    content: id,
    sources: [],
    status: 'complete',
    createdAt,
  };
};
const thread = (id: string, siteId = 's'): NewThread => ({
  id,
  siteId,
  fp: 'a',
  keyHash: 'h',
  createdAt,
});
const begin = (id: string, siteId?: string): ThreadWrite => ({
  thread: thread(id, siteId),
  message: message(id, '1'),
});
const stored = async (threadId: string) => {
  const { rows } = await database.execute(
    'SELECT content FROM messages WHERE thread_id = $1 ORDER BY position',
    [threadId],
  );
  return rows.map(({ content }) => content);
};

test('concurrent writes are stored in order, each thread with its messages', async () => {
  const writes = createThreadWrites({ database });
  const all: Promise<void>[] = [];
  for (let index = 0; index < 250; index++) all.push(writes.write(begin(`many-${index}`)));
  for (const id of ['2', '3', '4']) all.push(writes.write({ message: message('many-7', id) }));
  await Promise.all(all);
  expect(await stored('many-7')).toEqual(['1', '2', '3', '4']);
  expect(await stored('many-249')).toEqual(['1']);
});

test('a message that replaces another is stored in its place, with or without the later messages', async () => {
  const writes = createThreadWrites({ database });
  void writes.write(begin('again'));
  for (const id of ['2', '3']) void writes.write({ message: message('again', id) });
  void writes.write({ message: message('again', '2'), replaces: 'message-and-rest' });
  void writes.write({ message: message('again', '4') });
  await writes.write({ message: message('again', '1'), replaces: 'message' });
  expect(await stored('again')).toEqual(['2', '4', '1']);
});

test('a write that fails because its site was deleted does not affect others', async () => {
  const writes = createThreadWrites({ database });
  const results = await Promise.allSettled(
    ['good-1', 'bad', 'good-2'].map((id) => writes.write(begin(id, id === 'bad' ? 'gone' : 's'))),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([await stored('good-1'), await stored('good-2')]).toEqual([['1'], ['1']]);
});

test('a settled thread is stored, and closing waits for answers that are still being written', async () => {
  const writes = createThreadWrites({ database });
  void writes.write(begin('late'));
  await writes.settled('late');
  expect(await stored('late')).toEqual(['1']);
  const isStored = writes.expect();
  let closed = false;
  const closing = writes.close().then(() => {
    closed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(closed).toBe(false);
  void writes.write({ message: message('late', '2') });
  isStored();
  await closing;
  expect(await stored('late')).toEqual(['1', '2']);
});

test('messages written while the database is unavailable are stored in order and once when it is back', async () => {
  let isAway = true;
  const flaky = {
    get queries() {
      if (isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      return database.queries;
    },
  };
  const writes = createThreadWrites({ database: flaky as unknown as Database });
  const all = [writes.write(begin('away')), writes.write({ message: message('away', '2') })];
  await new Promise((resolve) => setImmediate(resolve));
  isAway = false;
  await Promise.all(all);
  // Simulates a lost acknowledgment: stored messages are sent again.
  await writes.write(begin('away'));
  expect(await stored('away')).toEqual(['1', '2']);
});

test('closing rejects messages that an unavailable database cannot store', async () => {
  const away = {
    get queries(): never {
      throw Object.assign(new Error('away'), { code: '57P01' });
    },
  };
  const writes = createThreadWrites({ database: away as unknown as Database });
  const rejected = expect(writes.write(begin('lost'))).rejects.toThrow('away');
  await writes.close();
  await rejected;
});
