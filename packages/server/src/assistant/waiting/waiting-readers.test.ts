import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../../test/support/declared.ts';
import { fakeModel } from '../../../../../test/support/fakes.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../../test/support/test-app.ts';
import type { ChatPart } from '../../ports/chat-model.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { Mail } from '../../ports/mailer.ts';
import { findAnswered, tellReader } from './tell-readers.ts';
import { deleteExpiredWaiting } from './waiting-queries.ts';

const script: ChatPart[] = [
  { type: 'text', text: 'That is not here.\n<!-- status: not_in_docs -->' },
  { type: 'finish', reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } },
];
const QUESTION = 'How do I rotate the turbine?';
const ADDRESS = 'ada@example.org';
const DAY_MS = 86_400_000;

let test: TestApp;
let operator: Actor;
let admin: Record<string, string>;
let slug: string;
let siteId: string;
let sites = 0;
const sent: Mail[] = [];

beforeAll(async () => {
  test = await openTestApp({
    model: fakeModel(script),
    env: { DOCENT_LIMIT_ASSISTANT_PER_IP_DAY: '1000' },
  });
  test.deps.mailer = {
    async send(mail) {
      sent.push(mail);
    },
    async close() {},
  };
  operator = await addOrganization(test);
  admin = (await addKey(test, operator, { kind: 'admin' })).headers;
});
afterAll(() => test.close());
beforeEach(async () => {
  sites += 1;
  slug = `waiting-${sites}`;
  ({ siteId } = await addSite(test, operator, slug, ['guides/turbine']));
  await change({ tellsReaders: true });
  sent.length = 0;
  test.deps.jobs.added.length = 0;
});

const change = (payload: object) =>
  callDeclared(test.app, {
    method: 'PATCH',
    url: `/v1/project/${slug}/assistant-settings`,
    headers: admin,
    payload,
  });
