import { statusMark } from '@docent/assistant/chat/answer-status.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { fakeModel } from '../../../../test/support/fakes.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { updateSiteSettings } from '../kernel/sites/site-queries.ts';
import type { ChatPart } from '../ports/chat-model.ts';

type Headers = Record<string, string>;

let test: TestApp;
let siteId: string;
let admin: Headers;
let stranger: Headers;
let reader: Headers;
let otherReader: Headers;

const PARTS = [
  { type: 'text', text: 'Run it.\n<!-- status: answered -->' },
  { type: 'finish', reason: 'stop', usage: { inputTokens: 7, outputTokens: 3 } },
] as const;
/** What the model says next. */
const says: ChatPart[] = [...PARTS];

beforeAll(async () => {
  test = await openTestApp({
    model: fakeModel(says),
    env: { DOCENT_MODEL_PRICES: '{"fake":{"input":1000,"output":2000}}' },
  });
  const operator = await addOrganization(test);
  const other = await addOrganization(test);
  ({ siteId } = await addSite(test, operator, 'docs', ['guides/install', 'v2/install']));
  await addSite(test, other, 'theirs', ['guides/install']);
  admin = (await addKey(test, operator, { kind: 'admin' })).headers;
  stranger = (await addKey(test, other, { kind: 'admin' })).headers;
  reader = (await addKey(test, operator, { kind: 'assistant', site: 'docs' })).headers;
  otherReader = (await addKey(test, other, { kind: 'assistant', site: 'theirs' })).headers;
});
afterAll(() => test.close());

interface AnswerIds {
  threadId: string;
  messageId: string;
}

async function ask(
  text: string,
  more: object = {},
  headers: Headers = reader,
  site = 'docs',
): Promise<AnswerIds> {
  test.deps.clock.advance(1);
  const answer = await test.app.inject({
    method: 'POST',
    url: `/v2/assistant/${site}/message`,
    headers,
    payload: {
      fp: 'a',
      messages: [{ id: text, role: 'user', parts: [{ type: 'text', text }] }],
      ...more,
    },
  });
  expect(answer.statusCode).toBe(200);
  return {
    threadId: String(answer.headers['x-thread-id']),
    messageId: /"messageId":"([^"]+)"/.exec(answer.body)?.[1] as string,
  };
}

async function rate(rating: object, headers: Headers = reader, site = 'docs'): Promise<number> {
  test.deps.clock.advance(1);
  const url = `/discovery/v1/assistant/${site}/feedback`;
  return (await callDeclared(test.app, { method: 'POST', url, headers, payload: rating }))
    .statusCode;
}

const read = (path: string, headers: Headers = admin, project = 'docs') =>
  callDeclared(test.app, { method: 'GET', url: `/v1/analytics/${project}/${path}`, headers });

/** A time after all previous events. */
function fromNow(): string {
  test.deps.clock.advance(1);
  return test.deps.clock.now().toISOString();
}

