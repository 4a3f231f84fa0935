import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { sendMail } from '../accounts/send-mail.ts';
import { sendMailJob } from '../ports/jobs.ts';
import type { Mail } from '../ports/mailer.ts';

let test: TestApp;
let operator: Actor;
let owner: Awaited<ReturnType<typeof addMember>>;

beforeEach(async () => {
  test = await openTestApp({
    env: { DOCENT_SMTP_URL: 'smtp://127.0.0.1:9', DOCENT_MAIL_FROM: 'docs@acme.example' },
  });
  operator = await addOrganization(test);
  owner = await addMember(test, operator, 'owner');
});
afterEach(() => test.close());

async function call(
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  payload?: object,
  headers: Record<string, string> = owner.headers,
) {
  const response = await callDeclared(test.app, {
    method,
    url,
    headers,
    ...(payload && { payload }),
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

const invite = (email: string, headers = owner.headers) =>
  call('POST', '/v1/organization/invitations', { email, role: 'viewer' }, headers);

async function sent(): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: async () => {} };
  for (const { name, payload } of test.deps.jobs.added.splice(0))
    if (name === sendMailJob.name)
      await sendMail({ ...test.deps, mailer }, sendMailJob.parse(payload));
  return mails;
}

it('an organization sends 20 invitations a day, and then learns when it can go on', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 21; count += 1)
    statuses.push((await invite(`person${count}@example.net`)).status);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
  const refused = await invite('another@example.net');
  expect(refused.body.code).toBe('rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3600);
  expect(await sent()).toHaveLength(20);
  const { headers } = await addMember(test, await addOrganization(test), 'owner');
  expect((await invite('another@example.net', headers)).status).toBe(201);
});

it('an organization sends three invitations a day to one address, however it is written, and uses up nobody else’s', async () => {
  const addresses = [
    'grace@example.net',
    'Grace@example.net',
    'GRACE@EXAMPLE.NET',
    'grace@example.net',
  ];
  const statuses: number[] = [];
  for (const address of addresses) statuses.push((await invite(address)).status);
  expect(statuses).toEqual([201, 201, 201, 429]);
  // Only the newest of the three links works, so only it is mailed.
  expect(await sent()).toHaveLength(1);
  const { headers } = await addMember(test, await addOrganization(test), 'owner');
  expect((await invite('grace@example.net', headers)).status).toBe(201);
});

it('no name of a person or an organization has control characters, a second line or an address', async () => {
  const names = [
    'Acme\r\nPay now',
    'Acme\u0007',
    'See https://evil.example',
    'Acme\u2028Pay',
    '\u202eemcA',
  ];
  for (const name of names) {
    for (const [method, url] of [
      ['PATCH', '/v1/organization'],
      ['POST', '/v1/auth/update-user'],
    ] as const) {
      const refused = await call(method, url, { name });
      expect([refused.status, refused.body.errors?.[0].path], JSON.stringify(name)).toEqual([
        400,
        '/name',
      ]);
    }
  }
  expect(
    (await call('PATCH', '/v1/organization', { name: 'Müller & Søn: 株式会社 👩‍💻' })).status,
  ).toBe(200);
});

it('the mail of an invitation has the name of the organization in quotation marks, and nothing else that a stranger wrote', async () => {
  const name = 'Parcel"\r\n\r\nPay at https://evil.example now';
  const { queries } = test.deps.database;
  await queries
    .updateTable('organizations')
    .set({ name })
    .where('id', '=', operator.organizationId)
    .execute();
  await queries
    .updateTable('users')
    .set({ name: 'Eve\n\nhttps://evil.example' })
    .where('id', '=', owner.userId)
    .execute();
  await invite('grace@example.net');
  const [mail] = await sent();
  expect(mail?.subject).toBe('Join "Parcel’ Pay at https evil.example now" on Docent');
  expect(mail?.text.match(/\w+:\/\/[^/\s]+/g)).toEqual(['http://localhost:3000']);
  const paragraphs = mail?.text.split('\n\n') ?? [];
  expect(paragraphs).toHaveLength(4);
  expect(paragraphs[0]).toBe(
    '"Eve https evil.example" invites you to work on the documentation of "Parcel’ Pay at https evil.example now", with the role "viewer".',
  );
});
