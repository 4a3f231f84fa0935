import { once } from 'node:events';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { BundleConfig } from '../kernel/config/bundle-config.ts';
import type { Metrics } from '../kernel/http/metrics.ts';
import { encodeBody, isServedCompressed } from '../kernel/http/representations.ts';
import { repeat } from '../kernel/jobs/retry.ts';
import { LISTEN_BACKLOG, listenFault } from '../lib/listen-fault.ts';
import type { Logger } from '../ports/logger.ts';
import { readRequiredKey } from './archive-signature.ts';
import { type BundlePart, createBundleApp } from './bundle-app.ts';
import { BundleKeeper } from './bundle-keeper.ts';
import { type Bundle, BundleStore } from './bundle-store.ts';
import { addressOf } from './request-archive.ts';

interface BundleServerParts {
  logger: Logger;
  openParts: (store: BundleStore) => Promise<BundlePart[]>;
  openMetrics?: ((keeper: BundleKeeper) => Promise<Metrics>) | undefined;
}

export interface BundleServer {
  port: number;
  /** Resolves when there is content. */
  ready: Promise<Bundle>;
  /** Checks now whether another bundle is configured. */
  checkNow(): void;
  /** Reports not ready, serves on for the configured time, then ends. */
  close(): Promise<void>;
}

const TIDY_MS = 5 * 60 * 1000;

/**
 * Starts a bundle server: it listens at once, serves the local copy as soon as there is one, and
 * follows the wanted bundle.
 * @throws DocentError `port_in_use`, `invalid_setting`; for a file instead of a link also the
 *   problem with it, if there is nothing else to serve
 */
export async function startBundleServer(
  config: BundleConfig,
  { logger, openParts, openMetrics }: BundleServerParts,
): Promise<BundleServer> {
  const requiredKey =
    config.publicKey === undefined ? undefined : readRequiredKey(config.publicKey);
  const store = new BundleStore(config.cacheFolder);
  await store.open().catch((error) => {
    throw folderFault(error, config.cacheFolder);
  });
  const stop = new AbortController();
  let isLeaving = false;
  const ready = Promise.withResolvers<Bundle>();
  let compressing = Promise.resolve();
  const keeper = new BundleKeeper({
    config,
    store,
    logger,
    signal: stop.signal,
    requiredKey,
    onSwap(bundle) {
      ready.resolve(bundle);
      compressing = compressing
        .then(() => compressFiles(bundle, store, stop.signal))
        .catch((error: unknown) =>
          logger.warn(
            { reason: errorMessage(error) },
            'files could not be compressed ahead of time',
          ),
        );
    },
  });
  const app = await createBundleApp({
    store,
    served: keeper,
    basePath: config.basePath,
    trustedProxies: config.trustedProxies,
    metrics: await openMetrics?.(keeper),
    isLeaving: () => isLeaving,
    parts: await openParts(store),
    logger,
  });
  await app
    .listen({ port: config.port, host: config.host, backlog: LISTEN_BACKLOG })
    .catch((error) => {
      throw listenFault(error, config.port);
    });
  await keeper.openLocal();
  // A link may be corrected while we wait, but a file will not.
  if (!keeper.current && !addressOf(config.source().location)) {
    await keeper.check().catch(async (error) => {
      await app.close();
      throw error;
    });
  }
  const follower = followBundle(keeper, { pollSeconds: config.pollSeconds, signal: stop.signal });
  const tidy = () =>
    store.tidy([keeper.current, keeper.previous].flatMap((bundle) => bundle?.sha256 ?? []));
  const endTidying = repeat(logger, [
    { run: tidy, everyMs: TIDY_MS, failure: 'old bundles could not be cleaned up' },
  ]);
  return {
    port: (app.server.address() as AddressInfo).port,
    ready: ready.promise,
    checkNow: () => follower.checkNow(),
    async close() {
      isLeaving = true;
      await wait(config.drainSeconds * 1000);
      await endTidying();
      stop.abort(new Error('the server is stopping'));
      await app.close();
      await follower.ended;
    },
  };
}

function folderFault(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const message = `The folder ${folder} cannot be used (${code}); set DOCENT_BUNDLE_CACHE to a writable folder.`;
  return new DocentError('invalid_setting', message, {
    cause: error,
    errors: [{ path: '/DOCENT_BUNDLE_CACHE', message }],
  });
}

/**
 * Creates the missing compressed forms of a bundle's files, one after another. Until they exist,
 * the server compresses on request. The bytes are the same.
 */
async function compressFiles(
  { files }: Bundle,
  store: BundleStore,
  signal: AbortSignal,
): Promise<void> {
  const hashes = new Set(
    [...files.values()].filter(isServedCompressed).map(({ sha256 }) => sha256),
  );
  for (const sha256 of hashes) {
    for (const encoding of ['br', 'gzip'] as const) {
      if (signal.aborted) return;
      const path = store.filePath(sha256, encoding);
      if (await stat(path).catch(() => undefined)) continue;
      const unfinished = store.workFile(basename(path));
      await writeFile(
        unfinished,
        await encodeBody(await readFile(store.filePath(sha256)), encoding),
      );
      await rename(unfinished, path);
    }
  }
}

const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 60;

/**
 * Starts to follow the wanted bundle: checks for another one now, at every poll, on request, and
 * again after a temporary error. The keeper reports errors.
 * @param pollSeconds 0: only on request
 */
function followBundle(
  keeper: BundleKeeper,
  { pollSeconds, signal }: { pollSeconds: number; signal: AbortSignal },
) {
  let recheck = new AbortController();
  let failures = 0;

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const stop = AbortSignal.any([signal, recheck.signal]);
      const fault = await keeper.check().then(
        () => undefined,
        (error: unknown) => error,
      );
      failures = fault === undefined ? 0 : failures + 1;
      const seconds = secondsUntilNext(fault);
      if (seconds !== undefined)
        await wait(seconds * 1000, undefined, { signal: stop }).catch(() => {});
      else if (!stop.aborted) await once(stop, 'abort');
    }
  }

  /**
   * If the wanted bundle was never available, every error is retried: the content of the link may
   * be corrected.
   */
  function secondsUntilNext(fault: unknown): number | undefined {
    const poll = pollSeconds > 0 ? pollSeconds : undefined;
    if (fault === undefined) return poll;
    const mayPass =
      !(fault instanceof DocentError) ||
      fault.code === 'dependency_unavailable' ||
      !keeper.current ||
      keeper.isAwaiting;
    if (!mayPass) return poll;
    const retry = Math.min(
      MAX_RETRY_SECONDS,
      FIRST_RETRY_SECONDS * 2 ** Math.min(failures - 1, 10),
    );
    return Math.min(retry, poll ?? retry);
  }

  return {
    /** Checks now; the settings may have changed. */
    checkNow() {
      recheck.abort();
      recheck = new AbortController();
    },
    /** Resolves when it has ended, after its signal. */
    ended: follow(),
  };
}
