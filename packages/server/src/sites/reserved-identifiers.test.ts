import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember } from '../../../../test/support/people.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { sendHostnameMail } from '../accounts/send-mail.ts';
import { checkHostname } from '../hostnames/check-hostname.ts';
import { hostnameMailJob } from '../ports/jobs.ts';
import type { Mail } from '../ports/mailer.ts';
import { freeIdentifiers } from './reserved-identifiers.ts';

const NAME = 'docs.victim.example';
const DAY = 24 * 3600;

let test: TestApp;
let victim: Record<string, string>;
let attacker: Record<string, string>;
let operator: Actor;

beforeEach(async () => {
  test = await openTestApp({
    env: {
      DOCENT_PUBLIC_URL: 'https://platform.example',
      DOCENT_SITES_DOMAIN: 'sites.example',
      DOCENT_SMTP_URL: 'smtp://127.0.0.1:9',
      DOCENT_MAIL_FROM: 'docs@platform.example',
    },
  });
  operator = await addOrganization(test);
  victim = (await addKey(test, operator, { kind: 'admin' })).headers;
  attacker = (
    await addKey(test, await addOrganization(test), { kind: 'admin', expiresInDays: null })
  ).headers;
  await addSite(test, operator, 'victim-docs');
});
afterEach(() => test.close());

async function call(
  headers: Record<string, string>,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
) {
  test.deps.clock.advance(1);
  const url = `/v1/projects${path}`;
  const response = await callDeclared(test.app, {
    method,
    url,
    headers,
    ...(payload && { payload }),
  });
  return { status: response.statusCode, body: response.body === '' ? {} : response.json() };
}

const create = async (headers: Record<string, string>, slug = 'victim-docs') => {
  const { status, body } = await call(headers, 'POST', '', { slug });
  return body.code ?? status;
};
const remove = (slug: string) => call(victim, 'DELETE', `/${slug}?confirm=${slug}`);
const point = (target: string | undefined) => {
  if (target === undefined) test.deps.dns.records.delete(`CNAME ${NAME}`);
  else test.deps.dns.records.set(`CNAME ${NAME}`, [target]);
};
const verify = async () =>
  (await call(victim, 'POST', `/victim-docs/hostnames/${NAME}/verify`)).body.status;

async function addVerified(slug = 'victim-docs') {
  point(`${slug}.sites.example`);
  await call(victim, 'POST', `/${slug}/hostnames`, { hostname: NAME });
  expect(await verify()).toBe('verified');
}

it('nobody else takes the identifier of a deleted site, and so no hostname whose CNAME still points to it', async () => {
  await addVerified();
  expect((await remove('victim-docs')).status).toBe(204);
  expect(await create(attacker)).toBe('site_exists');
  await create(attacker, 'other');
  expect((await call(attacker, 'PATCH', '/other', { slug: 'victim-docs' })).body.code).toBe(
    'site_exists',
  );
  expect(await create(victim)).toBe(201);
});

it('an identifier is free after 90 days, but not while a hostname points there or DNS gives no answer', async () => {
  await addVerified();
  await remove('victim-docs');
  const afterDays = async (days: number) => {
    test.deps.clock.advance(days * DAY);
    await freeIdentifiers(test.deps);
    return create(attacker);
  };
  expect(await afterDays(89)).toBe('site_exists');
  expect(await afterDays(2)).toBe('site_exists');
  test.deps.dns.down = true;
  point(undefined);
  expect(await afterDays(8)).toBe('site_exists');
  test.deps.dns.down = false;
  expect(await afterDays(2)).toBe(201);
});

it('former identifiers of a deleted site are reserved too, and one that nobody ever saw is free at once', async () => {
  await addVerified();
  await call(victim, 'PATCH', '/victim-docs', { slug: 'renamed' });
  await remove('renamed');
  expect([await create(attacker), await create(attacker, 'renamed')]).toEqual([
    'site_exists',
    'site_exists',
  ]);
  await create(victim, 'never-published');
  await remove('never-published');
  expect(await create(attacker, 'never-published')).toBe(201);
});

it('a proof that is missing is announced with the day on which the hostname stops working, and the end as well', async () => {
  const { email } = await addMember(test, operator, 'admin');
  await addMember(test, operator, 'editor');
  await addVerified();
  const { id: siteId } = await test.deps.database.queries
    .selectFrom('sites')
    .select('id')
    .where('slug', '=', 'victim-docs')
    .executeTakeFirstOrThrow();
  const shown = async () => (await call(victim, 'GET', '/victim-docs/hostnames')).body.hostnames[0];
  const mailed = async () => {
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void mails.push(mail), close: async () => {} };
    for (const { name, payload } of test.deps.jobs.added.splice(0))
      if (name === hostnameMailJob.name)
        await sendHostnameMail({ ...test.deps, mailer }, hostnameMailJob.parse(payload));
    return mails.map(({ to, subject }) => [to, subject]);
  };
  const checkAfter = async (days: number) => {
    test.deps.clock.advance(days * DAY);
    await checkHostname(test.deps, NAME, siteId);
    return mailed();
  };
  expect(await shown()).toMatchObject({ status: 'verified', lapsesAt: null });
  const provenAt = test.deps.clock.now().getTime();
  point(undefined);
  expect(await checkAfter(1)).toEqual([[email, `${NAME} will stop working`]]);
  const { status, lapsesAt } = await shown();
  expect([status, Math.round((Date.parse(lapsesAt) - provenAt) / (DAY * 1000))]).toEqual([
    'verified',
    7,
  ]);
  expect(await checkAfter(1)).toEqual([]);
  expect(await checkAfter(6)).toEqual([[email, `${NAME} stopped working`]]);
  expect(await shown()).toMatchObject({ status: 'failed', lapsesAt: null });
});