describe('answer feedback', () => {
  it('is listed for the owners of the site with question, answer, page and comment, the latest first', async () => {
    const first = await ask('How do I install?', { currentPath: '/guides/install' });
    const second = await ask('And then?', { threadId: first.threadId });
    expect(await rate({ ...second, helpful: true })).toBe(204);
    expect(await rate({ ...first, helpful: false, comment: ' Too short. ' })).toBe(204);
    const { feedback, hasMore } = (await read('feedback')).json();
    expect(hasMore).toBe(false);
    expect(feedback).toMatchObject([
      {
        threadId: first.threadId,
        question: 'How do I install?',
        answer: 'Run it.',
        path: '/guides/install',
        helpful: false,
        comment: 'Too short.',
        source: 'contextual',
      },
      {
        threadId: first.threadId,
        question: 'And then?',
        path: null,
        helpful: true,
        comment: null,
        source: 'thumbs_only',
      },
    ]);
    const byPage = (await read('feedback/by-page')).json().feedback;
    expect(byPage).toContainEqual({
      path: '/guides/install',
      thumbsUp: 0,
      thumbsDown: 1,
      code: 0,
      total: 1,
    });
  });

  it('replaces earlier feedback on the same answer, including its comment, and can be withdrawn', async () => {
    const answer = await ask('Once more?');
    const mine = async () =>
      (await read('feedback'))
        .json()
        .feedback.filter(({ threadId }: AnswerIds) => threadId === answer.threadId);
    await rate({ ...answer, helpful: false, comment: 'No.' });
    await rate({ ...answer, helpful: true });
    expect(await mine()).toMatchObject([{ helpful: true, comment: null }]);
    await rate({ ...answer, helpful: null, comment: 'Nothing.' });
    expect(await mine()).toEqual([]);
  });

  it('is paged without gaps, and filtered by time, rating and source', async () => {
    const before = fromNow();
    for (const number of [1, 2, 3, 4, 5]) {
      const one = await ask(`Question ${number}`);
      await rate({ ...one, helpful: number % 2 === 0, ...(number === 5 && { comment: 'Why?' }) });
    }
    const query = `feedback?dateFrom=${before}&limit=2`;
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let pages = 1; cursor !== null; pages++) {
      const page: {
        feedback: { question: string }[];
        hasMore: boolean;
        nextCursor: string | null;
      } = (await read(cursor === '' ? query : `${query}&cursor=${cursor}`)).json();
      seen.push(...page.feedback.map(({ question }) => question));
      expect(page.hasMore).toBe(pages < 3);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map((number) => `Question ${number}`));
    const questions = async (filter: string): Promise<string[]> =>
      (await read(`feedback?dateFrom=${before}&${filter}`))
        .json()
        .feedback.map((row: { question: string }) => row.question);
    expect(await questions('helpful=true')).toEqual(['Question 4', 'Question 2']);
    expect(await questions('source=contextual,agent')).toEqual(['Question 5']);
    expect(await questions('source=code_snippet')).toEqual([]);
    expect(await questions('status=dismissed')).toEqual([]);
    // Praise without a word asks for nothing.
    expect(await questions('status=resolved')).toEqual(['Question 4', 'Question 2']);
    expect(await questions(`dateTo=${before}`)).toEqual([]);
    for (const wrong of [
      'cursor=eA',
      'dateFrom=yesterday',
      'helpful=1',
      'source=mail',
      'limit=101',
    ]) {
      expect((await read(`feedback?${wrong}`)).json().code, wrong).toBe('invalid_request');
    }
  });

  it('is accepted with a key of the site from any origin, and rejected for an answer of another site', async () => {
    const answer = await ask('Whose?');
    const page = { ...reader, origin: 'https://app.example.com' };
    const response = await test.app.inject({
      method: 'POST',
      url: '/v1/assistant/docs/feedback',
      headers: page,
      payload: { ...answer, helpful: true },
    });
    expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([
      204,
      '*',
    ]);
    expect(await rate({ ...answer, helpful: true }, otherReader, 'theirs')).toBe(404);
    expect(await rate({ ...answer, helpful: true }, otherReader)).toBe(403);
    expect(await rate({ ...answer, helpful: true, comment: 'x'.repeat(2001) })).toBe(400);
  });
});

describe('a conversation', () => {
  it('is deleted with its messages and ratings, by who may change the site, and by nobody else', async () => {
    const from = fromNow();
    const { threadId } = await ask('How to install it?');
    expect(await rate({ threadId, helpful: false, comment: 'I am Ada, call me.' })).toBe(204);
    const comments = async () => (await read(`feedback?dateFrom=${from}`)).json().feedback;
    expect(await comments()).toMatchObject([{ threadId, comment: 'I am Ada, call me.' }]);
    const url = `/v1/analytics/docs/assistant/threads/${threadId}`;
    const remove = async (headers: Headers) =>
      (await callDeclared(test.app, { method: 'DELETE', url, headers })).statusCode;
    expect([await remove(stranger), await remove(reader)]).toEqual([404, 403]);
    expect([await remove(admin), await remove(admin)]).toEqual([204, 404]);
    expect((await read(`assistant/threads/${threadId}`)).json().code).toBe('thread_not_found');
    expect((await read(`assistant?dateFrom=${from}`)).json().conversations).toEqual([]);
    expect(await comments()).toEqual([]);
  });
});

