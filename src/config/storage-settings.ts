import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type S3Config, s3From, s3Settings } from './s3-settings.ts';
import { halfSet, notes } from './setting.ts';

function readDatabaseUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) context.addIssue({ code: 'custom', message: 'not an address' });
  return text;
}

function readRedisUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  if (!url?.hostname || !/^rediss?:$/.test(url.protocol)) context.addIssue({ code: 'custom', message: 'not an address' });
  return text;
}

function readClickHouseUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  if (!url?.hostname || !/^https?:$/.test(url.protocol) || !/^\/\w+$/.test(url.pathname))
    context.addIssue({ code: 'custom', message: 'not an address' });
  return text;
}

/** Settings of what is stored, and where. */
export const storageSettings = {
  DOCENT_DATABASE: z.enum(['embedded', 'postgres']).prefault('embedded').register(notes, {
    expected: 'embedded or postgres',
    meaning:
      'The database: `embedded` keeps it in the data folder; `postgres` is a PostgreSQL server, which several processes can share.',
  }),
  DOCENT_DATABASE_URL: z.string().transform(readDatabaseUrl).optional().register(notes, {
    expected: 'an address such as postgres://user:password@host:5432/name',
    meaning: 'Address of the PostgreSQL server, version 15 or newer; for `DOCENT_DATABASE=postgres`. It is never shown.',
  }),
  DOCENT_BLOBS: z.enum(['file-system', 's3']).prefault('file-system').register(notes, {
    expected: 'file-system or s3',
    meaning:
      'Where files are stored: `file-system` keeps them in the data folder; `s3` in a bucket of any S3-compatible store, which several processes can share.',
  }),
  DOCENT_BLOBS_FOLDER: z.string().optional().register(notes, {
    default: '<DOCENT_DATA>/blobs',
    expected: 'a folder',
    meaning: 'Folder for the files, shared by several processes; each process also has its own data folder.',
  }),
  ...s3Settings,
  DOCENT_SECRET: z.string().min(32).optional().register(notes, {
    default: '<generated once, in the data folder>',
    expected: 'a random text of 32 characters or more',
    meaning:
      'Signs cookies and links that readers send back. With `DOCENT_BLOBS=s3` it must be set, to the same value for all processes. It is never shown.',
  }),
  DOCENT_LIMITER: z.enum(['memory', 'postgres', 'redis']).prefault('memory').register(notes, {
    expected: 'memory, postgres or redis',
    meaning: 'Where rate limits are counted: `memory` suits one process; `postgres` and `redis` count across all processes.',
  }),
  DOCENT_REDIS_URL: z.string().transform(readRedisUrl).optional().register(notes, {
    expected: 'an address such as redis://:password@host:6379/0, or rediss:// for TLS',
    meaning: 'Address of the Redis server, version 6 or newer; for `DOCENT_LIMITER=redis`. It is never shown.',
  }),
  DOCENT_CLICKHOUSE_URL: z.string().transform(readClickHouseUrl).optional().register(notes, {
    expected: 'an address such as https://user:password@host:8443/database',
    meaning:
      'ClickHouse database that stores the analytics events, instead of PostgreSQL; for `DOCENT_DATABASE=postgres`. It is never shown.',
  }),
};

export interface StorageConfig {
  /** The URL may contain a password; its name says so, so that it is never shown. */
  database: { kind: 'embedded'; folder: string } | { kind: 'postgres'; urlWithPassword: string };
  blobs: { kind: 'file-system'; folder: string } | ({ kind: 's3' } & S3Config);
  /** Signs values that are given out and come back. */
  secret: { kind: 'file'; file: string } | { kind: 'set'; secret: string };
  limiter: { kind: 'memory' } | { kind: 'postgres' } | { kind: 'redis'; urlWithPassword: string };
}

const schema = z.object(storageSettings);

/** @throws DocentError `invalid_setting` if a setting lacks another that it requires */
export function databaseFrom(values: z.output<typeof schema> & { DOCENT_DATA: string }): StorageConfig['database'] {
  const { DOCENT_DATABASE: kind, DOCENT_DATABASE_URL: url, DOCENT_DATA: dataFolder, DOCENT_CLICKHOUSE_URL: events } = values;
  if (kind === 'postgres') {
    if (url === undefined)
      throw halfSet('DOCENT_DATABASE_URL', 'DOCENT_DATABASE=postgres needs it; set it to the address of the server.');
    return { kind, urlWithPassword: url };
  }
  if (url !== undefined)
    throw halfSet('DOCENT_DATABASE', 'DOCENT_DATABASE_URL is set, so it must be postgres; set it, or remove the address.');
  // The embedded database has one connection: while ClickHouse is slow, every page would wait for it.
  if (events !== undefined)
    throw halfSet('DOCENT_DATABASE', 'DOCENT_CLICKHOUSE_URL is set, so it must be postgres; set it, or remove the address.');
  return { kind, folder: join(dataFolder, 'database') };
}

/** @throws DocentError `invalid_setting` if a setting lacks another that it requires, or does not apply to the chosen storage */
export function blobsFrom(values: z.output<typeof schema> & { DOCENT_DATA: string }): StorageConfig['blobs'] {
  const { DOCENT_BLOBS: kind, DOCENT_BLOBS_FOLDER: folder, DOCENT_DATA: dataFolder } = values;
  if (kind === 's3') {
    if (folder !== undefined) throw halfSet('DOCENT_BLOBS_FOLDER', 'DOCENT_BLOBS=s3 keeps no files in a folder; remove it.');
    return { kind, ...s3From(values) };
  }
  for (const name of Object.keys(s3Settings) as (keyof typeof s3Settings)[]) {
    if (values[name] !== undefined)
      throw halfSet(
        'DOCENT_BLOBS',
        `${name} is set, so it must be s3; set it, or remove the settings that begin with DOCENT_S3.`,
      );
  }
  return { kind, folder: folder ?? join(dataFolder, 'blobs') };
}

/**
 * Defaults to a secret beside the files, because processes that share them create and accept the same links.
 * @throws DocentError `invalid_setting` if it must be set
 */
export function secretFrom(
  { DOCENT_SECRET: secret }: z.output<typeof schema>,
  blobs: StorageConfig['blobs'],
): StorageConfig['secret'] {
  if (secret !== undefined) return { kind: 'set', secret };
  if (blobs.kind === 'file-system') return { kind: 'file', file: join(dirname(blobs.folder), 'link-secret') };
  throw halfSet(
    'DOCENT_SECRET',
    'DOCENT_BLOBS=s3 needs it; set it to the output of `openssl rand -hex 32`, the same for all processes.',
  );
}

/** @throws DocentError `invalid_setting` if a setting lacks another that it requires */
export function limiterFrom(values: z.output<typeof schema>): StorageConfig['limiter'] {
  const { DOCENT_LIMITER: kind, DOCENT_DATABASE: database, DOCENT_REDIS_URL: redisUrl } = values;
  if (kind === 'postgres' && database !== 'postgres')
    throw halfSet(
      'DOCENT_LIMITER',
      'postgres counts in the database, so DOCENT_DATABASE must be postgres too; set it, or use memory.',
    );
  if (kind === 'redis') {
    if (redisUrl === undefined)
      throw halfSet('DOCENT_REDIS_URL', 'DOCENT_LIMITER=redis needs it; set it to the address of the server.');
    return { kind, urlWithPassword: redisUrl };
  }
  if (redisUrl !== undefined)
    throw halfSet('DOCENT_LIMITER', 'DOCENT_REDIS_URL is set, so it must be redis; set it, or remove the address.');
  return { kind };
}
