import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeModels, startFakeModels } from '../support/fake-models.ts';
import { call, until } from '../support/http.ts';
import { postgresBin, startPostgres, type TestPostgres } from '../support/postgres.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

const KEY = 'sk-very-secret-4711';
/** No page contains this word; the toy model finds something similar. */
const QUESTION = 'velocipede';

describe.skipIf(postgresBin === undefined)('two processes with one embedding model', () => {
  let models: FakeModels;
  let server: TestPostgres;
  let shared: string;
  let docents: RunningDocent[] = [];

  beforeAll(async () => {
    [models, server, shared] = await Promise.all([
      startFakeModels(),
      startPostgres(),
      temporaryFolder(),
    ]);
    const env = {
      DOCENT_DATABASE: 'postgres',
      DOCENT_DATABASE_URL: await server.createDatabase(),
      DOCENT_BLOBS_FOLDER: join(shared, 'blobs'),
      DOCENT_EMBEDDINGS: 'openai-compatible:toy',
      DOCENT_EMBEDDINGS_URL: models.url,
      DOCENT_EMBEDDINGS_API_KEY: KEY,
      DOCENT_EMBEDDINGS_TIMEOUT_MS: '5000',
      DOCENT_LOG_LEVEL: 'info',
    };
    docents = [await startDocent({ env })];
    docents.push(await startDocent({ env }));
  }, 300_000);
  afterAll(async () => {
    for (const docent of docents) await docent.stop();
    await server.stop();
    await models.close();
    await rm(shared, { recursive: true, force: true });
    await removeTemporaryFolders();
  });

  const [one, two] = [() => docents[0] as RunningDocent, () => docents[1] as RunningDocent];
  const search = async (docent: RunningDocent) => {
    const body = { query: QUESTION, pageSize: 5 };
    const found = await (
      await call(docent, one().assistantKey, 'POST', '/v1/search/docent', body)
    ).json();
    return (found as { path: string }[]).map(({ path }) => path);
  };

  test('find the same pages with vectors that are computed only once, and never log the API key', async () => {
    const found = await until(async () => {
      const pages = await search(one());
      return pages.length > 0 ? pages : undefined;
    });
    const other = await until(async () => {
      const pages = await search(two());
      return pages.length > 0 ? pages : undefined;
    });
    expect(other).toEqual(found);
    const documents = models.texts().filter((text) => text !== QUESTION);
    expect(documents.length).toBeGreaterThan(3);
    expect(new Set(documents).size).toBe(documents.length);
    expect(new Set(models.requests.map(({ key }) => key))).toEqual(new Set([`Bearer ${KEY}`]));
    expect(docents.map((docent) => docent.log()).join()).not.toContain(KEY);
  });

  test('also embed the questions to an assistant', async () => {
    const question = { fp: 'anonymous', messages: [{ role: 'user', content: 'penny-farthing' }] };
    const answer = await call(
      two(),
      one().assistantKey,
      'POST',
      '/v2/assistant/docent/message',
      question,
    );
    expect(await answer.text()).toContain('"type":"finish"');
    expect(models.texts()).toContain('penny-farthing');
  });
});
