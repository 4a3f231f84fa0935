import { randomBytes, randomUUID } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addOrganization, addSite, openTestApp } from '../../../../../test/support/test-app.ts';
import { createUlid, hashSecret } from '../../kernel/ids.ts';
import type { MethodName } from '../../ports/readers/reader-tables.ts';
import { storeAccess } from '../access/access-rows.ts';
import { createReaderSessions } from './reader-sessions.ts';
import { deleteReaderSession, insertReaderSession } from './session-rows.ts';
import { deleteSiteReader, upsertSiteReader } from './site-readers.ts';

const GENERATION = 'first';

let app: Awaited<ReturnType<typeof openTestApp>>;
let operator: Actor;
let siteId: string;
/** Of the process under test; what others do reaches it through the database alone. */
let sessions: ReturnType<typeof createReaderSessions>;
let queryCount: number;
let isAway: boolean;

beforeAll(async () => {
  app = await openTestApp();
  operator = await addOrganization(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  isAway = false;
  ({ siteId } = await addSite(app, operator, `s${randomUUID().slice(0, 8)}`));
  await setGeneration(GENERATION);
  const queries = app.deps.database.queries.withPlugin({
    transformQuery({ node }) {
      queryCount++;
      return node;
    },
    async transformResult({ result }) {
      if (isAway) throw new Error('The database is away.');
      return result;
    },
  });
  sessions = createReaderSessions({ ...app.deps, database: { ...app.deps.database, queries } });
});

const queries = () => app.deps.database.queries;

async function setGeneration(generation: string): Promise<void> {
  const methods = { mail: { generation }, password: { generation, hash: 'of a password' } };
  const access = { isPrivate: true, sessionDays: 7, methods } as Parameters<typeof storeAccess>[2];
  await storeAccess(queries(), siteId, access, app.deps.clock.now());
}

async function signIn(method: MethodName = 'password', name: string | null = null) {
  const now = app.deps.clock.now();
  const [id, token] = [createUlid(now), randomBytes(32).toString('base64url')];
  await insertReaderSession(queries(), {
    id,
    siteId,
    tokenHash: hashSecret(token),
    method,
    generation: GENERATION,
    userId: null,
    viewerSessionId: null,
    name,
    reader: { id: method, groups: [], content: {}, apiPlaygroundInputs: {} },
    createdAt: now,
    usedAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
  });
  return { id, token };
}

const groupsOf = async ({ token }: { token: string }) =>
  (await sessions.find(siteId, token))?.reader.groups;

/** Reads the session as its reader does who reads on, until two seconds have passed. */
async function twoSecondsOf(reader: { token: string }): Promise<void> {
  for (let step = 0; step < 4; step++) {
    app.deps.clock.advance(0.5);
    await groupsOf(reader);
  }
}

test('a session that ended here is refused by the very next request, also while it was being read', async () => {
  const reader = await signIn();
  expect(await groupsOf(reader)).toEqual([]);
  await deleteReaderSession(queries(), siteId, reader.id);
  sessions.invalidate(siteId);
  expect(await groupsOf(reader)).toBeUndefined();

  const other = await signIn();
  const earlier = groupsOf(other);
  sessions.invalidate(siteId);
  await deleteReaderSession(queries(), siteId, other.id);
  await earlier;
  expect(await groupsOf(other)).toBeUndefined();
});

test('a session that ended in another process is refused after two seconds, however much it is used', async () => {
  const [reader, other] = [await signIn(), await signIn()];
  expect([await groupsOf(reader), await groupsOf(other)]).toEqual([[], []]);
  await deleteReaderSession(queries(), siteId, reader.id);
  await twoSecondsOf(reader);
  expect([await groupsOf(reader), await groupsOf(other)]).toEqual([undefined, []]);
});

test('a session in memory ends at its time to the millisecond, without a query', async () => {
  const reader = await signIn();
  for (let second = 0; second < 59; second++) {
    app.deps.clock.advance(1);
    await groupsOf(reader);
  }
  expect(await groupsOf(reader)).toEqual([]);
  queryCount = 0;
  app.deps.clock.advance(0.999);
  expect(await groupsOf(reader)).toEqual([]);
  app.deps.clock.advance(0.001);
  expect(await groupsOf(reader)).toBeUndefined();
  expect(queryCount).toBeLessThanOrEqual(1);
});

test('another password in another process ends the sessions that are in memory after two seconds', async () => {
  const reader = await signIn();
  expect(await groupsOf(reader)).toEqual([]);
  await setGeneration('second');
  await twoSecondsOf(reader);
  expect(await groupsOf(reader)).toBeUndefined();
});

test('other groups of an address reach its session in memory, and the end of its invitation ends it', async () => {
  const reader = await signIn('mail', 'ada@example.com');
  const entry = { id: randomUUID(), address: 'example.com', createdAt: app.deps.clock.now() };
  await upsertSiteReader(queries(), siteId, { ...entry, groups: ['staff', 'plan'] });
  expect(await groupsOf(reader)).toEqual(['staff', 'plan']);
  await upsertSiteReader(queries(), siteId, { ...entry, groups: ['staff'] });
  await twoSecondsOf(reader);
  expect(await groupsOf(reader)).toEqual(['staff']);
  await deleteSiteReader(queries(), siteId, entry.id);
  await twoSecondsOf(reader);
  expect(await groupsOf(reader)).toBeUndefined();
});

test('all readers together need one query a second, and one each who comes back after minutes', async () => {
  const readers = await Promise.all(Array.from({ length: 20 }, () => signIn()));
  await Promise.all(readers.map(groupsOf));
  queryCount = 0;
  app.deps.clock.advance(1.5);
  for (const reader of readers) expect(await groupsOf(reader)).toEqual([]);
  app.deps.clock.advance(5);
  expect(await Promise.all(readers.map(groupsOf))).toEqual(readers.map(() => []));
  expect(queryCount).toBe(2);
});

test('a session is not read from memory once the database has been away for two seconds', async () => {
  const reader = await signIn();
  expect(await groupsOf(reader)).toEqual([]);
  isAway = true;
  app.deps.clock.advance(1.9);
  expect(await groupsOf(reader)).toEqual([]);
  app.deps.clock.advance(0.1);
  await expect(groupsOf(reader)).rejects.toThrow('The database is away.');
});
