import { join } from 'node:path';
import { createExtractiveModel } from '../adapters/chat-model/extractive.ts';
import { createPinoLogger } from '../adapters/logger/pino.ts';
import type { BundlePart } from '../bundle-server/bundle-app.ts';
import type { BundleKeeper } from '../bundle-server/bundle-keeper.ts';
import type { BundleStore } from '../bundle-server/bundle-store.ts';
import { type BundleServer, startBundleServer } from '../bundle-server/start-bundle-server.ts';
import type { BundleConfig } from '../kernel/config/bundle-config.ts';
import { halfSet } from '../kernel/config/setting.ts';
import type { Deps } from '../kernel/deps.ts';
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
    access,
  } = config;
  if (!hasAssistant && keepDays === undefined && !hasPlaygroundProxy && access === undefined)
    return [];
  const { createMemoryRateLimiter } = await import('../adapters/rate-limiter/memory.ts');
  const clock = { now: () => new Date() };
  const shared = {
    config: { limits, trustedProxies },
    limiter: createMemoryRateLimiter(),
    logger,
    clock,
  };
  const readers =
    access === undefined ? undefined : await openReaders(access, config, { ...shared, store });
  // First, so that nothing of the other parts is answered to nobody.
  const parts: BundlePart[] = readers ? [readers.part] : [];
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
        readers,
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
          {
            ...shared,
            ...readers?.deps,
            outsideCalls,
            liveSites: bundleSites({
              served,
              store,
              publicUrl: undefined,
              access: readers?.access,
            }),
          },
          () => true,
        );
      },
    });
  }
  return parts;
}

async function openReaders(
  access: string,
  { publicUrl, basePath, secret, cacheFolder, allowedPrivateRanges }: BundleConfig,
  shared: Pick<Deps, 'limiter' | 'logger' | 'clock'> & {
    config: Pick<BundleConfig, 'trustedProxies'>;
    store: BundleStore;
  },
) {
  if (publicUrl === undefined)
    throw halfSet(
      'DOCENT_PUBLIC_URL',
      'DOCENT_BUNDLE_ACCESS needs it; set it to the address where readers open this server.',
    );
  if (new URL(`${publicUrl}/`).pathname !== `${basePath}/`)
    throw halfSet(
      'DOCENT_PUBLIC_URL',
      `its path must be DOCENT_BASE_PATH, "${basePath}", where readers sign in.`,
    );
  const [
    { openBundleReaders },
    { createPasswords },
    { createHttpOutside },
    { createProviderDocuments },
    { loadOrCreateSecret },
  ] = await Promise.all([
    import('../bundle-server/bundle-readers.ts'),
    import('../kernel/access/passwords.ts'),
    import('../adapters/outside-files/http.ts'),
    import('../readers/sign-in/provider-documents.ts'),
    import('../adapters/blob-store/secret-file.ts'),
  ]);
  const outside = createHttpOutside({ allowedRanges: allowedPrivateRanges });
  return openBundleReaders(access, {
    ...shared,
    publicUrl,
    passwords: createPasswords(),
    outsideCalls: outside,
    providerDocuments: createProviderDocuments({ outsideFiles: outside, clock: shared.clock }),
    secret: secret ?? (await loadOrCreateSecret(join(cacheFolder, 'secret'))),
  });
}

async function openModel(choice: BundleConfig['model']) {
  if (choice.kind === 'extractive') return createExtractiveModel();
  const { createLanguageModel } = await import('../adapters/chat-model/providers.ts');
  return createLanguageModel(choice);
}
