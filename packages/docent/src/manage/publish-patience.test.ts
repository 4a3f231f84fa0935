import { once } from 'node:events';
import http from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { fixtureSite } from '../../../../test/support/http.ts';
import { createApiClient } from '../kernel/api-client.ts';
import { createOutput } from '../kernel/output.ts';
import { publishSource, runPublish } from './publish.ts';

type Reply = { status: number; body?: object; headers?: Record<string, string> } | 'refuse';

let server: http.Server | undefined;
afterEach(() => server?.close());

const busy = (status: number, code: string): Reply => ({
  status,
  body: { code, detail: `It is ${code}.` },
  headers: { 'retry-after': '0' },
});

/**
 * A server that answers each path with these, one after the other; the last one again and again.
 */
async function serve(replies: Record<string, Reply[]>) {
  const seen: string[] = [];
  server = http.createServer((request, response) => {
    const path = `${request.method} ${(request.url ?? '').split('?')[0]}`;
    seen.push(path);
    request.resume().on('end', () => {
      const list = replies[path] ?? [];
      const reply = (list.length > 1 ? list.shift() : list[0]) ?? { status: 404 };
      if (reply === 'refuse') return void request.socket.destroy();
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      response.end(JSON.stringify(reply.body ?? {}));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return { api: createApiClient({ url: `http://127.0.0.1:${port}`, key: 'k' }), seen };
}

function recordedOutput() {
  const notes: string[] = [];
  return {
    notes,
    output: {
      ...createOutput({}),
      note: (text: string) => void notes.push(text),
      progress: () => {},
    },
  };
}

const STATUS = 'GET /v1/project/update-status/1';
const UPLOAD = 'PUT /v1/project/docs/source';
const success: Reply = {
  status: 200,
  body: { _id: '1', status: 'success', summary: '1 page', report: null },
};

test('publishing waits over a refusal, a limit, an unavailable proxy and a restart, and says so', async () => {
  const { api, seen } = await serve({
    'POST /v1/projects': [busy(503, 'dependency_unavailable'), { status: 201 }],
    [UPLOAD]: [
      busy(429, 'rate_limited'),
      busy(503, 'dependency_unavailable'),
      { status: 202, body: { statusId: '1' } },
    ],
    [STATUS]: [
      'refuse',
      { status: 502 },
      busy(503, 'dependency_unavailable'),
      busy(429, 'rate_limited'),
      success,
    ],
  });
  const { notes, output } = recordedOutput();
  expect(await publishSource(api, fixtureSite('small'), 'docs', output)).toMatchObject({
    status: 'success',
  });
  expect(seen.filter((path) => path === STATUS)).toHaveLength(5);
  expect(seen.filter((path) => path === UPLOAD)).toHaveLength(3);
  expect(notes.join('\n')).toContain('It is dependency_unavailable. Waiting …');
  expect(notes.join('\n')).toContain('It is rate_limited. Waiting …');
});

test('a pull request whose number the CI service does not say is never published live', async () => {
  const { api, seen } = await serve({});
  const { output } = recordedOutput();
  const env = {
    TF_BUILD: 'True',
    SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/better',
    BUILD_REPOSITORY_URI: 'https://dev.azure.com/acme/docs',
  };
  const publish = runPublish(
    api,
    output,
    fixtureSite('small'),
    { site: 'docs', pullRequests: true },
    env,
  );
  await expect(publish).rejects.toThrow('--preview');
  expect(seen).toEqual([]);
});

test('an address at which nobody answers is an error at once', async () => {
  const api = createApiClient({ url: 'http://127.0.0.1:1', key: 'k' });
  const { notes, output } = recordedOutput();
  await expect(publishSource(api, fixtureSite('small'), 'docs', output)).rejects.toThrow(
    'Could not reach',
  );
  expect(notes).toEqual([]);
});

test('what the server refuses permanently is not repeated', async () => {
  const { api, seen } = await serve({
    'POST /v1/projects': [{ status: 201 }],
    [UPLOAD]: [busy(403, 'quota_exceeded')],
  });
  await expect(
    publishSource(api, fixtureSite('small'), 'docs', recordedOutput().output),
  ).rejects.toThrow('quota_exceeded');
  expect(seen.filter((path) => path === UPLOAD)).toHaveLength(1);
});

test('the progress of a publish says how many builds come before it', async () => {
  const queued: Reply = {
    status: 200,
    body: { _id: '1', status: 'queued', queuePosition: 2, summary: '', report: null },
  };
  const { api } = await serve({
    'POST /v1/projects': [{ status: 201 }],
    [UPLOAD]: [{ status: 202, body: { statusId: '1' } }],
    [STATUS]: [queued, success],
  });
  const lines: string[] = [];
  const output = { ...recordedOutput().output, progress: (text: string) => void lines.push(text) };
  await publishSource(api, fixtureSite('small'), 'docs', output);
  expect(lines).toContain('Waiting for a worker, 2 before it …');
});
