import type { Actor } from '@docent/format/access/may.ts';
import type { BuildReport } from '@docent/format/build/site-build.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../../test/support/declared.ts';
import {
  type FakeModel,
  fakeLiveSite,
  fakeModel,
  fakePage,
} from '../../../../../test/support/fakes.ts';
import { searchDocument } from '../../../../../test/support/publish-index.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../../test/support/test-app.ts';
import { createModelUsage } from '../model-usage.ts';

const HUB = 'How do I leave a hub?';
const KEYS = 'How do I rotate an API key?';

describe('instructions that an editor tries', () => {
  let test: TestApp;
  let owner: Actor;
  let model: FakeModel;
  let siteId: string;
  let headers: Record<string, string>;
  /** What the model does, by the instructions of the site that it gets. */
  let answerOf: (instructions: string, question: string) => string;

  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
    callDeclared(test.app, {
      method,
      url: `/v1/project/tried/assistant-settings${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      ...(payload && { payload }),
    });
  const attempt = async (instructions: string | null) =>
    (await call('POST', '/try', { instructions })).json();

  beforeAll(async () => {
    model = fakeModel([]);
    model.stream = async function* (request) {
      model.requests.push(request);
      const question = String(request.turns.at(-1)?.text);
      yield { type: 'text', text: answerOf(request.instructions, question) };
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 4, outputTokens: 1 } };
    };
    test = await openTestApp({ model });
    owner = await addOrganization(test);
    headers = (await addKey(test, owner, { kind: 'admin' })).headers;
    const { siteId: id, deploymentId } = await addSite(test, owner, 'tried');
    siteId = id;
    const { organizationId } = owner;
    const index = loadSearchIndex(
      buildSearchIndex([
        searchDocument('hub', 'Leave a hub', 'To leave a hub, open the hub and choose Leave.'),
        searchDocument('keys', 'API keys', 'To rotate an API key, run `acme keys rotate`.'),
      ]),
    );
    const site = fakeLiveSite({ siteId, organizationId, slug: 'tried', deploymentId }, [
      fakePage('hub'),
      fakePage('keys'),
    ]);
    const results = [
      { question: HUB, pages: ['hub'] },
      { question: KEYS, pages: ['keys'], words: [['acme keys rotate', 'acme rotate']] },
      { question: 'Not of this site', pages: [] },
    ];
    const report = { questions: { results } } as unknown as BuildReport;
    test.deps.liveSites.add({
      ...site,
      build: { ...site.build, report },
      searchIndex: async () => index,
    });
  });
  afterAll(() => test.close());

  it('are given to the language model with the test questions that have pages, and nothing is saved or stored', async () => {
    answerOf = (instructions, question) => {
      if (question === HUB) return 'Open the hub.\n<!-- status: answered -->';
      return instructions.includes('Name the command')
        ? 'Run `acme keys rotate`.\n<!-- status: answered -->'
        : 'Rotate it.\n<!-- status: answered -->';
    };
    const usage = createModelUsage({ database: test.deps.database, clock: test.deps.clock });
    const before = await usage.today(siteId);
    expect(await attempt('Name the command.')).toEqual({
      asked: 2,
      answeredBefore: 1,
      answeredAfter: 2,
      gained: [KEYS],
      lost: [],
      unknownPages: [],
    });
    expect(await usage.today(siteId)).toBe(before + 4 * 5);
    expect((await call('GET', '')).json().instructions).toBeNull();
    const messages = test.deps.database.queries.selectFrom('messages').select('id');
    expect(await messages.execute()).toEqual([]);
  });

  it('lose the questions that the model no longer answers', async () => {
    answerOf = (instructions) =>
      instructions.includes('Refuse')
        ? 'No.\n<!-- status: not_in_docs -->'
        : 'Run `acme rotate`.\n<!-- status: answered -->';
    expect(await attempt('Refuse all.')).toMatchObject({ gained: [], lost: [HUB, KEYS] });
    expect(await attempt(null)).toMatchObject({ answeredBefore: 2, gained: [], lost: [] });
  });

  it('are an error, and not a loss, when the model fails or its tokens of the day are used up', async () => {
    answerOf = () => {
      throw new Error('The model is away.');
    };
    expect((await attempt('Be brief.')).code).toBe('dependency_unavailable');
    await call('PATCH', '', { tokensPerDay: 1 });
    expect((await attempt('Be brief.')).code).toBe('quota_exceeded');
    await call('PATCH', '', { tokensPerDay: null });
    const { model: languageModel } = test.deps;
    test.deps.model = test.deps.quotingModel;
    try {
      expect((await attempt('Be brief.')).code).toBe('no_language_model');
    } finally {
      test.deps.model = languageModel;
    }
  });
});
