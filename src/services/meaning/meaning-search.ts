import { addSimilar } from '../../core/search/fuse-ranks.ts';
import type { SearchHit } from '../../core/search/search-index.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Reranker } from '../../ports/reranker.ts';
import type { Deps } from '../deps.ts';
import type { LiveSite } from '../live-sites.ts';
import type { SiteSearch } from '../site-search.ts';
import { createProviderGuard } from './provider-guard.ts';
import { createQuestionVectors } from './question-vectors.ts';
import { rerankHits } from './rerank-hits.ts';
import { openSiteVectors } from './site-vectors.ts';

export interface MeaningSearchOptions {
  embedder?: { model: Embedder; timeoutMs: number } | undefined;
  reranker?: { model: Reranker; timeoutMs: number } | undefined;
}

type SearchDeps = Pick<Deps, 'blobs' | 'clock' | 'logger'>;

/** Searches by words, beside that by meaning where there is an embedding model, and puts the best in a reranker's order. */
export function createMeaningSearch(deps: SearchDeps, { embedder, reranker }: MeaningSearchOptions): SiteSearch {
  const similarities = embedder && createSimilarities(deps, embedder);
  const rerank = reranker && createRerank(deps, reranker);
  return {
    async hits(site, query, options) {
      const [index, similar] = await Promise.all([site.searchIndex(), similarities?.(site, query)]);
      // Vectors of another index would name other sections.
      const addMeaning = similar?.length === index.documentCount ? addSimilar(similar) : undefined;
      const hits = index.search(query, { ...options, addMeaning });
      return rerank ? rerank(query, hits) : hits;
    },
  };
}

function createSimilarities(deps: SearchDeps, { model, timeoutMs }: { model: Embedder; timeoutMs: number }) {
  const guard = createProviderGuard({ ...deps, what: 'embedding model', timeoutMs });
  const files = createProviderGuard({ ...deps, what: 'store of vectors', timeoutMs });
  const vectors = openSiteVectors(deps, model.name);
  const questions = createQuestionVectors(model);
  return async (site: LiveSite, query: string): Promise<Float32Array | undefined> => {
    if (query.trim() === '') return undefined;
    const scan = await files.attempt(() => vectors.of(site.build.searchIndex.sha256));
    // A site whose vectors are not there yet asks nobody.
    if (scan === undefined) return undefined;
    return guard.attempt(async (signal) => scan.similarities(await questions.of(query, signal)));
  };
}

function createRerank(deps: SearchDeps, { model, timeoutMs }: { model: Reranker; timeoutMs: number }) {
  const guard = createProviderGuard({ ...deps, what: 'reranker', timeoutMs });
  return async (query: string, hits: SearchHit[]): Promise<SearchHit[]> =>
    (await guard.attempt((signal) => rerankHits(model, query, hits, signal))) ?? hits;
}
