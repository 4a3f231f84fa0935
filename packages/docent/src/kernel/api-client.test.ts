import { once } from 'node:events';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createApiClient } from './api-client.ts';

let server: http.Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function clientOf(answer: http.RequestListener) {
  server = http.createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  return { url, api: createApiClient({ url, key: 'k' }) };
}

const late = { timeoutSeconds: 0.2 };
const error = (url: string) => ({
  code: 'dependency_unavailable',
  message: `There was no answer from ${url} for 0.2 seconds. Check the address and the log of the server, then try again.`,
});

test('a request that is never answered ends with an error that names the server and the limit', async () => {
  const { url, api } = await clientOf(() => {});
  await expect(api.request('GET', '/v1/keys', undefined, late)).rejects.toMatchObject(error(url));
});

test("a server may be silent for longer than Node.js's agent waits", async () => {
  const agent = http.globalAgent;
  http.globalAgent = new http.Agent({ timeout: 20 });
  try {
    const { api } = await clientOf(async (_, response) => {
      await setTimeout(200);
      response.end('{"keys":[]}');
    });
    expect(await api.request('GET', '/v1/keys')).toEqual({ keys: [] });
  } finally {
    http.globalAgent = agent;
  }
});

test('an answer that begins and never ends is too late as well', async () => {
  const { url, api } = await clientOf((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const writing = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(writing));
  });
  await expect(api.request('GET', '/v1/keys', undefined, late)).rejects.toMatchObject(error(url));
});

test('an upload may take longer than the limit while something is sent, and not while nothing is', async () => {
  const { url, api } = await clientOf((request, response) => {
    if (request.url === '/stalled') return;
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    request.on('end', () => response.end(JSON.stringify({ bytes })));
  });
  async function* source(end: AbortSignal) {
    do {
      yield Buffer.alloc(1000);
      await setTimeout(20);
    } while (!end.aborted);
  }
  const limit = { timeoutSeconds: 2 };
  const upload = source(AbortSignal.timeout(limit.timeoutSeconds * 1000 + 100));
  expect(await api.request('PUT', '/', undefined, { upload, ...limit })).toEqual({
    bytes: expect.any(Number),
  });
  await expect(
    api.request('PUT', '/stalled', undefined, { upload: source(AbortSignal.abort()), ...late }),
  ).rejects.toMatchObject(error(url));
});
