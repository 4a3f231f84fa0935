import { createHash } from 'node:crypto';
import { defaultAssistantSettings } from '@docent/assistant/assistant-settings.ts';
import { hasZeroBits } from '@docent/assistant/bot-check.ts';
import type { Actor } from '@docent/format/access/may.ts';
import type { BuildReport } from '@docent/format/build/site-build.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  type FakeModel,
  fakeLiveSite,
  fakeModel,
  fakePage,
} from '../../../../test/support/fakes.ts';
import { addMember } from '../../../../test/support/people.ts';
import { searchDocument } from '../../../../test/support/publish-index.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import type { ChatPart } from '../ports/chat-model.ts';
import { createModelUsage, deleteOldModelUsage, estimatedUsage } from './model-usage.ts';
import { deleteExpiredThreads } from './thread-queries.ts';

const finish: ChatPart = {
  type: 'finish',
  reason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
};
let test: TestApp;
let operator: Actor;
/** What the model answers. */
const script: (ChatPart | Error)[] = [
  { type: 'text', text: 'Yes.\n<!-- status: answered -->' },
  finish,
];
let model: FakeModel;
let siteId: string;
let headers: Record<string, string>;
let admin: Record<string, string>;
let otherAdmin: Record<string, string>;

beforeAll(async () => {
  model = fakeModel(script);
  test = await openTestApp({
    model,
    env: { DOCENT_MODELS: '{"fast":{"model":"openai:x","apiKey":"k"}}' },
  });
  operator = await addOrganization(test);
  ({ siteId } = await addSite(test, operator, 'docs', ['guides/install']));
  headers = (await addKey(test, operator, { kind: 'assistant', site: 'docs' })).headers;
  admin = (await addKey(test, operator, { kind: 'admin' })).headers;
  otherAdmin = (await addKey(test, await addOrganization(test), { kind: 'admin' })).headers;
});
afterAll(() => test.close());
afterEach(() => change(defaultAssistantSettings));

const change = (payload: object, key = admin): Promise<LightMyRequestResponse> =>
  callDeclared(test.app, {
    method: 'PATCH',
    url: '/v1/project/docs/assistant-settings',
    headers: { 'content-type': 'application/json', ...key },
    payload,
  });

const read = (): Promise<LightMyRequestResponse> =>
  callDeclared(test.app, {
    method: 'GET',
    url: '/v1/project/docs/assistant-settings',
    headers: admin,
  });

const ask = (
  more: object = {},
  moreHeaders: Record<string, string> = {},
): Promise<LightMyRequestResponse> =>
  callDeclared(test.app, {
    method: 'POST',
    url: '/v2/assistant/docs/message',
    headers: { 'content-type': 'application/json', ...headers, ...moreHeaders },
    payload: {
      fp: 'a',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'install' }] }],
      ...more,
    },
  });

const shown = async () =>
  (
    await callDeclared(test.app, {
      method: 'GET',
      url: '/discovery/v1/assistant/docs/settings',
      headers,
    })
  ).json();