describe('the conversation report', () => {
  it('includes outcome, sources, timings and usage, and a thread contains all its messages', async () => {
    const from = fromNow();
    const answer = await ask(
      'How to install it?',
      { currentPath: '/guides/install' },
      { ...reader, origin: 'https://app.example.com' },
    );
    const { conversations } = (await read(`assistant?dateFrom=${from}`)).json();
    expect(conversations).toMatchObject([
      {
        threadId: answer.threadId,
        query: 'How to install it?',
        response: 'Run it.',
        responseType: 'answer',
        resolutionStatus: 'answered',
        outcome: 'answered',
        pageUrl: expect.stringMatching(/^http.*\/guides\/install$/),
        caller: 'web',
        usage: { inputTokens: 7, outputTokens: 3 },
        timings: { durationMs: expect.any(Number) },
      },
    ]);
    expect(conversations[0].sources.length).toBeGreaterThan(0);
    const thread = (await read(`assistant/threads/${answer.threadId}`)).json();
    expect(thread.messages).toMatchObject([
      { role: 'user', content: 'How to install it?', path: '/guides/install', caller: 'web' },
      { role: 'assistant', content: 'Run it.', outcome: 'answered', usage: { inputTokens: 7 } },
    ]);
    expect(thread.messages[1]).toMatchObject({
      usage: { inputTokens: 7, outputTokens: 3, costUsd: 0.013 },
      basis: {
        lookups: [{ tool: 'search', input: 'How to install it?' }],
        passages: expect.arrayContaining([
          {
            title: 'guides/install',
            headings: [],
            url: expect.stringMatching(/\/guides\/install$/),
            score: expect.any(Number),
            isCited: false,
          },
        ]),
      },
    });
    const { threads } = (await read(`assistant/threads?dateFrom=${from}`)).json();
    expect(threads).toMatchObject([
      {
        threadId: answer.threadId,
        query: 'How to install it?',
        questionCount: 1,
        outcome: 'answered',
      },
    ]);
    expect((await read(`assistant?dateFrom=${from}&outcome=failed`)).json().conversations).toEqual(
      [],
    );
    expect(
      (await read(`assistant/threads?dateFrom=${from}&outcome=failed`)).json().threads,
    ).toEqual([]);
  });

  it('tells in every list, count and export how far the documentation answered; older answers are unknown', async () => {
    const from = fromNow();
    try {
      for (const status of ['partly', 'not_in_docs', 'refused', 'answered'] as const) {
        says[0] = { type: 'text', text: `Run it.\n${statusMark(status)}` };
        await ask(status);
      }
    } finally {
      says[0] = PARTS[0];
    }
    const older = await ask('unknown');
    const { queries } = test.deps.database;
    await queries
      .updateTable('messages')
      .set({ coverage: null })
      .where('thread_id', '=', older.threadId)
      .where('role', '=', 'assistant')
      .execute();
    for (const outcome of ['partly', 'not_in_docs', 'refused', 'answered', 'unknown']) {
      const filter = `dateFrom=${from}&outcome=${outcome}`;
      const { conversations } = (await read(`assistant?${filter}`)).json();
      expect(conversations).toMatchObject([{ query: outcome, outcome }]);
      expect(conversations).toHaveLength(1);
      const { threads } = (await read(`assistant/threads?${filter}`)).json();
      expect(threads).toMatchObject([{ query: outcome, outcome }]);
      const exported = await read(`export?report=conversations&format=ndjson&${filter}`);
      expect(JSON.parse(exported.body)).toMatchObject({ question: outcome, outcome });
    }
    const { messages } = (await read(`assistant/threads/${older.threadId}`)).json();
    expect(messages[1]).toMatchObject({ role: 'assistant', outcome: 'unknown' });
    const { totals } = (await read(`assistant/subjects?dateFrom=${from}`)).json();
    expect(totals).toEqual({
      questions: 5,
      answered: 1,
      partly: 1,
      notInDocs: 1,
      refused: 1,
      failed: 0,
      unknown: 1,
    });
  });

  it('groups what was asked, and lists what the documentation lacks and what did not help', async () => {
    const from = fromNow();
    await ask('How do I install it?');
    const rated = await ask('install it, please');
    await rate({ ...rated, helpful: false });
    says[0] = { type: 'text', text: `Sorry.\n${statusMark('not_in_docs')}` };
    try {
      await ask('Is there a Terraform provider?');
    } finally {
      says[0] = PARTS[0];
    }
    const list = async (only: string) =>
      (await read(`assistant/questions?dateFrom=${from}&only=${only}`)).json().questions;
    const installing = { question: 'install it, please', count: 2, answered: 2, notHelpful: 1 };
    const provider = { question: 'Is there a Terraform provider?', count: 1, notInDocs: 1 };
    expect(await list('all')).toMatchObject([
      {
        ...installing,
        otherWordings: ['How do I install it?'],
        threadId: rated.threadId,
        sources: expect.arrayContaining([{ title: 'guides/install', url: expect.any(String) }]),
        helpful: false,
      },
      provider,
    ]);
    expect(await list('not_in_docs')).toMatchObject([provider]);
    expect(await list('not_helpful')).toMatchObject([installing]);
  });

  it('is paged without gaps', async () => {
    const from = fromNow();
    for (const text of ['a', 'b', 'c']) await ask(text);
    for (const list of ['assistant', 'assistant/threads']) {
      const first = (await read(`${list}?dateFrom=${from}&limit=2`)).json();
      const second = (
        await read(`${list}?dateFrom=${from}&limit=2&cursor=${first.nextCursor}`)
      ).json();
      const rows = [first, second].flatMap(
        ({ conversations, threads }) => conversations ?? threads,
      );
      expect(rows.map(({ query }: { query: string }) => query)).toEqual(['c', 'b', 'a']);
      expect([first.hasMore, second.hasMore, second.nextCursor]).toEqual([true, false, null]);
    }
  });

  it('counts questions by caller: pages in browsers and programs', async () => {
    const from = fromNow();
    await ask('1');
    await ask('2', {}, { ...reader, origin: 'https://app.example.com' });
    await ask('3', {}, { ...reader, origin: 'https://app.example.com' });
    expect((await read(`assistant/caller-stats?dateFrom=${from}`)).json()).toEqual({
      web: 2,
      api: 1,
      other: 0,
      total: 3,
    });
  });

  it('can be filtered by page', async () => {
    const from = fromNow();
    const there = await ask('there', { currentPath: '/guides/install' });
    await ask('elsewhere', { currentPath: '/' });
    const page = `dateFrom=${from}&path=/guides/install`;
    const { conversations } = (await read(`assistant?${page}`)).json();
    const { threads } = (await read(`assistant/threads?${page}`)).json();
    for (const rows of [conversations, threads])
      expect(rows.map(({ threadId }: AnswerIds) => threadId)).toEqual([there.threadId]);
    expect((await read(`assistant/caller-stats?${page}`)).json().total).toBe(1);
  });

  it('can be filtered by version, and grouped by subject', async () => {
    const from = fromNow();
    const there = await ask('How to install it?', { currentPath: '/v2/install' });
    await ask('How to install it there?', { currentPath: '/guides/install' });
    const page = `dateFrom=${from}&version=v2`;
    const { conversations } = (await read(`assistant?${page}`)).json();
    expect(conversations.map(({ threadId }: AnswerIds) => threadId)).toEqual([there.threadId]);
    expect((await read(`assistant/threads?${page}`)).json().threads).toHaveLength(1);
    expect((await read(`assistant/caller-stats?${page}`)).json().total).toBe(1);
    expect((await read(`assistant?dateFrom=${from}&language=de`)).json().conversations).toEqual([]);
    const { totals, days, subjects, hasMore } = (
      await read(`assistant/subjects?dateFrom=${from}`)
    ).json();
    expect(totals).toMatchObject({ questions: 2, answered: 2, notInDocs: 0 });
    expect(hasMore).toBe(false);
    expect(days).toMatchObject([{ questions: 2, answered: 2 }]);
    expect(subjects).toMatchObject([
      {
        subject: conversations[0].queryCategory,
        questions: 2,
        examples: ['How to install it there?', 'How to install it?'],
      },
    ]);
    const bySubject = await read(`export?report=assistant/subjects&format=ndjson&${page}`);
    expect(JSON.parse(bySubject.body)).toMatchObject({
      questions: 1,
      lastAskedAt: expect.any(String),
    });
    const exported = await read(`export?report=conversations&format=ndjson&${page}`);
    expect(JSON.parse(exported.body)).toMatchObject({
      question: 'How to install it?',
      outcome: 'answered',
      pagePath: '/v2/install',
    });
    expect((await read('export?report=feedback&outcome=failed')).json().code).toBe(
      'invalid_request',
    );
    await rate({ ...there, helpful: false });
    expect((await read('feedback?version=v2')).json().feedback).toMatchObject([
      { version: 'v2', about: 'answer' },
    ]);
    expect((await read('feedback/by-page?version=v1')).json().feedback).toEqual([]);
  });

  it('has no page URL for a path that cannot be a page of the site', async () => {
    const from = fromNow();
    await ask('1', { currentPath: '//evil.test/x' });
    await ask('2', { currentPath: 'javascript:alert(1)' });
    const { conversations } = (await read(`assistant?dateFrom=${from}`)).json();
    expect(conversations.map(({ pageUrl }: { pageUrl: string | null }) => pageUrl)).toEqual([
      null,
      null,
    ]);
  });
});

