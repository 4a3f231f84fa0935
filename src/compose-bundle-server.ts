import { createExtractiveModel } from './adapters/chat-model/extractive.ts';
import { createPinoLogger } from './adapters/logger/pino.ts';
import type { BundleKeeper } from './bundle-server/bundle-keeper.ts';
import type { BundleStore } from './bundle-server/bundle-store.ts';
import { type BundleServer, startBundleServer } from './bundle-server/start-bundle-server.ts';
import type { BundleConfig } from './config/bundle-config.ts';
import type { Logger } from './ports/logger.ts';

/**
 * Starts a bundle server with the adapters that its configuration asks for.
 * @throws DocentError as `startBundleServer` does
 */
export async function openBundleServer(config: BundleConfig): Promise<BundleServer> {
  const logger = createPinoLogger({ level: config.logLevel });
  const openParts = [
    ...(config.hasAssistant ? [(store: BundleStore) => openBundleAssistant(config, store, logger)] : []),
    ...(config.analyticsDays === undefined
      ? []
      : [(store: BundleStore) => openBundleAnalytics(config, config.analyticsDays as number, store, logger)]),
    ...(config.hasPlaygroundProxy ? [(store: BundleStore) => openBundlePlayground(config, store, logger)] : []),
  ];
  const metrics = config.hasMetrics ? (keeper: BundleKeeper) => openMetrics(keeper) : undefined;
  return startBundleServer(config, { logger, openParts, openMetrics: metrics });
}

async function openMetrics(keeper: BundleKeeper) {
  const { createBundleMetrics } = await import('./bundle-server/bundle-metrics.ts');
  return createBundleMetrics(keeper);
}

/** What only the assistant needs is loaded only for it: without it the server stays small. */
async function openBundleAssistant(config: BundleConfig, store: BundleStore, logger: Logger) {
  const [{ openAssistant }, { createMemoryRateLimiter }] = await Promise.all([
    import('./bundle-server/open-assistant.ts'),
    import('./adapters/rate-limiter/memory.ts'),
  ]);
  const { limits, trustedProxies, publicUrl } = config;
  return openAssistant({
    store,
    publicUrl,
    config: { limits, trustedProxies },
    limiter: createMemoryRateLimiter(),
    model: await openModel(config.model),
    logger,
    clock: { now: () => new Date() },
  });
}

async function openBundleAnalytics({ trustedProxies }: BundleConfig, keepDays: number, store: BundleStore, logger: Logger) {
  const [{ openBundleAnalytics: open }, { createMemoryRateLimiter }] = await Promise.all([
    import('./bundle-server/analytics/open-analytics.ts'),
    import('./adapters/rate-limiter/memory.ts'),
  ]);
  const limiter = createMemoryRateLimiter();
  return open(store, { keepDays, limiter, config: { trustedProxies }, logger, clock: { now: () => new Date() } });
}

async function openBundlePlayground({ trustedProxies, allowedPrivateRanges }: BundleConfig, store: BundleStore, logger: Logger) {
  const [{ openPlayground }, { createMemoryRateLimiter }, { createHttpOutsideCalls }] = await Promise.all([
    import('./bundle-server/open-playground.ts'),
    import('./adapters/rate-limiter/memory.ts'),
    import('./adapters/outside-files/http-calls.ts'),
  ]);
  const outsideCalls = createHttpOutsideCalls({ allowedRanges: allowedPrivateRanges });
  return openPlayground(store, { outsideCalls, limiter: createMemoryRateLimiter(), config: { trustedProxies }, logger });
}

async function openModel(choice: BundleConfig['model']) {
  if (choice.kind === 'extractive') return createExtractiveModel();
  const { createLanguageModel } = await import('./adapters/chat-model/providers.ts');
  return createLanguageModel(choice);
}
