import { afterAll, beforeAll, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { buildProbesApp } from './probes.ts';

let leaving = false;
let test: TestApp;
beforeAll(async () => {
  test = await openTestApp({ isLeaving: () => leaving });
});
afterAll(() => test.close());

it('a process that is shutting down reports that it is not ready, and closes its connections', async () => {
  expect((await callDeclared(test.app, { method: 'GET', url: '/readyz' })).statusCode).toBe(200);
  leaving = true;
  const [ready, health] = await Promise.all(['/readyz', '/healthz'].map((url) => test.app.inject({ method: 'GET', url })));
  expect([ready?.statusCode, ready?.headers.connection]).toEqual([503, 'close']);
  expect([health?.statusCode, health?.headers.connection]).toEqual([200, 'close']);
  leaving = false;
  expect((await test.app.inject({ method: 'GET', url: '/readyz' })).headers.connection).not.toBe('close');
});

it('a worker process serves health, readiness and metrics, but no API', async () => {
  const app = await buildProbesApp(test.deps, () => leaving);
  const status = async (url: string) => (await app.inject({ method: 'GET', url })).statusCode;
  expect(await Promise.all(['/healthz', '/readyz', '/metrics', '/v1/projects', '/'].map(status))).toEqual([
    200, 200, 200, 404, 404,
  ]);
  leaving = true;
  const refused = await app.inject({ method: 'GET', url: '/readyz' });
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'dependency_unavailable']);
  await app.close();
});