describe('the assistant settings of a site', () => {
  it('have defaults, and a change keeps the settings that it does not name', async () => {
    const first = await read();
    const shown = {
      ...defaultAssistantSettings,
      models: ['fast'],
      usesLanguageModel: false,
      tokensToday: 0,
      sendsMail: false,
    };
    expect(first.json()).toEqual(shown);
    await change({ starterQuestions: ['How do I install?'] });
    const changed = await change({ supportUrl: 'https://help.example.com' });
    expect(changed.json()).toEqual({
      ...shown,
      starterQuestions: ['How do I install?'],
      supportUrl: 'https://help.example.com',
    });
  });

  it.each([
    [{ retentionDays: 0 }, '/retentionDays'],
    [{ allowedOrigins: ['https://a.example/path'] }, '/allowedOrigins/0'],
    [{ supportUrl: 'javascript:alert(1)' }, '/supportUrl'],
    [{ model: 'nobody' }, '/model'],
    [{ instructions: 'x'.repeat(4001) }, '/instructions'],
    [{ instructions: 'a\u0000b' }, '/instructions'],
    [{ starterQuestions: ['\ud800'] }, '/starterQuestions/0'],
    [{ synonyms: [['team']] }, '/synonyms/0'],
    [{ synonyms: [['team', 'a phrase of five words']] }, '/synonyms/0/1'],
    [{ pageRules: [{ question: 'How do I?', pin: ['a'] }] }, '/pageRules/0/question'],
    [{ unknown: 1 }, ''],
  ])('reject %j with a pointer', async (payload, path) => {
    const response = await change(payload);
    expect([response.statusCode, response.json().errors[0].path]).toEqual([400, path]);
  });

  it('can be changed only with admin keys of the organization that owns the site', async () => {
    expect((await change({ enabled: false }, headers)).json().code).toBe('wrong_key_kind');
    expect((await change({ enabled: false }, otherAdmin)).json().code).toBe('site_not_found');
  });

  it('limit the tokens of a day: after that, pages are quoted, and the next day the model answers again', async () => {
    const used = async () => (await read()).json().tokensToday;
    const before = await used();
    await change({ tokensPerDay: before + 2 });
    const asked = model.requests.length;
    expect((await ask()).body).toContain('Yes.');
    expect(await used()).toBe(before + 2);
    expect(model.requests.length).toBe(asked + 1);
    const quoted = (await ask()).body;
    expect(quoted).not.toContain('Yes.');
    expect(quoted).toContain('guides/install');
    expect(model.requests.length).toBe(asked + 1);
    expect(await used()).toBe(before + 2);
    test.deps.clock.advance(24 * 3600);
    expect(await used()).toBe(0);
    expect((await ask()).body).toContain('Yes.');
  });

  it('send an event for each question that the documentation does not answer, and once that the tokens of a day are used up', async () => {
    const create = {
      method: 'POST' as const,
      url: '/v1/webhooks',
      headers: admin,
      payload: {
        name: 'Events',
        url: 'https://events.acme.example/x',
        events: ['question.unanswered', 'limit.reached'],
      },
    };
    const { id } = (await callDeclared(test.app, create)).json();
    const sent = async () => {
      const list = { method: 'GET' as const, url: `/v1/webhooks/${id}/deliveries`, headers: admin };
      const { items } = (await callDeclared(test.app, list)).json();
      return items.map((item: { event: string; message: object }) => [item.event, item.message]);
    };
    await ask();
    expect(await sent()).toEqual([]);
    const [answered] = script;
    script[0] = { type: 'text', text: 'It is not there.\n<!-- status: not_in_docs -->' };
    await ask();
    script[0] = answered as ChatPart;
    const question = expect.stringMatching(/\S/);
    const data = expect.objectContaining({ site: 'docs', question, threadId: question });
    expect(await sent()).toEqual([['question.unanswered', expect.objectContaining({ data })]]);
    await change({ tokensPerDay: 1 });
    await ask();
    await ask();
    const limit = expect.objectContaining({ site: 'docs', limit: 'assistant-tokens-per-day' });
    // Those of one moment have no order.
    const events = await sent();
    expect(events).toHaveLength(2);
    expect(events).toContainEqual(['limit.reached', expect.objectContaining({ data: limit })]);
  });

  it('count nothing for an answer that was quoted because the model failed', async () => {
    const before = (await read()).json().tokensToday;
    script.unshift(new Error('The provider is away.'));
    const body = (await ask()).body;
    script.shift();
    expect(body).toContain('guides/install');
    expect((await read()).json().tokensToday).toBe(before);
  });

  it('count questions of members who try the assistant, which are not stored, and those that a reader leaves', async () => {
    const usage = createModelUsage({ database: test.deps.database, clock: test.deps.clock });
    const texts = {
      instructions: 'x'.repeat(40),
      turns: [{ role: 'user' as const, text: 'abcd' }],
    };
    const estimate = estimatedUsage({ ...texts, passages: [] }, 'y'.repeat(10));
    expect(estimate).toEqual({ inputTokens: 11, outputTokens: 3 });
    await Promise.all([1, 2, 3].map(() => usage.add(siteId, 'fake', estimate)));
    expect(await usage.today(siteId)).toBe((await read()).json().tokensToday);
    const end = new Date(test.deps.clock.now().getTime() + 2 * 24 * 3600 * 1000);
    await deleteOldModelUsage(test.deps.database.queries, end);
    expect(await usage.today(siteId)).toBe(0);
  });

  it('contain instructions for a language model, which its next answer follows and no chat window sees', async () => {
    const instructions = 'Call our customers members.';
    expect((await change({ instructions })).json().instructions).toBe(instructions);
    await ask();
    expect(model.requests.at(-1)?.instructions).toContain(instructions);
    expect(JSON.stringify(await shown())).not.toContain(instructions);
    await change({ instructions: null });
    await ask();
    expect(model.requests.at(-1)?.instructions).not.toContain(instructions);
    expect((await change({ model: 'fast' })).json().usesLanguageModel).toBe(true);
  });

  it('expose to a chat window only what it needs', async () => {
    await change({ starterQuestions: ['How?'], model: 'fast' });
    expect(await shown()).toEqual({
      name: 'Test',
      siteUrl: 'http://docs.localhost:3000',
      enabled: true,
      starterQuestions: ['How?'],
      supportEmail: null,
      supportUrl: null,
      botCheck: null,
    });
  });
});

