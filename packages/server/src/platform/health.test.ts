import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  const [ready, health] = await Promise.all(
    ['/readyz', '/healthz'].map((url) => test.app.inject({ method: 'GET', url })),
  );
  expect([ready?.statusCode, ready?.headers.connection]).toEqual([503, 'close']);
  expect([health?.statusCode, health?.headers.connection]).toEqual([200, 'close']);
  leaving = false;
  expect((await test.app.inject({ method: 'GET', url: '/readyz' })).headers.connection).not.toBe(
    'close',
  );
});

it('a worker process serves health, readiness and metrics, but no API', async () => {
  const app = await buildProbesApp(test.deps, () => leaving);
  const status = async (url: string) => (await app.inject({ method: 'GET', url })).statusCode;
  expect(
    await Promise.all(['/healthz', '/readyz', '/metrics', '/v1/projects', '/'].map(status)),
  ).toEqual([200, 200, 200, 404, 404]);
  leaving = true;
  const refused = await app.inject({ method: 'GET', url: '/readyz' });
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'dependency_unavailable']);
  await app.close();
});

describe('while the database does not answer', () => {
  const never = () => new Promise<never>(() => {});
  const away = () => Promise.reject(new Error('Connection terminated'));

  it('readiness does not ask it, and names it once the check in the background has noticed', async () => {
    let pings = 0;
    let answer = async () => true;
    const ping = () => {
      pings += 1;
      return answer();
    };
    const database = { ...test.deps.database, ping };
    const app = await buildProbesApp(
      { ...test.deps, database, liveSites: { ...test.deps.liveSites, heldCount: 1 } },
      () => false,
    );
    const ready = async () => (await app.inject({ method: 'GET', url: '/readyz' })).json();
    const requests = 200;
    for (let request = 0; request < requests; request += 1)
      expect(await ready()).toEqual({ status: 'ok', unavailable: [] });
    expect(pings).toBeLessThan(requests / 2);
    answer = never;
    await expect.poll(ready).toEqual({ status: 'degraded', unavailable: ['database'] });
    await app.close();
  });

  it('metrics say so, and leave out what is counted in it', async () => {
    const queries = new Proxy(test.deps.database.queries, {
      get: () => () => {
        throw new Error('away');
      },
    });
    const database = { ...test.deps.database, queries, ping: away, execute: away };
    const jobs = { ...test.deps.jobs, depth: away };
    const app = await buildProbesApp({ ...test.deps, database, jobs }, () => false);
    const { statusCode, body } = await app.inject({ method: 'GET', url: '/metrics' });
    await app.close();
    expect(statusCode).toBe(200);
    expect(body).toMatch(/^docent_dependency_up\{dependency="database"\} 0$/m);
    expect(body).toMatch(/^docent_dependency_up\{dependency="blobs"\} 1$/m);
    expect(body).not.toMatch(/^docent_jobs_depth\{/m);
    expect(body).not.toMatch(/^docent_exports\{/m);
  });
});
