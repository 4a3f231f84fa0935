import { errorMessage } from '@docent/format/error-message.ts';
import type { Config } from '../kernel/config/config.ts';
import { halfSet } from '../kernel/config/setting.ts';
import type { Deps } from '../kernel/deps.ts';
import { type BackgroundTask, repeat } from '../kernel/jobs/retry.ts';
import type { Closers } from '../lib/closers.ts';
import { embedSiteJob } from '../ports/jobs.ts';
import { wordSearch } from '../ports/site-search.ts';
import { HOUR_MS } from './background-tasks.ts';
import { type Traced, untraced } from './compose-telemetry.ts';

type SearchConfig = Pick<Config, 'embeddings' | 'reranker' | 'siteCacheBytes'>;

/**
 * Returns the configured site search. If neither model is set, nothing of semantic search is
 * loaded.
 */
export async function openSiteSearch(
  { embeddings, reranker, siteCacheBytes }: SearchConfig,
  deps: Pick<Deps, 'blobs' | 'clock' | 'logger'>,
  traced: Pick<Traced, 'embedder' | 'reranker'> = untraced,
): Promise<Pick<Deps, 'embedder' | 'siteSearch'>> {
  if (embeddings.kind === 'off' && reranker.kind === 'off') return { siteSearch: wordSearch };
  const [{ createMeaningSearch }, embedder, judge] = await Promise.all([
    import('../semantic/meaning-search.ts'),
    openEmbedder(embeddings, traced),
    openReranker(reranker, traced),
  ]);
  const siteSearch = createMeaningSearch(
    { ...deps, maxVectorBytes: siteCacheBytes },
    { embedder, reranker: judge },
  );
  return { embedder: embedder?.model, siteSearch };
}

async function openEmbedder(choice: Config['embeddings'], traced: Pick<Traced, 'embedder'>) {
  if (choice.kind === 'off') return undefined;
  const { createEmbedder } = await import('../adapters/embedder/providers.ts');
  return { model: traced.embedder(createEmbedder(choice)), timeoutMs: choice.timeoutMs };
}

async function openReranker(choice: Config['reranker'], traced: Pick<Traced, 'reranker'>) {
  if (choice.kind === 'off') return undefined;
  const { createReranker } = await import('../adapters/reranker/providers.ts');
  try {
    return { model: traced.reranker(createReranker(choice)), timeoutMs: choice.timeoutMs };
  } catch (error) {
    throw halfSet('DOCENT_RERANKER', errorMessage(error));
  }
}

/** Starts computing the vectors of published sites, if there is an embedding model. */
export async function startEmbedding(deps: Deps, closers: Closers): Promise<void> {
  const { embedder, jobs } = deps;
  if (!embedder) return;
  const { embedSite, enqueueMissingVectors } = await import('../semantic/embed-site.ts');
  await jobs.work(embedSiteJob, ({ deploymentId }, context) =>
    embedSite(deps, embedder, deploymentId, context),
  );
  const addMissing: BackgroundTask = {
    run: () => enqueueMissingVectors(deps, embedder),
    everyMs: HOUR_MS,
    firstMs: 5000,
    failure: 'missing vectors could not be checked',
  };
  closers.add('missing vectors', repeat(deps.logger, [addMissing]));
}
