import type { Actor } from '@docent/format/access/may.ts';
import type { SearchFilter } from '@docent/search/search-index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeModels, startFakeModels } from '../../../../test/support/fake-models.ts';
import { fixtureSite, tarball } from '../../../../test/support/http.ts';
import { publishIndex, searchDocument } from '../../../../test/support/publish-index.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { createEmbedder } from '../adapters/embedder/providers.ts';
import { createReranker } from '../adapters/reranker/providers.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import { insertDeployment } from '../publishing/deployment-queries.ts';
import { publishSite } from '../publishing/publish-site.ts';
import { searchSite, searchSiteForReaders } from '../search/search-site.ts';
import { openLiveSites } from '../serving/open-live-sites.ts';
import { embedSite, enqueueMissingVectors } from './embed-site.ts';
import { createMeaningSearch } from './meaning-search.ts';

const KEY = 'sk-very-secret-4711';
/** Every site has a unique text, because sites with the same index share their vectors. */
const documentsOf = (slug: string, change = '') => [
  searchDocument('index', 'Welcome', `Everything about ${slug}.`),
  searchDocument('bicycles', 'Bicycles', 'Bought in a shop.'),
  searchDocument('bicycles', 'Bicycles', 'Inflate the bicycle every month.', {
    anchor: 'air',
    headings: ['Air'],
  }),
  searchDocument('bicycles', 'Bicycles', 'Thirty kilograms.', {
    anchor: 'weight',
    headings: ['Weight'],
  }),
  searchDocument('cars', 'Cars', `The red car drives. ${change}`),
  searchDocument('internal', 'Of the staff', 'Inflate the velocipede, bicycle, pump.', {
    groups: ['staff'],
  }),
  searchDocument('old/bicycles', 'Old bicycles', 'Pump a velocipede, inflate it.', {
    version: 'v1',
  }),
];
/** Shares no word with the page that it means. */
const QUESTION = 'pump up my velocipede';

let server: FakeModels;
let test: TestApp;
let operator: Actor;
let logged: string[] = [];
beforeAll(async () => {
  server = await startFakeModels();
  const note = (fields: object, message: string) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  test = await openTestApp({
    logger: { debug: note, info: note, warn: note, error: note, child: () => test.deps.logger },
  });
  operator = await addOrganization(test);
});
beforeEach(() => {
  Object.assign(server, {
    requests: [],
    failNext: [],
    failWith: undefined,
    delayMs: 0,
    spoil: undefined,
    dimensions: 48,
  });
  logged = [];
});
afterAll(async () => {
  await test.close();
  await server.close();
});

const embedderOf = (model = 'toy') =>
  createEmbedder({ provider: 'openai-compatible', model, url: server.url, apiKey: KEY });
const context = { signal: new AbortController().signal };

/** The dependencies of a process that is configured with this embedding model. */
function depsWith(embedder: Embedder, { timeoutMs = 10_000, reranks = false } = {}): Deps {
  const judge = createReranker({
    provider: 'openai-compatible',
    model: 'judge',
    url: server.url,
    apiKey: KEY,
  });
  const siteSearch = createMeaningSearch(
    { ...test.deps, maxVectorBytes: 16_000_000 },
    {
      embedder: { model: embedder, timeoutMs },
      ...(reranks && { reranker: { model: judge, timeoutMs } }),
    },
  );
  return { ...test.deps, embedder, siteSearch };
}

async function publishEmbedded(slug: string, deps: Deps, change = ''): Promise<LiveSite> {
  const { deploymentId } = await publishIndex(deps, operator, slug, documentsOf(slug, change));
  await embedSite(deps, deps.embedder as Embedder, deploymentId, context);
  return liveSite(slug);
}

async function liveSite(slug: string): Promise<LiveSite> {
  return (await openLiveSites(test.deps).find(slug)) as LiveSite;
}

const ask = (query: string, filter?: SearchFilter) => ({
  query,
  pageSize: 10,
  scoreThreshold: 0,
  filter,
});
const pathsOf = async (deps: Deps, site: LiveSite) =>
  (await searchSite(deps, site, ask(QUESTION, { version: 'v2' }))).map(({ path }) => path);
const reportOf = async (id: string) =>
  (
    await test.deps.database.queries
      .selectFrom('deployments')
      .select('report')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).report;