describe('stored reader data', () => {
  const lists = [
    'feedback',
    'feedback/by-page',
    'assistant',
    'assistant/threads',
    'assistant/caller-stats',
    'assistant/subjects',
    'assistant/questions',
    'live',
    'pages',
  ];

  it('is never shown to another organization, nor to a key of the wrong kind', async () => {
    const answer = await ask('Secret?');
    await rate({ ...answer, helpful: true });
    for (const path of [...lists, `assistant/threads/${answer.threadId}`]) {
      const theirs = await read(path, stranger);
      expect([theirs.statusCode, theirs.json().code], path).toEqual([404, 'site_not_found']);
      expect((await read(path, reader)).json().code, path).toBe('wrong_key_kind');
      expect((await read(path, {})).statusCode, path).toBe(401);
    }
    // Their own project does not show a thread of another organization either.
    expect(
      (await read(`assistant/threads/${answer.threadId}`, stranger, 'theirs')).json().code,
    ).toBe('thread_not_found');
    for (const path of lists)
      expect((await read(path, stranger, 'theirs')).body, path).not.toContain(answer.threadId);
  });

  it('is hidden as soon as the retention time of the site has passed', async () => {
    const answer = await ask('Old?');
    await rate({ ...answer, helpful: true });
    await updateSiteSettings(test.deps.database.queries, siteId, 'assistant_settings', {
      retentionDays: 1,
    });
    test.deps.assistantSettings.invalidate(siteId);
    test.deps.clock.advance(25 * 60 * 60);
    for (const path of ['feedback', 'feedback/by-page', 'assistant', 'assistant/threads']) {
      const [rows] = Object.values((await read(path)).json());
      expect(rows, path).toEqual([]);
    }
    expect((await read('assistant/caller-stats')).json().total).toBe(0);
    expect((await read(`assistant/threads/${answer.threadId}`)).json().code).toBe(
      'thread_not_found',
    );
  });
});

