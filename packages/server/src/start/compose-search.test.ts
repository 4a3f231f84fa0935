import { expect, it } from 'vitest';
import { fakeClock } from '../../../../test/support/fakes.ts';
import { silentLogger } from '../../../../test/support/silent-logger.ts';
import type { TestApp } from '../../../../test/support/test-app.ts';
import { loadConfig } from '../kernel/config/config.ts';
import { wordSearch } from '../ports/site-search.ts';
import { openSiteSearch } from './compose-search.ts';

const deps = { blobs: {} as TestApp['deps']['blobs'], clock: fakeClock(), logger: silentLogger };

it('sites are searched by words alone if no model is configured', async () => {
  expect(await openSiteSearch(loadConfig({}), deps)).toEqual({ siteSearch: wordSearch });
});

it('a reranker alone needs no embedder', async () => {
  const env = {
    DOCENT_RERANKER: 'openai-compatible:r',
    DOCENT_RERANKER_URL: 'http://localhost:9/v1',
  };
  const { embedder, siteSearch } = await openSiteSearch(loadConfig(env), deps);
  expect(embedder).toBeUndefined();
  expect(siteSearch).not.toBe(wordSearch);
});

it('a missing reranker on disk stops the start with an error that names the setting', async () => {
  const opening = openSiteSearch(loadConfig({ DOCENT_RERANKER: 'onnx:/nowhere/at/all' }), deps);
  await expect(opening).rejects.toThrow('DOCENT_RERANKER: there is no model at /nowhere/at/all');
});