const onSite = (path: string, payload?: object) =>
  test.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/_docent/assistant/${path}`,
    remoteAddress: `203.0.113.${sites}`,
    headers: { host: `${slug}.localhost`, 'sec-fetch-site': 'same-origin' },
    ...(payload && { payload }),
  });

/** Asks a question, and returns what the panel knows of its answer. */
async function ask(text = QUESTION) {
  const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }];
  const { body } = await onSite('message', { fp: 'a', messages });
  const chunks = body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
  const start = chunks.find(({ type }) => type === 'start');
  const { waitDays } = chunks.find(({ type }) => type === 'finish').messageMetadata;
  return {
    waitDays,
    answer: { threadId: start.messageMetadata.threadId, messageId: start.messageId },
  };
}
const wait = async (email: string | null = ADDRESS, text?: string) => {
  const { answer } = await ask(text);
  const { statusCode } = await onSite('waiting', { ...answer, email });
  return { ...answer, statusCode };
};
const rows = () =>
  test.deps.database.queries
    .selectFrom('waiting_readers')
    .selectAll()
    .where('site_id', '=', siteId)
    .execute();
const close = async (questions: string[], page = '/guides/turbine') =>
  callDeclared(test.app, {
    method: 'POST',
    url: `/v1/analytics/${slug}/assistant/questions/close`,
    headers: admin,
    payload: { questions, page },
  });
/** Sends the mail of all readers who are to be told. */
async function sendMail(): Promise<void> {
  for (const { name, payload } of test.deps.jobs.added.splice(0))
    if (name === 'tell-reader')
      await tellReader(test.deps, (payload as { messageId: string }).messageId);
}

describe('a reader whose question is not in the docs', () => {
  it('is told once, with the page, when an owner says that it is answered; then the address is gone', async () => {
    expect((await wait()).statusCode).toBe(204);
    await wait('bob@example.org', 'rotate turbines');
    await wait('eve@example.org', 'How do I paint the mast?');
    expect(JSON.stringify(await rows())).not.toContain('example.org');
    const listed = await callDeclared(test.app, {
      method: 'GET',
      url: `/v1/analytics/${slug}/assistant/questions?only=not_in_docs`,
      headers: admin,
    });
    expect(listed.json().questions).toMatchObject([
      { count: 2, waiting: 2 },
      { count: 1, waiting: 1 },
    ]);
    expect((await close([QUESTION], '/no-such-page')).json().code).toBe('page_not_found');
    expect((await close([QUESTION])).json()).toEqual({ told: 2 });
    expect((await close([QUESTION])).json()).toEqual({ told: 0 });
    await sendMail();
    expect(sent.map(({ to }) => to).sort()).toEqual([ADDRESS, 'bob@example.org']);
    const { text } = sent.find(({ to }) => to === ADDRESS) as Mail;
    expect(text).toContain(QUESTION);
    expect(text).toContain(`http://${slug}.localhost:3000/guides/turbine`);
    expect(await rows()).toHaveLength(1);
  });

  it('is told without the page, if not everybody may read it', async () => {
    await wait();
    const live = (await test.deps.liveSites.find(slug)) as LiveSite;
    const whole = { ...live };
    Object.assign(live, { build: { ...live.build, pages: [] }, as: () => whole });
    expect((await close([QUESTION])).json()).toEqual({ told: 1 });
    await sendMail();
    expect(sent.map(({ to }) => to)).toEqual([ADDRESS]);
    expect(JSON.stringify(sent)).not.toContain('guides/turbine');
    expect(sent[0]?.text).toContain(`Sign in and ask again:\n\nhttp://${slug}.localhost:3000\n`);
    expect(await rows()).toEqual([]);
  });

  it('is told when a deployment answers a test question in the same words', async () => {
    await wait();
    const { queries } = test.deps.database;
    const deployment = await queries
      .selectFrom('sites')
      .select('live_deployment_id')
      .where('id', '=', siteId)
      .executeTakeFirstOrThrow();
    const deploymentId = deployment.live_deployment_id as string;
    const report = async (isAnswered: boolean) => {
      const results = [{ question: 'rotating the turbine', isAnswered, pages: ['guides/turbine'] }];
      await queries
        .updateTable('deployments')
        .set({ report: JSON.stringify({ diagnostics: [], questions: { results } }) })
        .where('id', '=', deploymentId)
        .execute();
      await findAnswered(test.deps, { siteId, deploymentId });
      await sendMail();
    };
    await report(false);
    expect(sent).toEqual([]);
    await report(true);
    await report(true);
    expect(sent).toHaveLength(1);
    expect(await rows()).toEqual([]);
  });

  it('takes the address back in the panel, and by the link in the mail, which only a button follows', async () => {
    const answer = await wait();
    await onSite('waiting', { ...answer, email: null });
    expect(await rows()).toEqual([]);
    await wait();
    await wait(ADDRESS, 'How do I paint the mast?');
    await wait('eve@example.org', 'How do I paint the rotor?');
    await close([QUESTION]);
    await sendMail();
    const link = /http\S+forget-address\S+/.exec(sent[0]?.text ?? '')?.[0] as string;
    const { pathname } = new URL(link);
    const open = (method: 'GET' | 'POST') =>
      test.app.inject({
        method,
        url: pathname,
        headers: {
          host: `${slug}.localhost`,
          ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
      });
    expect((await open('GET')).body).toContain('Delete my address');
    expect(await rows()).toHaveLength(2);
    expect((await open('POST')).body).toContain('Your address is deleted');
    expect(await rows()).toHaveLength(1);
  });

  it('is not asked for an address unless the owners and the operator want it, and an answer is missing', async () => {
    expect((await ask()).waitDays).toBe(90);
    await change({ retentionDays: 3650 });
    expect((await ask()).waitDays).toBe(180);
    script[0] = { type: 'text', text: 'Turn it.\n<!-- status: answered -->' };
    const { answer, waitDays } = await ask();
    script[0] = { type: 'text', text: 'That is not here.\n<!-- status: not_in_docs -->' };
    expect(waitDays).toBeUndefined();
    expect((await onSite('waiting', { ...answer, email: ADDRESS })).statusCode).toBe(404);
    const { mailer } = test.deps;
    test.deps.mailer = undefined;
    try {
      expect((await ask()).waitDays).toBeUndefined();
      expect((await wait()).statusCode).toBe(404);
    } finally {
      test.deps.mailer = mailer;
    }
    await wait();
    expect(await rows()).toHaveLength(1);
    await change({ tellsReaders: false });
    expect(await rows()).toEqual([]);
    expect((await ask()).waitDays).toBeUndefined();
    expect((await wait()).statusCode).toBe(404);
  });

  it('cannot flood the address of somebody else, nor leave what is none', async () => {
    for (let count = 0; count < 5; count++) expect((await wait()).statusCode).toBe(204);
    expect((await wait(ADDRESS.toUpperCase())).statusCode).toBe(429);
    expect((await wait('nobody')).statusCode).toBe(400);
    for (let count = 0; count < 5; count++) await wait(`reader-${count}@example.org`);
    expect((await wait('last@example.org')).statusCode).toBe(429);
  });

  it('is forgotten after the time that the panel says, and with the conversation', async () => {
    const { threadId } = await wait();
    await wait(ADDRESS, 'How do I paint the mast?');
    const { queries } = test.deps.database;
    await queries.deleteFrom('threads').where('id', '=', threadId).execute();
    expect(await rows()).toHaveLength(1);
    const after = (days: number) => new Date(test.deps.clock.now().getTime() + days * DAY_MS);
    await deleteExpiredWaiting(queries, after(89));
    expect(await rows()).toHaveLength(1);
    await deleteExpiredWaiting(queries, after(91));
    expect(await rows()).toEqual([]);
  });
});