describe('a search with an embedding model', () => {
  let deps: Deps;
  let site: LiveSite;
  beforeAll(async () => {
    deps = depsWith(embedderOf());
    site = await publishEmbedded('meant', deps);
  });
  const paths = async (query: string, filter?: SearchFilter, from = deps) =>
    (await searchSite(from, site, ask(query, filter))).map((found) => found.path);

  it('finds a page by meaning that shares no word with the question', async () => {
    expect((await paths(QUESTION, { version: 'v2' }))[0]).toBe('bicycles');
    const byWord = await paths(QUESTION, { version: 'v2' }, test.deps);
    expect([byWord, await paths(QUESTION, { version: 'v2' })]).toEqual([
      [],
      expect.arrayContaining(['bicycles']),
    ]);
  });

  it('links to the matching section', async () => {
    expect((await searchSite(deps, site, ask(QUESTION, { version: 'v2' })))[0]?.url).toMatch(
      /bicycles#air$/,
    );
  });

  it('finds a page of a group by meaning only for members of the group', async () => {
    expect(await paths(QUESTION)).not.toContain('internal');
    expect(await paths(QUESTION, { groups: ['guests'] })).not.toContain('internal');
    expect(await paths(QUESTION, { groups: ['staff'] })).toContain('internal');
  });

  it('finds no page of another version by meaning', async () => {
    expect(await paths(QUESTION, { version: 'v1' })).toContain('old/bicycles');
    expect(await paths(QUESTION, { version: 'v2' })).not.toContain('old/bicycles');
  });

  it('returns scores from 0 to 1, best first, and highlights', async () => {
    const found = await searchSiteForReaders(deps, site, ask('inflate a bicycle'));
    const scores = found.map(({ metadata }) => metadata.score);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(scores.toSorted((a, b) => b - a)).toEqual(scores);
    expect(found[0]?.highlights[0]?.ranges.length).toBeGreaterThan(0);
  });

  it('calls the model once for a repeated question', async () => {
    for (let again = 0; again < 3; again++) await paths('where can I park a vehicle');
    expect(server.texts()).toEqual(['where can I park a vehicle']);
  });

  it.each<[string, Partial<FakeModels>]>([
    ['is down', { failWith: 503 }],
    ['rejects the key', { failWith: 401 }],
    ['is slow', { delayMs: 1200 }],
    ['returns vectors of another length', { dimensions: 64 }],
    ['returns invalid vectors', { spoil: () => '{"data":[{"index":0,"embedding":[1,null]}]}' }],
  ])(
    'falls back to words if the model %s, which is logged once and without the key',
    async (_, state) => {
      const failing = depsWith(embedderOf(), { timeoutMs: 400 });
      await paths('warm up', undefined, failing);
      Object.assign(server, state);
      logged = [];
      for (const word of ['bicycle', 'a bicycle', 'inflate bicycle', 'kilograms']) {
        expect((await paths(word, undefined, failing))[0]).toBe('bicycles');
      }
      expect(logged).toHaveLength(1);
      expect(logged[0]).not.toContain(KEY);
      expect(logged[0]).not.toContain('upstream');
    },
  );

  it('reuses the stored vectors in another process', async () => {
    const other = depsWith(embedderOf());
    expect(await pathsOf(other, site)).toContain('bicycles');
    expect(server.texts()).toEqual([QUESTION]);
  });
});

