import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../../../../test/support/people.ts';
import { cookiesIn, openPrivateSite } from '../../../../../test/support/private-site.ts';
import { readerMailJob } from '../../ports/jobs.ts';
import type { Mail } from '../../ports/mailer.ts';
import { sendReaderMail } from '../sign-in/mail-links.ts';

let site: Awaited<ReturnType<typeof openPrivateSite>>;
let count = 0;

beforeAll(async () => {
  const env = { DOCENT_SMTP_URL: 'smtp://127.0.0.1:1', DOCENT_MAIL_FROM: 'docs@acme.example' };
  site = await openPrivateSite('mailed', { env });
});
afterAll(() => site.close());
beforeEach(async () => {
  site.deps.jobs.added.splice(0);
  await site.change({ visibility: 'private', password: null, members: null, mail: {} });
});

const newAddress = () => `reader-${++count}@acme.example`;
async function invite(address: string, groups: string[] = []): Promise<{ id: string }> {
  const answer = await site.call('POST', 'readers', { address, groups });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}
const request = (email: string, more: Record<string, string> = {}) =>
  site.send('/login/mail', { email, redirect: '/guides/install?a=1' }, more);

/** Sends the queued mail. */
async function sent(): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: async () => {} };
  for (const { name, payload } of site.deps.jobs.added.splice(0))
    if (name === readerMailJob.name)
      await sendReaderMail({ ...site.deps, mailer }, readerMailJob.parse(payload));
  return mails;
}
const addressIn = ({ text }: Mail): URL => new URL(/http\S+mail-link\S+/.exec(text)?.[0] ?? '');
const use = (address: URL, more: Record<string, string> = {}) =>
  site.send('/login/mail-link', { token: address.searchParams.get('token') ?? '' }, more);

/** Requests a link, opens it, and presses its button. */
async function signIn(email: string) {
  await request(email);
  const mails = await sent();
  expect(mails.map(({ to }) => to)).toEqual([email.toLowerCase()]);
  return use(addressIn(mails[0] as Mail));
}
async function groupsOf(headers: Record<string, unknown>) {
  site.deps.clock.advance(3);
  const [, token = ''] = /docent-reader-\w+=([\w-]+)/.exec(cookiesIn(headers).cookie) ?? [];
  return (await site.deps.readerSessions.find(site.siteId, token))?.reader.groups;
}

