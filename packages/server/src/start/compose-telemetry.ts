import { requireInstalled } from '@docent/compiler/process/optional-packages.ts';
import manifest from '../../../../package.json' with { type: 'json' };
import type { TelemetryConfig } from '../kernel/config/telemetry-settings.ts';
import type { Deps } from '../kernel/deps.ts';
import type { QueryReport } from '../ports/database.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Reranker } from '../ports/reranker.ts';

/** How the parts of the platform are measured; without telemetry they are returned as they are. */
export interface Traced {
  telemetry: Deps['telemetry'];
  onQuery: ((query: QueryReport) => void) | undefined;
  blobs(store: Deps['blobs'], kind: 's3' | 'file-system'): Deps['blobs'];
  model(model: Deps['model']): Deps['model'];
  embedder(embedder: Embedder): Embedder;
  reranker(reranker: Reranker): Reranker;
  calls(calls: Deps['outsideCalls']): Deps['outsideCalls'];
  jobs(queue: Deps['jobs']): Deps['jobs'];
  close(): Promise<void>;
}

export const untraced: Traced = {
  telemetry: undefined,
  onQuery: undefined,
  blobs: (store) => store,
  model: (model) => model,
  embedder: (embedder) => embedder,
  reranker: (reranker) => reranker,
  calls: (calls) => calls,
  jobs: (queue) => queue,
  close: async () => {},
};

const TELEMETRY_PACKAGES =
  `api core exporter-metrics-otlp-proto exporter-trace-otlp-proto resources sdk-metrics sdk-trace`
    .split(' ')
    .map((name) => `@opentelemetry/${name}`);

/**
 * Loads and starts OpenTelemetry. @throws DocentError `invalid_setting` if its packages are not
 * installed
 */
export async function openTraced(
  config: TelemetryConfig,
  { processId, logger }: { processId: string; logger: Deps['logger'] },
): Promise<Traced> {
  requireInstalled('OpenTelemetry', ...TELEMETRY_PACKAGES);
  const [
    { openTelemetry },
    { traceBlobs, traceCalls, traceEmbedder, traceJobs, traceModel, traceQueries, traceReranker },
  ] = await Promise.all([
    import('../adapters/telemetry/open-telemetry.ts'),
    import('../adapters/telemetry/traced-parts.ts'),
  ]);
  const telemetry = openTelemetry({ ...config, version: manifest.version, processId, logger });
  const traced = { ...untraced, telemetry, close: telemetry.close };
  if (!config.traces) return traced;
  return {
    ...traced,
    onQuery: traceQueries(telemetry),
    blobs: (store, kind) => traceBlobs(store, telemetry, kind),
    model: (model) => traceModel(model, telemetry),
    embedder: (embedder) => traceEmbedder(embedder, telemetry),
    reranker: (reranker) => traceReranker(reranker, telemetry),
    calls: (calls) => traceCalls(calls, telemetry),
    jobs: (queue) => traceJobs(queue, telemetry),
  };
}
