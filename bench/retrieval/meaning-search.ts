import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openFileSystemBlobStore } from '../../src/adapters/blob-store/file-system.ts';
import { createPinoLogger } from '../../src/adapters/logger/pino.ts';
import { describeFile } from '../../src/compiler/bundle/file-sink.ts';
import { openSiteSearch } from '../../src/compose-search.ts';
import { loadConfig } from '../../src/config.ts';
import { loadSearchIndex } from '../../src/core/search/index/load-search-index.ts';
import type { SearchHit, SearchOptions } from '../../src/core/search/search-index.ts';
import { embeddedTexts } from '../../src/services/semantic/embedded-texts.ts';
import { makeVectors } from '../../src/services/semantic/make-vectors.ts';
import { readVectors, vectorsKey } from '../../src/services/semantic/vector-files.ts';
import type { LiveSite } from '../../src/services/sites/live-sites.ts';

/** Returns the search that the server would use with the models in the environment; computes the vectors first. */
export async function meaningSearch(index: Uint8Array): Promise<(query: string, options: SearchOptions) => Promise<SearchHit[]>> {
  const folder = fileURLToPath(new URL('../../.cache/bench-vectors', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const clock = { now: () => new Date() };
  const logger = createPinoLogger({ level: 'warn' });
  const blobs = await openFileSystemBlobStore({ folder, linkBaseUrl: 'http://localhost', secret: 'none', clock });
  // Nobody waits here, so the models have no time limit.
  const waits = { DOCENT_EMBEDDINGS_TIMEOUT_MS: '60000', DOCENT_RERANKER_TIMEOUT_MS: '60000' };
  const { embedder, siteSearch } = await openSiteSearch(loadConfig({ ...process.env, ...waits }), { blobs, clock, logger });
  const searchIndex = describeFile(index, 'application/octet-stream');
  if (embedder) {
    const key = vectorsKey(searchIndex.sha256, embedder.name);
    const { signal } = new AbortController();
    const making = {
      embedder,
      sections: await embeddedTexts(index, embedder),
      key,
      siteId: 'bench',
      deploymentId: 'bench',
      signal,
    };
    await makeVectors(blobs, making, await readVectors(blobs, key));
  }
  const site = { build: { searchIndex }, searchIndex: async () => loadSearchIndex(index) } as unknown as LiveSite;
  return (query, options) => siteSearch.hits(site, query, options);
}
