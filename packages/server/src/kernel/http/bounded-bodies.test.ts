import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { Logger } from '../../ports/logger.ts';
import { type App, createBaseApp } from './base-app.ts';
import type { boundBodies } from './bounded-bodies.ts';

const MB = 1024 * 1024;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that holds what it reads until its answer is sent, and reports how much that is. */
async function serve(bodies: Parameters<typeof boundBodies>[1]) {
  const app = createBaseApp({ logger: recordingLogger().logger, bodies });
  app.addContentTypeParser('text/x', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/', { bodyLimit: 20 * MB }, async ({ body }) => ({ bytes: (body as Buffer).length }));
  return listen(app);
}

async function listen(app: App) {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const sockets: Socket[] = [];
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  /** Sends the start of a body, and stops. */
  const stall = async (bytes: number, headers = '') => {
    const socket = connect(port, '127.0.0.1');
    const sent = { socket, answer: '' };
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      sent.answer += chunk.toString();
    });
    await once(socket, 'connect');
    const head = `POST / HTTP/1.1\r\nhost: localhost\r\n${headers || 'content-type: text/x\r\n'}`;
    socket.write(`${head}content-length: ${bytes + 1}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes, 'x'));
    return sent;
  };
  return { url: `http://127.0.0.1:${port}/`, stall };
}

const post = (url: string, bytes: number) =>
  fetch(url, {
    method: 'POST',
    body: Buffer.alloc(bytes, 'y'),
    headers: { 'content-type': 'text/x' },
  });

test('the bodies that a process holds are bounded together, and small ones still pass while they are', async () => {
  const { url, stall } = await serve({ maxHeldBytes: 8 * MB });
  const stalled = await Promise.all(Array.from({ length: 20 }, () => stall(MB)));
  const refused = () => stalled.filter(({ answer }) => answer.startsWith('HTTP/1.1 503'));
  await vi.waitFor(() => expect(refused().length).toBeGreaterThanOrEqual(12), 20_000);
  expect((await post(url, 10_000)).status).toBe(200);
  expect((await post(url, 5 * MB)).status).toBe(503);
  for (const { socket } of stalled) socket.destroy();
  await vi.waitFor(async () => expect((await post(url, 3.5 * MB)).status).toBe(200), 20_000);
  // Whatever was held is counted once: the same again.
  for (let round = 0; round < 5; round += 1) expect((await post(url, 3.5 * MB)).status).toBe(200);
});

test('a client that holds all it may leaves room for another network with another key, and gets it back when it ends', async () => {
  const { url, stall } = await serve({
    maxHeldBytes: 8 * MB,
    trustedProxies: { kind: 'count', count: 1 },
  });
  const headersOf = (address: string, key: string) =>
    `content-type: text/x\r\nx-forwarded-for: ${address}\r\nauthorization: ${key}\r\n`;
  const sendAs = (address: string, key: string, bytes: number) =>
    fetch(url, {
      method: 'POST',
      body: Buffer.alloc(bytes, 'y'),
      headers: { 'content-type': 'text/x', 'x-forwarded-for': address, authorization: key },
    });
  const greedy = await Promise.all(
    Array.from({ length: 12 }, () => stall(MB, headersOf('192.0.2.1', 'one'))),
  );
  const refused = () => greedy.filter(({ answer }) => answer.startsWith('HTTP/1.1 503'));
  await vi.waitFor(() => expect(refused().length).toBeGreaterThanOrEqual(8), 20_000);
  // Neither another key from its network nor its key from another network gives it more.
  expect((await sendAs('192.0.2.1', 'two', MB)).status).toBe(503);
  expect((await sendAs('192.0.2.2', 'one', MB)).status).toBe(503);
  for (let round = 0; round < 5; round += 1)
    expect((await sendAs('192.0.2.2', 'two', 1.5 * MB)).status).toBe(200);
  for (const { socket } of greedy) socket.destroy();
  await vi.waitFor(
    async () => expect((await sendAs('192.0.2.1', 'one', 3.5 * MB)).status).toBe(200),
    20_000,
  );
});

test('a body that stalls is refused with 408 and its connection is closed', async () => {
  const { stall } = await serve({ pace: { minBytesPerSecond: 1024 * 1024, graceSeconds: 1 } });
  const stalled = await stall(10);
  await once(stalled.socket, 'close');
  expect(stalled.answer).toMatch(/^HTTP\/1\.1 408 /);
});

function recordingLogger() {
  const levels: string[] = [];
  const record = (level: string) => () => void levels.push(level);
  const logger = {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  } as unknown as Logger;
  return { levels, logger };
}

test('sixty connections that are closed in the middle of their body write no line of errors', async () => {
  const { levels, logger } = recordingLogger();
  const app = createBaseApp({ logger });
  let begun = 0;
  let ended = 0;
  app.addHook('onRequest', async (_request, reply) => {
    begun += 1;
    reply.raw.once('close', () => {
      ended += 1;
    });
  });
  app.post('/', async () => 'never');
  const { stall } = await listen(app);
  const json = 'content-type: application/json\r\n';
  const all = await Promise.all(Array.from({ length: 60 }, () => stall(1000, json)));
  await vi.waitFor(() => expect(begun).toBe(60), 20_000);
  for (const { socket } of all) socket.destroy();
  await vi.waitFor(() => expect(ended).toBe(60), 20_000);
  expect(levels).not.toContain('error');
});

test('a request with two Host headers is refused, because a proxy may have read the other one', async () => {
  const app = createBaseApp({ logger: recordingLogger().logger });
  app.post('/', async () => 'served');
  const { stall } = await listen(app);
  const twice = await stall(0, 'host: victim.example\r\n');
  await vi.waitFor(() => expect(twice.answer).toContain('more than one Host header'), 20_000);
  expect(twice.answer).toMatch(/^HTTP\/1\.1 400 /);
});

test('the rest of a body that is too large is read, so that its sender gets the answer and can go on', async () => {
  const app = createBaseApp({ logger: recordingLogger().logger });
  app.post('/', { bodyLimit: 1000 }, async () => 'served');
  app.get('/next', async () => 'the next answer');
  const { stall } = await listen(app);
  const json = 'content-type: application/json\r\n';
  const large = await stall(100_000, json);
  await vi.waitFor(() => expect(large.answer).toMatch(/^HTTP\/1\.1 413 /), 20_000);
  expect(large.answer).toContain('larger than 1000 bytes, the most that this operation accepts');
  expect(large.answer).not.toMatch(/connection: close/i);
  large.socket.write('x');
  large.socket.write('GET /next HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await vi.waitFor(() => expect(large.answer).toContain('the next answer'), 20_000);
});
