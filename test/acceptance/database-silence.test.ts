import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fixtureSite, getAs, publishArchive, tarball } from '../support/http.ts';
import { type MuteProxy, startMuteProxy } from '../support/mute-proxy.ts';
import { postgresBin, startPostgres, type TestPostgres } from '../support/postgres.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

const PERSON = { name: 'Ada', email: 'ada@acme.example', password: 'a long passphrase of Ada' };

describe.skipIf(postgresBin === undefined)('a process whose database is away', () => {
  let server: TestPostgres;
  let proxy: MuteProxy;
  let docent: RunningDocent & { setupUrl?: string };
  let cookie: string;

  beforeAll(async () => {
    server = await startPostgres();
    const url = new URL(await server.createDatabase());
    proxy = await startMuteProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    docent = await startDocent({
      env: { DOCENT_DATABASE: 'postgres', DOCENT_DATABASE_URL: url.href, DOCENT_LIMITER: 'memory' },
    });
    await publishArchive(docent, 'basic', tarball(fixtureSite('small')));
    const token = new URL(docent.setupUrl as string).searchParams.get('token');
    const setup = await send('POST', '/v1/setup', {
      token,
      ...PERSON,
      organization: { name: 'Acme' },
    });
    expect(setup.ok).toBe(true);
    cookie = cookieOf(setup);
    expect((await page()).status).toBe(200);
  }, 300_000);
  afterAll(async () => {
    await docent?.stop();
    proxy?.close();
    await server?.stop();
    await removeTemporaryFolders();
  });

  const cookieOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
  const send = (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ) =>
    fetch(`${docent.apiUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: docent.apiUrl, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const page = () => getAs(docent.port, `basic.localhost:${docent.port}`, '/guides/install');
  const list = () => call(docent, docent.adminKey, 'GET', '/v1/projects');

  test('answers the dashboard and a sign-in with 503 and Retry-After, never with 500, and recovers', async () => {
    // Without the signed copy, the session has to be read.
    const session = cookie
      .split('; ')
      .filter((pair) => !pair.includes('session_data'))
      .join('; ');
    await server.crash(async () => {
      const answers = await Promise.all([
        send('GET', '/v1/session', undefined, { cookie: session }),
        send('GET', '/v1/projects', undefined, { cookie: session }),
        send('POST', '/v1/auth/sign-in/email', { email: PERSON.email, password: PERSON.password }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
      for (const answer of answers)
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    });
    await expect
      .poll(async () => (await send('GET', '/v1/session', undefined, { cookie })).status, {
        timeout: 60_000,
      })
      .toBe(200);
  });

  test('goes on by itself when its connections went mute and new ones work, and is alive and serves pages meanwhile', async () => {
    await Promise.all(Array.from({ length: 30 }, list));
    expect(proxy.mute()).toBeGreaterThan(0);
    const during = list();
    expect((await page()).status).toBe(200);
    expect((await fetch(`${docent.apiUrl}/healthz`)).status).toBe(200);
    expect([200, 503]).toContain((await during).status);
    await expect.poll(async () => (await list()).status).toBe(200);
    expect((await publishArchive(docent, 'basic', tarball(fixtureSite('small')))).status).toBe(
      'success',
    );
  }, 180_000);
});