describe('an assistant', () => {
  it('rejects questions while it is switched off', async () => {
    await change({ enabled: false });
    expect((await ask()).json().code).toBe('assistant_disabled');
  });

  it('with allowed origins answers those and callers without an origin, but no other origins', async () => {
    await change({ allowedOrigins: ['https://app.example.com'] });
    expect((await ask({}, { origin: 'https://app.example.com' })).statusCode).toBe(200);
    expect((await ask()).statusCode).toBe(200);
    expect((await ask({}, { origin: 'https://evil.example' })).json().code).toBe(
      'origin_not_allowed',
    );
  });

  it('that requires thread keys continues a thread only with its key', async () => {
    await change({ requireThreadKey: true });
    const first = await ask();
    const threadId = first.headers['x-thread-id'];
    expect((await ask({ threadId })).json().code).toBe('thread_not_found');
    const next = await ask({ threadId, threadKey: first.headers['x-thread-key'] });
    expect([next.statusCode, next.headers['x-thread-id']]).toEqual([200, threadId]);
  });

  it('with a bot check accepts each valid proof of work once', async () => {
    await change({ botCheck: true });
    const { challenge, bits } = (await shown()).botCheck;
    let number = 0;
    while (!hasZeroBits(createHash('sha256').update(`${challenge}.${number}`).digest(), bits))
      number++;
    expect((await ask()).json().code).toBe('bot_check_failed');
    expect((await ask({ proof: `${challenge}.${number + 1}` })).json().code).toBe(
      'bot_check_failed',
    );
    expect((await ask({ proof: `${challenge.replace(/^../, 'zz')}.${number}` })).json().code).toBe(
      'bot_check_failed',
    );
    expect((await ask({ proof: `${challenge}.${number}` })).statusCode).toBe(200);
    expect((await ask({ proof: `${challenge}.${number}` })).json().code).toBe('bot_check_failed');
  });
});

it('a question that a member asks in the dashboard is answered and not stored', async () => {
  const { headers: session } = await addMember(test, operator, 'editor');
  const messages = ['install', 'Yes.', 'and publish?'].map((text, at) => {
    return {
      id: String(at),
      role: at === 1 ? 'assistant' : 'user',
      parts: [{ type: 'text', text }],
    };
  });
  const { queries } = test.deps.database;
  const count = async () => (await queries.selectFrom('messages').select('id').execute()).length;
  const before = await count();
  const own = await callDeclared(test.app, {
    method: 'POST',
    url: '/v2/assistant/docs/message',
    headers: { 'content-type': 'application/json', ...session },
    payload: { fp: 'dashboard', messages },
  });
  expect([own.statusCode, own.body.includes('Yes.')]).toEqual([200, true]);
  expect(model.requests.at(-1)?.turns.map(({ text }) => text)).toEqual([
    'install',
    'Yes.',
    'and publish?',
  ]);
  const reader = await ask();
  await test.deps.threadWrites.settled(String(reader.headers['x-thread-id']));
  expect((await count()) - before).toBe(2);
});

