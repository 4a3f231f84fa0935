import { requireInstalled } from '@docent/compiler/process/optional-packages.ts';
import { DocentError } from '@docent/format/errors.ts';
import { openFileSystemBlobStore } from '../adapters/blob-store/file-system.ts';
import { createExtractiveModel } from '../adapters/chat-model/extractive.ts';
import { createMemoryRateLimiter } from '../adapters/rate-limiter/memory.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { isImmutableKey } from '../kernel/sites/site-blobs.ts';
import { folderFault, unusable } from './open-database.ts';

/** A bucket serves its own links, so they need no verifier here. */
export async function openBlobs(
  { blobs, publicUrl }: Config,
  secret: string,
  clock: Deps['clock'],
): Promise<Pick<Deps, 'blobs' | 'linkVerifier'>> {
  if (blobs.kind === 'file-system') {
    const store = await openFileSystemBlobStore({
      folder: blobs.folder,
      linkBaseUrl: publicUrl,
      secret,
      clock,
    });
    return { blobs: store, linkVerifier: store };
  }
  const { openS3BlobStore } = await import('../adapters/blob-store/s3.ts');
  const store = await openS3BlobStore({ settings: blobs, clock }).catch((error: Error) => {
    throw new DocentError('invalid_setting', error.message, { cause: error });
  });
  return { blobs: store };
}

/**
 * Returns the cache of a bucket on disk, for what readers request; undefined if there is none,
 * because files are on disk anyway.
 */
export async function openSiteCache(
  { blobs }: Config,
  store: Deps['blobs'],
  logger: Deps['logger'],
) {
  if (blobs.kind === 'file-system' || blobs.cache.bytes === 0) return undefined;
  const { openDiskCache } = await import('../adapters/blob-store/disk-cache.ts');
  const { folder, bytes: maxBytes } = blobs.cache;
  return openDiskCache({ store, folder, maxBytes, isImmutable: isImmutableKey, logger }).catch(
    (error) => {
      throw folderFault(error, folder);
    },
  );
}

/** Returns the table of analytics events if they are stored outside the platform's database. */
export async function openEvents(config: Config['clickHouse']) {
  if (!config) return undefined;
  requireInstalled('DOCENT_CLICKHOUSE_URL', '@clickhouse/client');
  const { openClickHouseEvents } = await import('../adapters/analytics-store/clickhouse-events.ts');
  return openClickHouseEvents(config.urlWithPassword).catch(
    unusable('DOCENT_CLICKHOUSE_URL', 'ClickHouse'),
  );
}

export async function openLimiter(
  config: Config['limiter'],
  database: Deps['database'],
  logger: Deps['logger'],
): Promise<Deps['limiter']> {
  if (config.kind === 'memory') return createMemoryRateLimiter();
  if (config.kind === 'redis') {
    const { openRedisRateLimiter } = await import('../adapters/rate-limiter/redis.ts');
    return openRedisRateLimiter({ url: config.urlWithPassword, logger }).catch(
      unusable('DOCENT_REDIS_URL', 'Redis'),
    );
  }
  const { openPostgresRateLimiter } = await import('../adapters/rate-limiter/postgres.ts');
  return openPostgresRateLimiter(database);
}

/** The packages of a provider are loaded only if one is used. */
export async function openModel(config: Config['model']): Promise<Deps['model']> {
  if (config.kind === 'extractive') return createExtractiveModel();
  const { createLanguageModel } = await import('../adapters/chat-model/providers.ts');
  return createLanguageModel(config);
}

/**
 * Logs how much of a question fits the model. Nothing waits for it: the server of the model may
 * still be starting.
 */
export async function logModelNote(config: Config['model'], logger: Deps['logger']): Promise<void> {
  if (config.kind === 'extractive') return;
  const { noteOfModel } = await import('../adapters/chat-model/model-note.ts');
  const note = await noteOfModel(config);
  if (note?.isWarning) logger.warn({ model: config.model }, note.text);
  else if (note) logger.info({ model: config.model }, note.text);
}

export async function openMailer(config: Config['mail']): Promise<Deps['mailer']> {
  if (!config) return undefined;
  const { createSmtpMailer } = await import('../adapters/mailer/smtp.ts');
  return createSmtpMailer(config);
}

export async function openFurtherModels(choices: Config['models']): Promise<Deps['models']> {
  if (Object.keys(choices).length === 0) return new Map();
  const { createLanguageModel } = await import('../adapters/chat-model/providers.ts');
  return new Map(
    Object.entries(choices).map(([name, choice]) => [name, createLanguageModel(choice)]),
  );
}
