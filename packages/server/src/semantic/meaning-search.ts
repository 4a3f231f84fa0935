import { BoundedCache } from '@docent/format/bounded-cache.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { embeddingText } from '@docent/search/embedding-text.ts';
import type { SearchHit } from '@docent/search/search-index.ts';
import { addSimilar } from '@docent/search/section-vectors.ts';
import type { Deps } from '../kernel/deps.ts';
import { inTime } from '../lib/in-time.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { SiteSearch } from '../ports/site-search.ts';
import { openSiteVectors } from './vector-files.ts';

/** A model, and how long a question waits for it. */
interface Timed<Model> {
  model: Model;
  timeoutMs: number;
}

type SearchDeps = Pick<Deps, 'blobs' | 'clock' | 'logger'> & { maxVectorBytes: number };

/**
 * Searches by words, and by meaning if there is an embedding model, and orders the best results
 * with a reranker.
 */
export function createMeaningSearch(
  deps: SearchDeps,
  {
    embedder,
    reranker,
  }: { embedder?: Timed<Embedder> | undefined; reranker?: Timed<Reranker> | undefined },
): SiteSearch {
  const similarities = embedder && createSimilarities(deps, embedder);
  const rerank = reranker && createRerank(deps, reranker);
  return {
    async hits(site, query, options) {
      const [index, similar] = await Promise.all([site.searchIndex(), similarities?.(site, query)]);
      const hits = index.search(query, {
        ...options,
        ...(similar && { addMeaning: addSimilar(similar) }),
      });
      return rerank ? rerank(query, hits) : hits;
    },
  };
}

function createSimilarities(deps: SearchDeps, { model, timeoutMs }: Timed<Embedder>) {
  const guard = createProviderGuard({ ...deps, what: 'embedding model', timeoutMs });
  const files = createProviderGuard({ ...deps, what: 'store of vectors', timeoutMs });
  const vectorsOf = openSiteVectors(deps, model.name, deps.maxVectorBytes);
  const questionVector = createQuestionVectors(model);
  return async (site: LiveSite, query: string): Promise<Float32Array | undefined> => {
    if (query.trim() === '') return undefined;
    const scan = await files(() => vectorsOf(site.build.searchIndex.sha256, site.organizationId));
    // Without vectors of the site, the provider is not called.
    if (scan === undefined) return undefined;
    return guard(async (signal) =>
      scan.similarities(await questionVector(site.organizationId, query, signal)),
    );
  };
}

function createRerank(deps: SearchDeps, { model, timeoutMs }: Timed<Reranker>) {
  const guard = createProviderGuard({ ...deps, what: 'reranker', timeoutMs });
  return async (query: string, hits: SearchHit[]): Promise<SearchHit[]> =>
    (await guard((signal) => rerankHits(model, query, hits, signal))) ?? hits;
}

/** A vector is a few kilobytes. */
const MAX_QUESTION_BYTES = 8 * 1024 * 1024;

/**
 * Caches the vectors of the latest questions: the same ones are asked again and again. The function
 * throws a ProviderFault; failures are not cached.
 */
function createQuestionVectors(embedder: Embedder) {
  const cache = new BoundedCache<{ organizationId: string; vector: Float32Array }>(
    'question_vectors',
    {
      maxBytes: MAX_QUESTION_BYTES,
      sizeOf: ({ vector }) => vector.byteLength,
      ownerOf: ({ organizationId }) => organizationId,
    },
  );
  return async (
    organizationId: string,
    question: string,
    signal: AbortSignal,
  ): Promise<Float32Array> => {
    const { vector } = await cache.load(question, async () => {
      const [first] = await embedder.embed([question], 'query', signal);
      return { organizationId, vector: first as Float32Array };
    });
    return vector;
  };
}

/**
 * Results below these are seldom relevant; most of these models read about five hundred tokens of
 * each.
 */
const READS = { maxPassages: 30, maxCharacters: 2000 };

/**
 * Puts the best hits in the reranker's order, with its scores. Hits that it did not read come after
 * them; pages that the query refers to by name stay before them.
 * @throws ProviderFault
 */
async function rerankHits(
  reranker: Reranker,
  query: string,
  hits: readonly SearchHit[],
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const named = hits.filter((hit) => hit.isNamed);
  const unnamed = hits.filter((hit) => !hit.isNamed);
  const { maxPassages, maxCharacters } = reranker.reads ?? READS;
  const read = unnamed.slice(0, maxPassages);
  if (read.length < 2) return [...hits];
  const passages = read.map(({ document }) => embeddingText(document, maxCharacters));
  const scores = await reranker.rerank(query, passages, signal);
  const judged = read.map((hit, at) => ({ ...hit, score: scores[at] as number }));
  // Sorting is stable: equals keep the order of the search.
  judged.sort((a, b) => b.score - a.score);
  const least = judged.at(-1)?.score ?? 0;
  const rest = unnamed
    .slice(maxPassages)
    .map((hit) => ({ ...hit, score: Math.min(hit.score, least) }));
  const best = judged[0]?.score ?? 0;
  return [
    ...named.map((hit) => ({ ...hit, score: Math.max(hit.score, best) })),
    ...judged,
    ...rest,
  ];
}

/** After this many consecutive failures, questions do not wait for the provider for a while. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 10_000;

/**
 * Calls a provider that a question can do without. One that is down costs readers a few slow
 * questions and one log line, however long it is down.
 * @param what for the log: `embedding model`
 * @returns a function that returns the result of a call; undefined if it fails, takes too long, or
 *   the provider is paused. It never throws.
 */
export function createProviderGuard({
  what,
  timeoutMs,
  clock,
  logger,
}: { what: string; timeoutMs: number } & Pick<Deps, 'clock' | 'logger'>) {
  let failures = 0;
  let restsUntil = 0;
  return async <Value>(
    call: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value | undefined> => {
    if (clock.now().getTime() < restsUntil) return undefined;
    const late = new AbortController();
    try {
      const answer = await inTime(call(late.signal), timeoutMs, () => {
        const error = new Error(`No response within ${timeoutMs} ms.`);
        late.abort(error);
        throw error;
      });
      if (failures > 0) logger.info({}, `the ${what} responds again`);
      failures = 0;
      return answer;
    } catch (error) {
      failures++;
      if (failures === 1)
        logger.warn({ reason: errorMessage(error) }, `the ${what} failed; searching without it`);
      if (failures >= FAILURES_BEFORE_REST) restsUntil = clock.now().getTime() + REST_MS;
      return undefined;
    }
  };
}