describe('the rules of search and answers', () => {
  it('take at most 16 KB, because browsers load them', async () => {
    const synonyms = Array.from({ length: 30 }, (_, family) =>
      Array.from({ length: 20 }, (_, word) => `${'w'.repeat(50)}${family}x${word}`),
    );
    const response = await change({ synonyms });
    expect([response.statusCode, response.json().errors[0].path]).toEqual([400, '/synonyms']);
  });

  const pageRules = [{ question: 'leave a squad', pin: ['limits'], block: ['hub'] }];
  const callRuled = (method: 'GET' | 'PATCH' | 'POST', url: string, payload?: object) =>
    callDeclared(test.app, {
      method,
      url,
      headers: { 'content-type': 'application/json', ...admin },
      ...(payload && { payload }),
    });
  const settings = '/v1/project/ruled/assistant-settings';

  beforeAll(async () => {
    const { siteId: id, deploymentId } = await addSite(test, operator, 'ruled');
    const paths = ['hub', 'limits', 'keys'];
    const index = loadSearchIndex(
      buildSearchIndex([
        searchDocument(
          'hub',
          'Leave a hub',
          'To leave a hub, open the hub and choose Leave. The hub stays for the others.',
        ),
        searchDocument('limits', 'Limits', 'A plan has limits for members.'),
        searchDocument('keys', 'API keys', 'To rotate an API key, run `acme keys rotate`.'),
      ]),
    );
    const { organizationId } = operator;
    const site = fakeLiveSite(
      { siteId: id, organizationId, slug: 'ruled', deploymentId },
      paths.map((path) => fakePage(path)),
    );
    const results = [
      { question: 'How do I leave a squad?', pages: ['hub'] },
      { question: 'How do I rotate an API key?', pages: ['keys'] },
      { question: 'From an older report?' },
    ];
    const report = { questions: { results } } as unknown as BuildReport;
    test.deps.liveSites.add({
      ...site,
      build: { ...site.build, report },
      searchIndex: async () => index,
    });
  });

  it('are tried by the test questions of the site before they are saved', async () => {
    const attempt = async (rules: object) =>
      (await callRuled('POST', `${settings}/try`, rules)).json();
    expect(await attempt({ synonyms: [['squad', 'hub']] })).toEqual({
      asked: 2,
      answeredBefore: 1,
      answeredAfter: 2,
      gained: ['How do I leave a squad?'],
      lost: [],
      unknownPages: [],
    });
    const blocked = { question: 'rotate key', pin: ['nowhere'], block: ['keys'] };
    expect(await attempt({ pageRules: [blocked] })).toMatchObject({
      gained: [],
      lost: ['How do I rotate an API key?'],
      unknownPages: ['nowhere'],
    });
    expect((await callRuled('GET', settings)).json()).toMatchObject({
      synonyms: [],
      pageRules: [],
    });
  });

  it('apply to the search and the answers of the site once they are saved, and no longer when removed', async () => {
    const key = (await addKey(test, operator, { kind: 'assistant', site: 'ruled' })).headers;
    const search = async (query: string) =>
      (
        await callDeclared(test.app, {
          method: 'POST',
          url: '/discovery/v1/search/ruled',
          headers: { 'content-type': 'application/json', ...key },
          payload: { query },
        })
      )
        .json()
        .map(({ path }: { path: string }) => path);
    const rules = { synonyms: [['squad', 'hub']], pageRules };
    expect((await callRuled('PATCH', settings, rules)).json()).toMatchObject(rules);
    test.deps.clock.advance(10);
    expect((await search('find my squad'))[0]).toBe('hub');
    expect(await search('leave the squad')).toEqual(['limits']);
    await callDeclared(test.app, {
      method: 'POST',
      url: '/v2/assistant/ruled/message',
      headers: { 'content-type': 'application/json', ...key },
      payload: {
        fp: 'a',
        messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'leave my squad' }] }],
      },
    });
    expect(model.requests.at(-1)?.passages.map(({ path, isPinned }) => [path, isPinned])).toEqual([
      ['limits', true],
    ]);
    await callRuled('PATCH', settings, { synonyms: [], pageRules: [] });
    test.deps.clock.advance(10);
    expect(await search('squad')).toEqual([]);
  });
});