it('lists truncate a long question, and its conversation contains all of it', async () => {
  const { threadId } = await ask('word '.repeat(3000));
  const { conversations } = (await read('assistant?limit=1')).json();
  expect(conversations[0]).toMatchObject({ threadId, query: 'word '.repeat(800) });
  expect((await read('assistant/threads?limit=1')).json().threads[0].query).toHaveLength(4000);
  const thread = (await read(`assistant/threads/${threadId}`)).json();
  expect(thread.messages[0].content.trim()).toBe('word '.repeat(3000).trim());
  expect(thread.hasEarlier).toBe(false);
});

it('a thread of several megabytes is limited to its last messages, about a million characters', async () => {
  const { threadId } = await ask('First?');
  const { queries } = test.deps.database;
  const rows = Array.from({ length: 60 }, (_, index) => ({
    id: `big-${index}`,
    thread_id: threadId,
    role: 'user' as const,
    content: `${index} ${'x'.repeat(40_000)}`,
    sources: '[]',
    status: 'complete' as const,
  }));
  await queries.insertInto('messages').values(rows).execute();
  const answer = await read(`assistant/threads/${threadId}`);
  expect(answer.body.length).toBeLessThan(1_100_000);
  const { messages, hasEarlier } = answer.json();
  expect(hasEarlier).toBe(true);
  expect(messages).toHaveLength(24);
  expect(messages.at(-1).id).toBe('big-59');
});
