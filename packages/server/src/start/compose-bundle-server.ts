import { createExtractiveModel } from '../adapters/chat-model/extractive.ts';
import { createPinoLogger } from '../adapters/logger/pino.ts';
import type { BundlePart } from '../bundle-server/bundle-app.ts';
import type { BundleKeeper } from '../bundle-server/bundle-keeper.ts';
import type { BundleStore } from '../bundle-server/bundle-store.ts';
import { type BundleServer, startBundleServer } from '../bundle-server/start-bundle-server.ts';
import type { BundleConfig } from '../kernel/config/bundle-config.ts';
import type { EventCollector } from '../kernel/process-state.ts';
import type { Logger } from '../ports/logger.ts';

/**
 * Starts a bundle server with the configured adapters.
 * @throws DocentError like `startBundleServer`
 */
export async function openBundleServer(config: BundleConfig): Promise<BundleServer> {
  const logger = createPinoLogger({ level: config.logLevel });
  return startBundleServer(config, {
    logger,
    openParts: (store) => openParts(config, store, logger),
    openMetrics: config.hasMetrics ? openMetrics : undefined,
  });
}

async function openMetrics(keeper: BundleKeeper) {
  const { createBundleMetrics } = await import('../bundle-server/bundle-metrics.ts');
  return createBundleMetrics(keeper);
}

/**
 * The dependencies of optional parts are loaded only if needed: without them the server stays
 * small.
 */
async function openParts(
  config: BundleConfig,
  store: BundleStore,
  logger: Logger,
): Promise<BundlePart[]> {
  const {
    hasAssistant,
    analyticsDays: keepDays,
    hasPlaygroundProxy,
    limits,
    trustedProxies,
    publicUrl,
    basePath,
  } = config;
  if (!hasAssistant && keepDays === undefined && !hasPlaygroundProxy) return [];
  const { createMemoryRateLimiter } = await import('../adapters/rate-limiter/memory.ts');
  const clock = { now: () => new Date() };
  const shared = {
    config: { limits, trustedProxies },
    limiter: createMemoryRateLimiter(),
    logger,
    clock,
  };
  const parts: BundlePart[] = [];
  let analytics: EventCollector | undefined;
  if (keepDays !== undefined) {
    const { openBundleAnalytics } = await import('../bundle-server/analytics.ts');
    const part = await openBundleAnalytics(store, { ...shared, keepDays });
    analytics = part.analytics;
    parts.push(part);
  }
  if (hasAssistant) {
    const { openAssistant } = await import('../bundle-server/open-assistant.ts');
    parts.push(
      openAssistant({
        ...shared,
        store,
        publicUrl,
        basePath,
        analytics,
        model: await openModel(config.model),
      }),
    );
  }
  if (hasPlaygroundProxy) {
    const [{ bundleSites }, { sitePlaygroundRoutes }, { createHttpOutside }] = await Promise.all([
      import('../bundle-server/bundle-site.ts'),
      import('../playground/routes.ts'),
      import('../adapters/outside-files/http.ts'),
    ]);
    const outsideCalls = createHttpOutside({ allowedRanges: config.allowedPrivateRanges });
    parts.push({
      addRoutes(app, served) {
        // A bundle has no settings of its site; each page says whether its calls are proxied.
        sitePlaygroundRoutes(
          app,
          { ...shared, outsideCalls, liveSites: bundleSites(served, store, undefined) },
          () => true,
        );
      },
    });
  }
  return parts;
}

async function openModel(choice: BundleConfig['model']) {
  if (choice.kind === 'extractive') return createExtractiveModel();
  const { createLanguageModel } = await import('../adapters/chat-model/providers.ts');
  return createLanguageModel(choice);
}
