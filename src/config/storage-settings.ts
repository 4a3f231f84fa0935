import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { s3From, s3Settings } from './s3-settings.ts';
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

/** Settings of what is kept, and where. */
export const storageSettings = {
  DOCENT_DATABASE: z.enum(['embedded', 'postgres']).prefault('embedded').register(notes, {
    expected: 'embedded or postgres',
    meaning:
      'The database: `embedded` keeps it in the data folder; `postgres` is a PostgreSQL server, which several processes may share.',
  }),
  DOCENT_DATABASE_URL: z.string().transform(readDatabaseUrl).optional().register(notes, {
    expected: 'an address such as postgres://user:password@host:5432/name',
    meaning: 'Address of the PostgreSQL server, version 15 or newer; for `DOCENT_DATABASE=postgres`. It is never shown.',
  }),
  DOCENT_BLOBS: z.enum(['file-system', 's3']).prefault('file-system').register(notes, {
    expected: 'file-system or s3',
    meaning:
      'Where files are stored: `file-system` keeps them in the data folder; `s3` in a bucket of any store that speaks S3, which several processes may share.',
  }),
  DOCENT_BLOBS_FOLDER: z.string().optional().register(notes, {
    default: '<DOCENT_DATA>/blobs',
    expected: 'a folder',
    meaning: 'Folder for the files, for processes that share one; each has a data folder of its own besides.',
  }),
  ...s3Settings,
  DOCENT_SECRET: z.string().min(32).optional().register(notes, {
    default: '<made once, in the data folder>',
    expected: 'a random text of 32 characters or more',
    meaning:
      'Signs what is given to readers and comes back. With `DOCENT_BLOBS=s3` it must be set, the same for all processes. It is never shown.',
  }),
  DOCENT_LIMITER: z.enum(['memory', 'postgres', 'redis']).prefault('memory').register(notes, {
    expected: 'memory, postgres or redis',
    meaning:
      'Where limits are counted: `memory` is right for one process; `postgres` and `redis` count exactly for all processes on one server.',
  }),
  DOCENT_REDIS_URL: z.string().transform(readRedisUrl).optional().register(notes, {
    expected: 'an address such as redis://:password@host:6379/0, or rediss:// for TLS',
    meaning: 'Address of the Redis server, version 6 or newer; for `DOCENT_LIMITER=redis`. It is never shown.',
  }),
};

const schema = z.object(storageSettings);

/** @throws DocentError `invalid_setting` for settings of which one needs the other */
export function databaseFrom(values: z.output<typeof schema> & { DOCENT_DATA: string }): Config['database'] {
  const { DOCENT_DATABASE: kind, DOCENT_DATABASE_URL: url, DOCENT_DATA: dataFolder } = values;
  if (kind === 'postgres') {
    if (url === undefined)
      throw halfSet('DOCENT_DATABASE_URL', 'DOCENT_DATABASE=postgres needs it; set it to the address of the server.');
    return { kind, urlWithPassword: url };
  }
  if (url !== undefined)
    throw halfSet('DOCENT_DATABASE', 'DOCENT_DATABASE_URL is set, so it must be postgres; set it, or remove the address.');
  return { kind, folder: join(dataFolder, 'database') };
}

/** @throws DocentError `invalid_setting` for settings of which one needs the other, or that another place does not have */
export function blobsFrom(values: z.output<typeof schema> & { DOCENT_DATA: string }): Config['blobs'] {
  const { DOCENT_BLOBS: kind, DOCENT_BLOBS_FOLDER: folder, DOCENT_DATA: dataFolder } = values;
  if (kind === 's3') {
    if (folder !== undefined) throw halfSet('DOCENT_BLOBS_FOLDER', 'DOCENT_BLOBS=s3 keeps no files in a folder; remove it.');
    return { kind, ...s3From(values) };
  }
  for (const name of Object.keys(s3Settings) as (keyof typeof s3Settings)[]) {
    if (values[name] !== undefined)
      throw halfSet('DOCENT_BLOBS', `${name} is set, so it must be s3; set it, or remove what begins with DOCENT_S3.`);
  }
  return { kind, folder: folder ?? join(dataFolder, 'blobs') };
}

/**
 * Beside the files where it is not set, because processes that share them give out and take the same links.
 * @throws DocentError `invalid_setting` where it must be set
 */
export function secretFrom({ DOCENT_SECRET: secret }: z.output<typeof schema>, blobs: Config['blobs']): Config['secret'] {
  if (secret !== undefined) return { kind: 'set', secret };
  if (blobs.kind === 'file-system') return { kind: 'file', file: join(dirname(blobs.folder), 'link-secret') };
  throw halfSet(
    'DOCENT_SECRET',
    'DOCENT_BLOBS=s3 needs it; set it to what `openssl rand -hex 32` prints, the same for all processes.',
  );
}

/** @throws DocentError `invalid_setting` for settings of which one needs the other */
export function limiterFrom(values: z.output<typeof schema>): Config['limiter'] {
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
