import { addSimilar } from '../../core/search/fuse-ranks.ts';
import type { SearchHit, SearchIndex, SearchOptions } from '../../core/search/search-index.ts';
import { meaningWeights } from '../../core/search/second-stage/meaning-weights.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Reranker } from '../../ports/reranker.ts';
import type { Deps } from '../deps.ts';
import type { SiteSearch } from '../search/site-search.ts';
import type { LiveSite } from '../sites/live-sites.ts';
import { createProviderGuard } from './provider-guard.ts';
import { createQuestionVectors } from './question-vectors.ts';
import { rerankHits } from './rerank-hits.ts';
import { openSiteVectors } from './site-vectors.ts';

export interface MeaningSearchOptions {
  embedder?: { model: Embedder; timeoutMs: number } | undefined;
  reranker?: { model: Reranker; timeoutMs: number } | undefined;
}

type SearchDeps = Pick<Deps, 'blobs' | 'clock' | 'logger'>;

/** Searches by words, and by meaning if there is an embedding model, and orders the best results with a reranker. */
export function createMeaningSearch(deps: SearchDeps, { embedder, reranker }: MeaningSearchOptions): SiteSearch {
  const similarities = embedder && createSimilarities(deps, embedder);
  const rerank = reranker && createRerank(deps, reranker);
  return {
    async hits(site, query, options) {
      const [index, similar] = await Promise.all([site.searchIndex(), similarities?.(site, query, options)]);
      const hits = index.search(query, { ...options, ...meaningOf(index, similar, embedder?.model) });
      return rerank ? rerank(query, hits) : hits;
    },
  };
}

/** Vectors of another index, which would refer to other sections or pages, are ignored. */
function meaningOf(
  index: SearchIndex,
  similar: Float32Array | undefined,
  model: Embedder | undefined,
): Pick<SearchOptions, 'addMeaning' | 'pageMeaning'> {
  if (similar === undefined) return {};
  if (model?.embeds === 'pages') return { pageMeaning: { nearness: similar, weights: meaningWeights } };
  return similar.length === index.documentCount ? { addMeaning: addSimilar(similar) } : {};
}

/** The model that embeds pages knows only English; in other languages its vectors are meaningless. */
function isKnownLanguage({ embeds }: Embedder, { filter, defaults }: SearchOptions): boolean {
  const language = filter?.language ?? defaults?.language;
  return embeds === 'sections' || language === undefined || /^en\b/i.test(language);
}

function createSimilarities(deps: SearchDeps, { model, timeoutMs }: { model: Embedder; timeoutMs: number }) {
  const guard = createProviderGuard({ ...deps, what: 'embedding model', timeoutMs });
  const files = createProviderGuard({ ...deps, what: 'store of vectors', timeoutMs });
  const vectors = openSiteVectors(deps, model.name);
  const questions = createQuestionVectors(model);
  return async (site: LiveSite, query: string, options: SearchOptions): Promise<Float32Array | undefined> => {
    if (query.trim() === '' || !isKnownLanguage(model, options)) return undefined;
    const scan = await files.attempt(() => vectors.of(site.build.searchIndex.sha256));
    // Without vectors of the site, the provider is not called.
    if (scan === undefined) return undefined;
    return guard.attempt(async (signal) => scan.similarities(await questions.of(query, signal)));
  };
}

function createRerank(deps: SearchDeps, { model, timeoutMs }: { model: Reranker; timeoutMs: number }) {
  const guard = createProviderGuard({ ...deps, what: 'reranker', timeoutMs });
  return async (query: string, hits: SearchHit[]): Promise<SearchHit[]> =>
    (await guard.attempt((signal) => rerankHits(model, query, hits, signal))) ?? hits;
}
