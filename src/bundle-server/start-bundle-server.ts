import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { BundleConfig } from '../config/bundle-config.ts';
import { errorMessage } from '../core/error-message.ts';
import { DocentError } from '../core/errors.ts';
import { LISTEN_BACKLOG, listenFault } from '../listen-fault.ts';
import type { Logger } from '../ports/logger.ts';
import { readRequiredKey } from './archive-signature.ts';
import type { Bundle } from './bundle.ts';
import { createBundleHttp } from './bundle-http.ts';
import { addressOf, BundleKeeper } from './bundle-keeper.ts';
import type { BundleMetrics } from './bundle-metrics.ts';
import { BundleStore } from './bundle-store.ts';
import { compressFiles } from './compress-files.ts';
import { followBundle } from './follow-bundle.ts';

/** Answers more than files of the bundle that is served: its questions, the calls of its API pages. */
export interface BundlePart {
  /** Takes a request where its path, inside the base path, is one of its own. @returns whether it did */
  handle(request: IncomingMessage, response: ServerResponse, path: string): boolean;
  /** Another bundle is served from now on. */
  use(bundle: Bundle): void;
  close(): Promise<void>;
}

export interface BundleServerParts {
  logger: Logger;
  openParts?: readonly ((store: BundleStore) => Promise<BundlePart>)[];
  openMetrics?: ((keeper: BundleKeeper) => Promise<BundleMetrics>) | undefined;
}

/** A server that runs. */
export interface BundleServer {
  port: number;
  /** Resolves when there is content. */
  ready: Promise<Bundle>;
  /** Looks now whether another bundle is wanted. */
  look(): void;
  /** Says that it is not ready, serves on for the time of the settings, then ends. */
  close(): Promise<void>;
}

const TIDY_MS = 5 * 60 * 1000;
/** Answers that are being sent may come to their end. */
const CLOSE_GRACE_MS = 4000;

/**
 * Starts a bundle server: it listens at once, serves the local copy as soon as there is one, and follows what is wanted.
 * @throws DocentError `port_in_use`, `invalid_setting`; for a file instead of a link also what is wrong with it, where there is
 *   nothing else to serve
 */
export async function startBundleServer(
  config: BundleConfig,
  { logger, openParts = [], openMetrics }: BundleServerParts,
): Promise<BundleServer> {
  const requiredKey = config.publicKey === undefined ? undefined : readRequiredKey(config.publicKey);
  const store = new BundleStore(config.cacheFolder);
  await store.open().catch((error) => {
    throw folderFault(error, config.cacheFolder);
  });
  const parts = await Promise.all(openParts.map((open) => open(store)));
  const stop = new AbortController();
  let isLeaving = false;
  const ready = Promise.withResolvers<Bundle>();
  const compressing = serially((bundle: Bundle) => compressFiles(bundle, store, stop.signal), logger);
  const keeper = new BundleKeeper({
    config,
    store,
    logger,
    signal: stop.signal,
    requiredKey,
    onSwap(bundle) {
      for (const part of parts) part.use(bundle);
      ready.resolve(bundle);
      compressing(bundle);
    },
  });
  const server = createBundleHttp({
    store,
    bundles: () => keeper,
    fault: () => keeper.fault,
    isAwaiting: () => keeper.isAwaiting,
    basePath: config.basePath,
    metrics: await openMetrics?.(keeper),
    isLeaving: () => isLeaving,
    answers: (request, response, path) => parts.some((part) => part.handle(request, response, path)),
    logger,
  });
  await once(server.listen({ port: config.port, host: config.host, backlog: LISTEN_BACKLOG }), 'listening').catch((error) => {
    throw listenFault(error, config.port);
  });
  await keeper.openLocal();
  // Nobody mends a file while we wait, as they may mend a link.
  if (!keeper.current && !addressOf(config.source().location)) {
    await keeper.check().catch((error) => {
      server.close();
      throw error;
    });
  }
  const follower = followBundle(keeper, { pollSeconds: config.pollSeconds, signal: stop.signal });
  const tidy = () =>
    store
      .tidy([keeper.current, keeper.previous].flatMap((bundle) => bundle?.sha256 ?? []))
      .catch((error: unknown) => logger.warn({ reason: String(error) }, 'the folder of bundles was not tidied'));
  const tidying = setInterval(tidy, TIDY_MS);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    ready: ready.promise,
    look: () => follower.look(),
    async close() {
      isLeaving = true;
      await wait(config.drainSeconds * 1000);
      clearInterval(tidying);
      stop.abort(new Error('the server is stopping'));
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      await closed;
      clearTimeout(cut);
      await Promise.all(parts.map((part) => part.close()));
      await follower.ended;
    },
  };
}

/** Does one after the other; faults are logged, because nobody waits for it. */
function serially<Item>(work: (item: Item) => Promise<void>, logger: Logger): (item: Item) => void {
  let last = Promise.resolve();
  return (item) => {
    last = last
      .then(() => work(item))
      .catch((error: unknown) => {
        logger.warn({ reason: errorMessage(error) }, 'files were not compressed ahead of time');
      });
  };
}

function folderFault(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const message = `The folder ${folder} cannot be used (${code}); set DOCENT_BUNDLE_CACHE to a folder that can be written.`;
  return new DocentError('invalid_setting', message, { cause: error, errors: [{ path: '/DOCENT_BUNDLE_CACHE', message }] });
}