describe('the replay of an answer', () => {
  it('answers its question with other settings, stores nothing and counts the tokens', async () => {
    const threadId = String((await ask()).headers['x-thread-id']);
    await test.deps.threadWrites.settled(threadId);
    const url = `/v1/analytics/docs/assistant/threads/${threadId}`;
    const thread = async () =>
      (await callDeclared(test.app, { method: 'GET', url, headers: admin })).json();
    const before = await thread();
    const replay = (payload: object, sender = admin) =>
      callDeclared(test.app, {
        method: 'POST',
        url: `${url}/replay`,
        headers: { 'content-type': 'application/json', ...sender },
        payload: { messageId: before.messages[1].id, ...payload },
      });
    const used = async () => (await read()).json().tokensToday;
    const usedBefore = await used();
    const again = (await replay({ instructions: 'Call them members.' })).json();
    expect(again).toMatchObject({
      role: 'assistant',
      content: 'Yes.',
      outcome: 'answered',
      model: 'fake',
      usage: { inputTokens: 1, outputTokens: 1 },
      basis: { lookups: [{ tool: 'search', input: 'install' }] },
    });
    expect(model.requests.at(-1)?.instructions).toContain('Call them members.');
    expect(model.requests.at(-1)?.turns).toEqual([{ role: 'user', text: 'install' }]);
    expect(await used()).toBe(usedBefore + 2);
    const quoted = (await replay({ model: 'extractive' })).json();
    expect(quoted.model).toBe('extractive');
    expect(quoted.content).toContain('guides/install');
    expect(await used()).toBe(usedBefore + 2);
    expect(await thread()).toEqual(before);
    expect((await replay({ model: 'nobody' })).json().code).toBe('invalid_request');
    expect((await replay({ messageId: 'none' })).json().code).toBe('thread_not_found');
    expect((await replay({}, otherAdmin)).json().code).toBe('site_not_found');
  });
});

describe('an experiment', () => {
  const send = (method: 'GET' | 'POST' | 'DELETE', payload?: object, query = '', sender = admin) =>
    callDeclared(test.app, {
      method,
      url: `/v1/project/docs/assistant-experiment${query}`,
      headers: { ...(payload && { 'content-type': 'application/json' }), ...sender },
      ...(payload && { payload }),
    });

  it('gives a share of the conversations other settings, counts the outcomes of both, and is ended or adopted', async () => {
    const started = await send('POST', { share: 50, instructions: 'Be brief.' });
    expect(started.json()).toMatchObject({
      experiment: { share: 50, settings: { instructions: 'Be brief.' }, other: { answers: 0 } },
    });
    const isOther: boolean[] = [];
    for (let turn = 0; turn < 60 && new Set(isOther).size < 2; turn++) {
      test.deps.clock.advance(1);
      const threadId = String((await ask()).headers['x-thread-id']);
      await test.deps.threadWrites.settled(threadId);
      isOther.push(model.requests.at(-1)?.instructions.includes('Be brief.') === true);
    }
    const { experiment } = (await send('GET')).json();
    const others = isOther.filter(Boolean).length;
    expect(others).toBeGreaterThan(0);
    expect(experiment.other).toMatchObject({ conversations: others, answered: others });
    expect(experiment.current).toMatchObject({
      conversations: isOther.length - others,
      answers: isOther.length - others,
      tokens: 2 * (isOther.length - others),
    });
    expect((await send('DELETE', undefined, '?adopt=true')).statusCode).toBe(204);
    expect((await read()).json().instructions).toBe('Be brief.');
    expect((await send('DELETE')).json().code).toBe('experiment_not_found');
    await send('POST', { share: 50, instructions: 'Be long.' });
    await send('DELETE');
    expect((await read()).json().instructions).toBe('Be brief.');
    await change({ instructions: null });
  });

  it('is refused without a setting, with a share of none or all, with an unknown model, and to others', async () => {
    await send('DELETE');
    for (const body of [{ share: 20 }, { share: 0, model: null }, { share: 100, model: null }])
      expect((await send('POST', body)).statusCode).toBe(400);
    expect((await send('POST', { share: 20, model: 'nobody' })).json().code).toBe(
      'invalid_request',
    );
    expect((await send('GET', undefined, '', otherAdmin)).json().code).toBe('site_not_found');
    expect((await send('GET')).json()).toEqual({ experiment: null });
  });
});

