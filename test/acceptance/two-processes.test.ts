import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fetchLocal, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { postgresBin } from '../support/postgres.ts';
import type { RunningDocent } from '../support/start-docent.ts';
import { startTwoProcesses, type TwoProcesses } from '../support/two-processes.ts';

const LIMIT = 20;
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', content: 'How do I publish a site?' }],
};

describe.skipIf(postgresBin === undefined)('two processes on one PostgreSQL server', () => {
  let processes: TwoProcesses;
  let one: RunningDocent;
  let two: RunningDocent;

  beforeAll(async () => {
    processes = await startTwoProcesses({
      DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR: String(LIMIT),
    });
    ({ one, two } = processes);
  }, 300_000);
  afterAll(() => processes?.stop());

  const ask = (docent: RunningDocent) =>
    call(docent, one.assistantKey, 'POST', '/v2/assistant/docent/message', question);

  test('share a rate limit: request N + 1 of the window is the first to be rejected, on either process', async () => {
    const answers = await Promise.all(
      Array.from({ length: LIMIT }, (_, index) => ask(index % 2 === 0 ? one : two)),
    );
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(texts.every((text) => text.includes('[DONE]'))).toBe(true);
    const left = answers.map(({ headers }) =>
      Number(/"assistant-organization";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
    );
    expect(left.sort((a, b) => b - a)).toEqual(
      Array.from({ length: LIMIT }, (_, index) => LIMIT - 1 - index),
    );
    for (const docent of [two, one]) {
      const refused = await ask(docent);
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
        429,
        'rate_limited',
      ]);
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait > 3500 && wait <= 3600).toBe(true);
      expect(refused.headers.get('ratelimit')).toMatch(/"assistant-organization";r=0;t=\d+/);
      expect(refused.headers.get('ratelimit-policy')).toContain(
        `"assistant-organization";q=${LIMIT};w=3600`,
      );
    }
  });

  test('reject a key within seconds after one of them revokes it', async () => {
    const made = await call(one, one.adminKey, 'POST', '/v1/keys', {
      kind: 'admin',
      name: 'short',
      scopes: ['read'],
    });
    const { id, key } = (await made.json()) as { id: string; key: string };
    expect((await call(two, key, 'GET', '/v1/keys')).status).toBe(200);
    expect((await call(one, one.adminKey, 'DELETE', `/v1/keys/${id}`)).status).toBe(204);
    expect((await call(one, key, 'GET', '/v1/keys')).status).toBe(401);
    await expect
      .poll(async () => (await call(two, key, 'GET', '/v1/keys')).status, { timeout: 20_000 })
      .toBe(401);
  }, 180_000);

  test('let a reader who signed in at one of them read at the other, until the session ends there', async () => {
    const slug = `readers-${Date.now()}`;
    const site = await publishArchive(one, slug, tarball(fixtureSite('small')));
    expect(site.status, site.logs.join('\n')).toBe('success');
    const password = 'a shared password';
    const access = { visibility: 'private', password: { password } };
    const changed = await call(one, one.adminKey, 'PATCH', `/v1/projects/${slug}/access`, access);
    expect(changed.status, await changed.text()).toBe(200);
    const addressOf = ({ port }: RunningDocent) => `http://${slug}.localhost:${port}`;
    const read = (docent: RunningDocent, cookie: string) =>
      fetchLocal(`${addressOf(docent)}/guides/install`, {
        headers: { accept: 'text/html', cookie },
        redirect: 'manual',
      });
    const signIn = async () => {
      const origin = addressOf(one);
      const answer = await fetchLocal(`${origin}/login`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ password, redirect: '/guides/install' }).toString(),
        redirect: 'manual',
      });
      return answer.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
    };
    await expect.poll(async () => (await read(two, '')).status).toBe(303);
    await expect.poll(signIn).toContain('docent-reader');
    const cookie = await signIn();
    const page = await read(two, cookie);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    const sessions = `/v1/projects/${slug}/reader-sessions`;
    expect((await call(two, one.adminKey, 'DELETE', sessions)).status).toBeLessThan(300);
    expect((await read(two, cookie)).status).toBe(303);
    await expect.poll(async () => (await read(one, cookie)).status).toBe(303);
  }, 180_000);
});