describe('the embedding of a site', () => {
  it('is enqueued in the transaction that makes a deployment live, and only if there is a model', async () => {
    const { siteId } = await publishIndex(test.deps, operator, 'queued', documentsOf('queued'));
    const publish = async (deps: Deps) => {
      const id = createUlid(new Date());
      await deps.blobs.put(`uploads/${id}`, tarball(fixtureSite('small')));
      await insertDeployment(deps.database.queries, {
        id,
        siteId,
        sourceKey: `uploads/${id}`,
        createdAt: new Date(),
      });
      await publishSite(deps, id, { ...context, attempt: 1, lastAttempt: true });
      return test.deps.jobs.added.filter(
        ({ payload }) => (payload as { deploymentId?: string }).deploymentId === id,
      );
    };
    expect(await publish(depsWith(embedderOf()))).toMatchObject([
      { name: 'embed-site', inTransaction: true },
    ]);
    expect(await publish(test.deps)).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('embeds only the sections that changed', async () => {
    const deps = depsWith(embedderOf());
    await publishEmbedded('changed', deps);
    const all = server.texts().length;
    server.requests = [];
    await publishEmbedded('changed', deps, 'The blue vehicle waits.');
    expect(all).toBe(documentsOf('changed').length);
    expect(server.texts()).toEqual(['Cars\n\nThe red car drives. The blue vehicle waits.']);
    server.requests = [];
    await publishEmbedded('changed', deps);
    expect(server.texts()).toEqual([]);
  });

  it('starts over with another model', async () => {
    const deps = depsWith(embedderOf());
    await publishEmbedded('switched', deps);
    const all = server.texts().length;
    server.requests = [];
    const switched = depsWith(embedderOf('other'));
    const site = await liveSite('switched');
    // Until its vectors exist, the search uses words only.
    expect(await searchSite(switched, site, ask(QUESTION, { version: 'v2' }))).toEqual([]);
    test.deps.jobs.added.length = 0;
    await enqueueMissingVectors(switched, embedderOf('other'));
    expect(test.deps.jobs.added).toContainEqual(
      expect.objectContaining({ payload: { deploymentId: site.deploymentId } }),
    );
    await embedSite(switched, embedderOf('other'), site.deploymentId, context);
    expect(server.texts()).toHaveLength(all);
    test.deps.clock.advance(6);
    expect(await pathsOf(switched, site)).toContain('bicycles');
  });

  it('starts over if the provider changes the model under the same name', async () => {
    const deps = depsWith(embedderOf());
    await publishEmbedded('renamed', deps);
    server.dimensions = 64;
    await publishEmbedded('renamed', deps, 'A green vehicle.');
    const found = await searchSite(
      depsWith(embedderOf()),
      await liveSite('renamed'),
      ask(QUESTION),
    );
    expect(found.map(({ path }) => path)).toContain('bicycles');
  });

  it('leaves the site live if it fails, reports a warning, and later resumes where it stopped', async () => {
    const deps = depsWith(embedderOf());
    const small = { ...embedderOf(), maxTexts: 2, maxCalls: 1 };
    server.failNext = [{ status: 200 }, { status: 401 }];
    const { deploymentId } = await publishIndex(deps, operator, 'late', documentsOf('late'));
    await expect(embedSite(deps, small, deploymentId, context)).rejects.toThrow('status 401');
    const site = await liveSite('late');
    expect((await searchSite(deps, site, ask('inflate a bicycle')))[0]?.path).toBe('bicycles');
    const [note] = ((await reportOf(deploymentId))?.diagnostics ?? []).filter(
      ({ code }) => code === 'embeddings-missing',
    );
    expect(note).toMatchObject({
      severity: 'warning',
      message: expect.stringMatching(/status 401\. 5 of 7 sections have no vector/),
    });
    expect(JSON.stringify([note, logged])).not.toMatch(/sk-very|upstream/);
    server.requests = [];
    await embedSite(deps, small, deploymentId, context);
    expect(server.texts()).toHaveLength(documentsOf('late').length - 2);
    expect((await reportOf(deploymentId))?.diagnostics.map(({ code }) => code)).not.toContain(
      'embeddings-missing',
    );
    test.deps.clock.advance(6);
    expect(await pathsOf(deps, site)).toContain('bicycles');
  });

  it('does nothing for a deployment that is no longer live', async () => {
    const deps = depsWith(embedderOf());
    const { deploymentId } = await publishIndex(deps, operator, 'passed', documentsOf('passed'));
    await publishIndex(deps, operator, 'passed', documentsOf('passed', 'Newer.'));
    await embedSite(deps, embedderOf(), deploymentId, context);
    expect(server.requests).toEqual([]);
  });
});

describe('a reranker', () => {
  it('determines the order of the results, and reads only passages that the reader may find', async () => {
    const deps = depsWith(embedderOf(), { reranks: true });
    const site = await publishEmbedded('judged', deps);
    server.spoil = (answer) =>
      answer.results
        ? {
            results: answer.results.map(({ index }) => ({
              index,
              relevance_score: index === 1 ? 0.9 : 0.1,
            })),
          }
        : answer;
    const plain = await searchSite(depsWith(embedderOf()), site, ask('inflate a bicycle or a car'));
    const judged = await searchSite(deps, site, ask('inflate a bicycle or a car'));
    const { documents = [] } = server.requests.find((one) => one.documents) ?? {};
    expect(documents.length).toBeGreaterThan(1);
    expect(documents.join()).not.toContain('Of the staff');
    expect(judged[0]?.metadata.score).toBe(0.9);
    expect(judged.map(({ path }) => path).toSorted()).toEqual(
      plain.map(({ path }) => path).toSorted(),
    );
  });

  it('that fails or is slow leaves the order of the search unchanged', async () => {
    const site = await liveSite('judged');
    const plain = await searchSite(depsWith(embedderOf()), site, ask('inflate a bicycle'));
    const failing = depsWith(embedderOf(), { reranks: true, timeoutMs: 400 });
    await searchSite(failing, site, ask('inflate a bicycle'));
    server.failWith = 500;
    expect(await searchSite(failing, site, ask('inflate a bicycle'))).toEqual(plain);
    Object.assign(server, { failWith: undefined, delayMs: 1200 });
    expect(await searchSite(failing, site, ask('inflate a bicycle'))).toEqual(plain);
  });
});
