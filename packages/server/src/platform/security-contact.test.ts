import { afterAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/test-app.ts';

const opened: TestApp[] = [];
afterAll(() => Promise.all(opened.map((test) => test.close())));

async function appWith(env: Record<string, string>): Promise<TestApp> {
  const test = await openTestApp({ env });
  opened.push(test);
  return test;
}

it('a server whose operator named a contact has a security.txt, for less than a year', async () => {
  const { app, deps } = await appWith({ DOCENT_SECURITY_CONTACT: 'mailto:security@acme.example' });
  const answer = await app.inject({ url: '/.well-known/security.txt' });
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  const fields = new Map(
    answer.body
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/s) as [string, string]),
  );
  expect(fields.get('Contact')).toBe('mailto:security@acme.example');
  expect(fields.get('Canonical')).toBe(`${deps.config.publicUrl}/.well-known/security.txt`);
  const days =
    (new Date(fields.get('Expires') ?? '').getTime() - deps.clock.now().getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(100);
  expect(days).toBeLessThan(365);
});

it('a server without a contact has no security.txt, and says which setting is missing', async () => {
  const { app } = await appWith({});
  const answer = await app.inject({ url: '/.well-known/security.txt' });
  expect([answer.statusCode, answer.json().detail]).toEqual([
    404,
    expect.stringContaining('DOCENT_SECURITY_CONTACT'),
  ]);
});