describe('an invited reader', () => {
  it('signs in with a link by mail, once, and goes where they wanted to; opening it uses nothing up', async () => {
    const email = newAddress();
    await invite(email, ['partners']);
    expect(await sent()).toMatchObject([{ to: email, subject: 'You can read "Acme <Docs> & Co"' }]);
    expect((await site.visit('/login')).body).toContain('action="/login/mail"');
    expect((await request(email.toUpperCase())).statusCode).toBe(200);
    // The queue contains no secret.
    expect(JSON.stringify(site.deps.jobs.added)).not.toContain('token');
    const [mail] = await sent();
    const address = addressIn(mail as Mail);
    for (let scan = 0; scan < 3; scan += 1) {
      const opened = await site.visit(address.pathname + address.search);
      expect([opened.statusCode, opened.headers['set-cookie']]).toEqual([200, undefined]);
      expect(opened.body).toContain('<button type="submit">Sign in</button>');
    }
    const both = await Promise.all([use(address), use(address)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([303, 403]);
    const response = both.find(({ statusCode }) => statusCode === 303);
    expect(response?.headers.location).toBe('/guides/install?a=1');
    const cookies = cookiesIn(response?.headers ?? {});
    expect((await site.visit('/guides/install', cookies)).statusCode).toBe(200);
    expect(await groupsOf(response?.headers ?? {})).toEqual(['partners']);
    const { items } = (await site.call('GET', 'reader-sessions')).json();
    expect(items[0]).toMatchObject({ method: 'mail', name: email, groups: ['partners'] });
  });

  it('is not told apart from others by the answer nor by the work before it, and only they get mail', async () => {
    const email = newAddress();
    const stranger = email.replace('acme', 'evil');
    await invite(email);
    await sent();
    const { deps } = site;
    const executeQuery = vi.spyOn(deps.database.queries.getExecutor(), 'executeQuery');
    const resultsOf = async (address: string) => {
      executeQuery.mockClear();
      const { statusCode, headers, body } = await request(address);
      const queries = executeQuery.mock.calls.map(([{ sql, parameters }]) => [sql, parameters]);
      const jobs = deps.jobs.added.splice(0);
      const { date: _, 'x-request-id': __, ...others } = headers;
      const results = JSON.stringify([statusCode, others, body, queries, jobs]);
      return JSON.parse(results.replaceAll(address, 'an address'));
    };
    try {
      // What the site itself needs is in memory after the first of them.
      await resultsOf(newAddress());
      const invited = await resultsOf(email);
      expect(invited.slice(3)).toEqual([[expect.anything()], [expect.anything()]]);
      expect(await resultsOf(stranger)).toEqual(invited);
    } finally {
      executeQuery.mockRestore();
    }
    await request(stranger);
    await request(email);
    expect((await sent()).map(({ to }) => to)).toEqual([email]);
  });

  it.each(['eve@evil-acme.example', 'eve@sub.domain.example', 'eve@domain.example.evil.example'])(
    'of a domain has exactly that domain: not %s',
    async (email) => {
      await invite('domain.example', ['domain']);
      expect(await groupsOf((await signIn('ada@domain.example')).headers)).toEqual(['domain']);
      await request(email);
      expect(await sent()).toEqual([]);
    },
  );

  it('uses no link after 15 minutes, of another site, forged, after the way ended, or when no longer invited', async () => {
    const email = newAddress();
    const { id } = await invite(email);
    await sent();
    const link = async () => {
      await request(email);
      return addressIn((await sent())[0] as Mail);
    };
    const late = await link();
    site.deps.clock.advance(15 * 60);
    expect((await use(late)).statusCode).toBe(403);
    const forged = new URL(late);
    forged.searchParams.set('token', 'forged');
    expect((await use(forged)).statusCode).toBe(403);
    const removed = await link();
    const ended = await link();
    await site.call('DELETE', `readers/${id}`);
    expect((await use(removed)).statusCode).toBe(403);
    await invite(email);
    await site.change({ password: { password: 'correct horse battery' }, mail: null });
    await site.change({ mail: {} });
    expect((await use(ended)).statusCode).toBe(403);
  });

  it('is signed out by being removed, and has other groups at once', async () => {
    const email = newAddress();
    const { id } = await invite(email, ['one']);
    await sent();
    const { headers } = await signIn(email);
    await invite('acme.example', ['all']);
    await invite(email, ['two']);
    expect(await groupsOf(headers)).toEqual(['two', 'all']);
    expect((await site.call('DELETE', `readers/${id}`)).statusCode).toBe(204);
    expect(await groupsOf(headers)).toEqual(['all']);
    const { items } = (await site.call('GET', 'readers')).json();
    for (const entry of items) await site.call('DELETE', `readers/${entry.id}`);
    expect(await groupsOf(headers)).toBeUndefined();
    expect((await site.call('GET', 'reader-sessions')).json().items).toEqual([]);
    expect((await site.call('DELETE', `readers/${id}`)).json().code).toBe('reader_not_found');
  });

  it('gets at most five links an hour, and forms of other sites send none', async () => {
    const email = newAddress();
    const statuses: number[] = [];
    for (let link = 0; link < 6; link += 1) statuses.push((await request(email)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await request(newAddress(), elsewhere)).statusCode).toBe(403);
    expect((await request('not an address')).body).toContain('Enter an email address');
  });
});

describe('the readers whom a site names', () => {
  it('give groups to members of the organization too, by address and by domain', async () => {
    await site.change({ members: {} });
    const { userId, headers } = await addMember(site.test, site.operator, 'viewer');
    const { email } = await site.deps.database.queries
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    const url = '/v1/projects/mailed/access/open?path=%2F';
    const opened = new URL((await site.app.inject({ url, headers })).json().url);
    const response = await site.visit(opened.pathname + opened.search);
    expect(await groupsOf(response.headers)).toEqual([]);
    await invite(email, ['staff']);
    await invite(email.split('@')[1] as string, ['everyone']);
    expect(await groupsOf(response.headers)).toEqual(['staff', 'everyone']);
  });

  it.each([
    { address: 'acme' },
    { address: '@acme.example' },
    { address: 'a b@acme.example' },
    { address: '' },
  ])('are refused without an address: %j', async (body) => {
    const refused = await site.call('POST', 'readers', body);
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, '/address']);
  });
});

it('a server that sends no mail refuses links by mail, and says what is missing', async () => {
  const other = await openPrivateSite('unmailed');
  try {
    const refused = await other.call('PATCH', 'access', { mail: {} });
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, '/mail']);
    expect(refused.json().detail ?? refused.body).toContain('DOCENT_SMTP_URL');
  } finally {
    await other.close();
  }
});
