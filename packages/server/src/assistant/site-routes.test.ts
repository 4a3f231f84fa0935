import { createHash } from 'node:crypto';
import type { AssistantSettings } from '@docent/assistant/assistant-settings.ts';
import { hasZeroBits } from '@docent/assistant/bot-check.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeModel } from '../../../../test/support/fakes.ts';
import {
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { updateSiteSettings } from '../kernel/sites/site-queries.ts';
import type { ChatPart } from '../ports/chat-model.ts';

const finish: ChatPart = {
  type: 'finish',
  reason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
};
const ownPage = { 'sec-fetch-site': 'same-origin' };
let test: TestApp;
let siteId: string;
let organizationId: string;

beforeAll(async () => {
  test = await openTestApp({
    model: fakeModel([{ type: 'text', text: 'Yes.' }, finish]),
    env: { DOCENT_LIMIT_ASSISTANT_PER_IP_DAY: '1000', DOCENT_RESERVED_HOSTNAMES: 'docs.acme.test' },
  });
  const operator = await addOrganization(test);
  organizationId = operator.organizationId;
  ({ siteId } = await addSite(test, operator, 'docs', ['guides/install']));
});
afterAll(() => test.close());
afterEach(() => change({ enabled: true, botCheck: false, allowedOrigins: [] }));

async function change(settings: Partial<AssistantSettings>): Promise<void> {
  await updateSiteSettings(test.deps.database.queries, siteId, 'assistant_settings', settings);
  test.deps.assistantSettings.invalidate(siteId);
}

const call = (
  name: string,
  payload?: object,
  headers: Record<string, string> = ownPage,
): Promise<LightMyRequestResponse> =>
  test.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/sites/docs/_docent/assistant/${name}`,
    headers: {
      host: 'docs.acme.test',
      ...(payload && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload && { payload }),
  });

const question = {
  fp: 'a',
  messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'install' }] }],
};

describe('the assistant on the pages of a site', () => {
  it('answers a question from such a page without a key, in the v2 protocol', async () => {
    const response = await call('message', question);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/event-stream');
    expect(response.headers['x-thread-id']).toMatch(/^\w{26}$/);
    expect(response.body).toContain('"delta":"Yes."');
    expect(response.body).toContain('"type":"source-url"');
  });

  it('returns what a panel needs before the first question', async () => {
    await change({ starterQuestions: ['How?'], supportEmail: 'help@acme.test' });
    const response = await call('settings');
    expect(response.json()).toEqual({
      name: 'Test',
      siteUrl: 'http://docs.localhost:3000',
      enabled: true,
      starterQuestions: ['How?'],
      supportEmail: 'help@acme.test',
      supportUrl: null,
      botCheck: null,
    });
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('returns the rules of the search, without pages that the reader may not read', async () => {
    const rules = async () => {
      test.deps.clock.advance(10);
      const url = '/sites/docs/_docent/search-rules.js';
      const { body } = await test.app.inject({ url, headers: { host: 'docs.acme.test' } });
      return JSON.parse(/^__docentSearchRules\((.*)\);\n$/.exec(body)?.[1] ?? '');
    };
    expect(await rules()).toEqual({ synonyms: [], pageRules: [] });
    const synonyms = [['team', 'workspace']];
    const pin = ['guides/install', 'secret/page'];
    const pageRules = [
      { question: 'install', pin, block: [] },
      { question: 'secret', pin: ['secret/page'], block: [] },
    ];
    await change({ synonyms, pageRules });
    expect(await rules()).toEqual({
      synonyms,
      pageRules: [{ question: 'install', pin: ['guides/install'], block: [] }],
    });
    await change({ synonyms: [], pageRules: [] });
  });

  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a subdomain', { 'sec-fetch-site': 'same-site', origin: 'http://docs.acme.test' }],
    ['from the address bar', { 'sec-fetch-site': 'none' }],
    ['with another origin', { origin: 'https://evil.test' }],
    ['with an origin of another port', { origin: 'http://docs.acme.test:8080' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['without an origin', {}],
  ])('rejects a question %s', async (_, headers) => {
    expect((await call('message', question, headers as Record<string, string>)).json().code).toBe(
      'origin_not_allowed',
    );
  });

  it('accepts the origin of the page without Sec-Fetch headers, regardless of the allowed API origins', async () => {
    await change({ allowedOrigins: ['https://app.example.com'] });
    expect((await call('message', question, { origin: 'http://docs.acme.test' })).statusCode).toBe(
      200,
    );
  });

  it('answers pages of allowed origins, including file URLs and preflights, and rejects other origins', async () => {
    await change({ allowedOrigins: ['https://bundle.test', 'null'] });
    for (const origin of ['https://bundle.test', 'null']) {
      const from = { 'sec-fetch-site': 'cross-site', origin };
      const preflight = await test.app.inject({
        method: 'OPTIONS',
        url: '/sites/docs/_docent/assistant/message',
        headers: {
          host: 'docs.acme.test',
          ...from,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
      expect(preflight.statusCode).toBe(204);
      expect(preflight.headers['access-control-allow-headers']).toContain('content-type');
      const answer = await call('message', question, from);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers['access-control-expose-headers']).toContain('x-thread-id');
      expect((await call('settings', undefined, from)).headers['access-control-allow-origin']).toBe(
        origin,
      );
    }
    const evil = await call('message', question, {
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.test',
    });
    expect([evil.json().code, evil.headers['access-control-allow-origin']]).toEqual([
      'origin_not_allowed',
      undefined,
    ]);
  });

  it('follows the assistant settings of the site, and requires a proof of work if they do', async () => {
    await change({ enabled: false });
    expect((await call('message', question)).json().code).toBe('assistant_disabled');
    await change({ enabled: true, botCheck: true });
    expect((await call('message', question)).json().code).toBe('bot_check_failed');
    const { challenge, bits } = (await call('settings')).json().botCheck;
    let number = 0;
    while (!hasZeroBits(createHash('sha256').update(`${challenge}.${number}`).digest(), bits))
      number++;
    expect(
      (await call('message', { ...question, proof: `${challenge}.${number}` })).statusCode,
    ).toBe(200);
  });

  it('rejects a body over 256 KB', async () => {
    const response = await call('message', { ...question, more: 'x'.repeat(300_000) });
    expect(response.json().code).toBe('body_too_large');
  });

  it('counts against the limits per address and per organization', async () => {
    const before = (await call('message', question)).headers.ratelimit as string;
    const after = (await call('message', question)).headers.ratelimit as string;
    const left = (field: string): number[] =>
      [...field.matchAll(/r=(\d+)/g)].map(([, count]) => Number(count));
    expect(left(before)).toHaveLength(2);
    expect(left(after)).toEqual(left(before).map((count) => count - 1));
    expect(organizationId).not.toBe('');
  });
});

describe('answer feedback from a reader', () => {
  const stored = async (threadId: string) =>
    test.deps.database.queries
      .selectFrom('messages')
      .leftJoin('feedback', 'feedback.message_id', 'messages.id')
      .select('feedback.helpful')
      .where('thread_id', '=', threadId)
      .where('role', '=', 'assistant')
      .orderBy('position')
      .execute();
  async function ask(more: object = {}): Promise<{ threadId: string; messageId: string }> {
    const { headers, body } = await call('message', { ...question, ...more });
    return {
      threadId: String(headers['x-thread-id']),
      messageId: /"messageId":"([^"]+)"/.exec(body)?.[1] as string,
    };
  }

  it('is stored with its answer, and can be withdrawn', async () => {
    const { threadId, messageId } = await ask();
    const messages = [{ id: 'm2', role: 'user', parts: [{ type: 'text', text: 'more' }] }];
    await ask({ threadId, messages });
    expect((await call('feedback', { threadId, messageId, helpful: false })).statusCode).toBe(204);
    expect(await stored(threadId)).toEqual([{ helpful: false }, { helpful: null }]);
    await call('feedback', { threadId, helpful: true });
    expect(await stored(threadId)).toEqual([{ helpful: false }, { helpful: true }]);
    await call('feedback', { threadId, messageId, helpful: null });
    expect(await stored(threadId)).toEqual([{ helpful: null }, { helpful: true }]);
  });

  it('is rejected for an unknown answer, with an invalid value, or from another page', async () => {
    const { threadId } = await ask();
    expect(
      (await call('feedback', { threadId, messageId: 'msg-x', helpful: true })).json().code,
    ).toBe('thread_not_found');
    expect(
      (await call('feedback', { threadId: '01JZZZZZZZZZZZZZZZZZZZZZZZ', helpful: true })).json()
        .code,
    ).toBe('thread_not_found');
    expect((await call('feedback', { threadId, helpful: 'yes' })).json().code).toBe(
      'invalid_request',
    );
    expect((await call('feedback', { threadId, helpful: true }, {})).json().code).toBe(
      'origin_not_allowed',
    );
  });
});

describe('the widget script', () => {
  it('has its texts in the language of the page, and in English for unknown languages', async () => {
    const texts = async (language: string) =>
      (
        await test.app.inject({
          url: `/widget-texts.json?language=${encodeURIComponent(language)}`,
        })
      ).json();
    expect(await texts('de-AT')).toMatchObject({
      tag: 'de-AT',
      direction: 'ltr',
      messages: { title: 'Assistent' },
    });
    expect(await texts('ar')).toMatchObject({ tag: 'ar', direction: 'rtl' });
    for (const unknown of ['fa', 'xx', '"><b>', '']) {
      expect(await texts(unknown)).toMatchObject({
        tag: 'en',
        direction: 'ltr',
        messages: { title: 'Assistant' },
      });
    }
  });

  it('has the colors of its site, or none if there is no such site', async () => {
    const colors = async (domain: string) =>
      test.app.inject({ url: `/widget-colors.json?domain=${encodeURIComponent(domain)}` });
    const site = await colors('docs');
    expect([site.json(), site.headers['access-control-allow-origin']]).toEqual([
      { light: '#0d9373', dark: '#07c983' },
      '*',
    ]);
    expect((await colors('nobody')).json()).toEqual({ light: null, dark: null });
    expect((await colors('x'.repeat(254))).statusCode).toBe(400);
  });

  it('can be loaded by any page, is revalidated after five minutes, and is not sent again if unchanged', async () => {
    const response = await test.app.inject({ url: '/widget.js' });
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(response.headers['cache-control']).toBe('public, max-age=300, must-revalidate');
    const again = await test.app.inject({
      url: '/widget.js',
      headers: { 'if-none-match': String(response.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });
});

it('keyless feedback is rate-limited per address', async () => {
  const rate = async (remoteAddress: string) => {
    const url = '/sites/docs/_docent/assistant/feedback';
    const headers = { host: 'docs.acme.test', ...ownPage };
    const payload = { threadId: '01JZZZZZZZZZZZZZZZZZZZZZZZ', helpful: true };
    return (await test.app.inject({ method: 'POST', url, headers, payload, remoteAddress }))
      .statusCode;
  };
  const statuses = await Promise.all(Array.from({ length: 130 }, () => rate('203.0.113.50')));
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  expect(await rate('203.0.113.51')).toBe(404);
});