describe('the prompt of an answer', () => {
  it('is what the model gets for its question, and asks and counts nothing', async () => {
    const threadId = String((await ask()).headers['x-thread-id']);
    await test.deps.threadWrites.settled(threadId);
    const url = `/v1/analytics/docs/assistant/threads/${threadId}`;
    const thread = await callDeclared(test.app, { method: 'GET', url, headers: admin });
    const [request] = model.requests.slice(-1);
    const used = async () => (await read()).json().tokensToday;
    const before = [await used(), model.requests.length];
    const prompt = await callDeclared(test.app, {
      method: 'POST',
      url: `${url}/prompt`,
      headers: { 'content-type': 'application/json', ...admin },
      payload: { messageId: thread.json().messages[1].id },
    });
    expect(prompt.json()).toMatchObject({
      model: 'fake',
      instructions: request?.instructions,
      history: [],
      question: expect.stringContaining('<question>\ninstall\n</question>'),
    });
    expect(prompt.json().question).toContain(request?.passages[0]?.url);
    expect([await used(), model.requests.length]).toEqual(before);
  });
});

describe('the draft of a page', () => {
  const draft = (questions: unknown, sender = admin) =>
    callDeclared(test.app, {
      method: 'POST',
      url: '/v1/analytics/docs/assistant/questions/draft',
      headers: { 'content-type': 'application/json', ...sender },
      payload: { questions } as object,
    });

  it('is written from the pages that come closest, counts its tokens, and is refused to others', async () => {
    const used = async () => (await read()).json().tokensToday;
    const usedBefore = await used();
    const page = (await draft(['install', 'Can I install it twice?'])).json();
    expect(page).toMatchObject({
      fileName: 'install.mdx',
      title: 'install',
      content: expect.stringMatching(/^---\ntitle: "install"\nhidden: true\n[\s\S]*\n\nYes\./),
      sources: expect.arrayContaining([expect.objectContaining({ title: 'guides/install' })]),
      model: 'fake',
      usage: { inputTokens: 1, outputTokens: 1 },
    });
    const request = model.requests.at(-1);
    expect(request?.instructions).toContain('first draft of a page');
    expect(request?.turns).toEqual([
      { role: 'user', text: '- install\n- Can I install it twice?' },
    ]);
    expect(await used()).toBe(usedBefore + 2);
    expect((await draft([])).statusCode).toBe(400);
    expect((await draft(['install'], otherAdmin)).json().code).toBe('site_not_found');
  });

  it('is refused once the tokens of the day are used up, and on a site without a language model', async () => {
    await change({ tokensPerDay: 1 });
    expect((await draft(['install'])).json().code).toBe('quota_exceeded');
    await change({ tokensPerDay: null });
    const { model: languageModel } = test.deps;
    test.deps.model = test.deps.quotingModel;
    try {
      expect((await draft(['install'])).json()).toMatchObject({
        status: 409,
        code: 'no_language_model',
      });
    } finally {
      test.deps.model = languageModel;
    }
  });
});

describe('a stored answer', () => {
  it('records its outcome and duration, and is deleted after the retention time of its site', async () => {
    const threadId = String((await ask()).headers['x-thread-id']);
    const { queries } = test.deps.database;
    const stored = () =>
      queries
        .selectFrom('messages')
        .selectAll()
        .where('thread_id', '=', threadId)
        .orderBy('position')
        .execute();
    expect((await stored())[1]).toMatchObject({
      outcome: 'answered',
      first_text_ms: expect.any(Number),
      duration_ms: expect.any(Number),
    });
    await change({ retentionDays: 7 });
    const days = (count: number) => new Date(test.deps.clock.now().getTime() + count * 86_400_000);
    await deleteExpiredThreads(queries, days(6), 90);
    expect(await stored()).toHaveLength(2);
    await deleteExpiredThreads(queries, days(8), 90);
    expect(await stored()).toHaveLength(0);
  });
});
