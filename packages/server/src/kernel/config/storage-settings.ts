import { dirname, join } from 'node:path';
import { withoutSlashes } from '@docent/format/links.ts';
import * as z from 'zod';
import { halfSet, notes, publicUrl, urlThat, wholeNumber } from './setting.ts';

/** Words as in blob keys, with a slash after each. */
function readPrefix(text: string, context: z.RefinementCtx): string {
  const words = withoutSlashes(text).split('/');
  if (!words.every((word) => /^[\w-][\w.-]*$/.test(word)))
    context.addIssue({ code: 'custom', message: 'not a prefix' });
  return `${words.join('/')}/`;
}

/** Settings of the store for `DOCENT_BLOBS=s3`. */
const s3Settings = {
  DOCENT_S3_BUCKET: z
    .string()
    .regex(/^[\w.-]{1,255}$/)
    .optional()
    .register(notes, {
      expected: 'the name of a bucket',
      meaning: 'Bucket for the files; for `DOCENT_BLOBS=s3`. It must exist.',
    }),
  DOCENT_S3_ENDPOINT: publicUrl().optional().register(notes, {
    default: '<address of AWS>',
    meaning: 'Address of a store other than AWS, for example `http://minio:9000`.',
  }),
  DOCENT_S3_PUBLIC_ENDPOINT: publicUrl().optional().register(notes, {
    default: '<DOCENT_S3_ENDPOINT>',
    meaning: 'URL of the store in links to bundles, if clients reach it at a different address.',
  }),
  DOCENT_S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional()
    .register(notes, {
      default: '<AWS_REGION, or us-east-1 with an endpoint>',
      expected: 'a region such as eu-central-1',
      meaning: 'Region of the bucket.',
    }),
  DOCENT_S3_ACCESS_KEY_ID: z.string().optional().register(notes, {
    expected: 'the ID of an access key',
    meaning:
      'Access key of the store. Without it, credentials are resolved as AWS programs do: environment, shared files, web identity, role of the machine.',
  }),
  DOCENT_S3_SECRET_ACCESS_KEY: z.string().optional().register(notes, {
    expected: 'the secret of the access key',
    meaning: 'Secret access key. It is never shown.',
  }),
  DOCENT_S3_FORCE_PATH_STYLE: z.enum(['true', 'false']).optional().register(notes, {
    default: '<true with an endpoint, else false>',
    expected: 'true or false',
    meaning: 'Whether the bucket is in the path of an address (`true`) or in its host.',
  }),
  DOCENT_S3_PREFIX: z.string().transform(readPrefix).optional().register(notes, {
    expected: 'words of letters, digits, dots, dashes and underscores, separated by slashes',
    meaning: 'Prefix of every object name, if the bucket contains other things too.',
  }),
  DOCENT_S3_CACHE_MB: wholeNumber(0, 1_048_576, 'MB').optional().register(notes, {
    default: '<1024 with a bucket>',
    meaning:
      'Disk space of each process for copies of the files of live sites, in its data folder. Pages are served from it while the bucket is unavailable. 0: no copies.',
  }),
};

const s3Schema = z.object(s3Settings);
const MB = 1024 * 1024;
const DEFAULT_CACHE_MB = 1024;

/**
 * Returns the options of the S3 adapter.
 * @throws DocentError `invalid_setting` if a setting lacks another that it requires
 */
function s3From(values: z.output<typeof s3Schema>) {
  const {
    DOCENT_S3_BUCKET: bucket,
    DOCENT_S3_ENDPOINT: endpoint,
    DOCENT_S3_PUBLIC_ENDPOINT: publicEndpoint,
  } = values;
  const { DOCENT_S3_REGION: region, DOCENT_S3_FORCE_PATH_STYLE: pathStyle } = values;
  if (bucket === undefined)
    throw halfSet(
      'DOCENT_S3_BUCKET',
      'DOCENT_BLOBS=s3 needs it; set it to the name of the bucket.',
    );
  return {
    bucket,
    prefix: values.DOCENT_S3_PREFIX ?? '',
    forcePathStyle: pathStyle === undefined ? endpoint !== undefined : pathStyle === 'true',
    endpoint,
    publicEndpoint,
    region,
    credentials: credentialsFrom(values),
  };
}

function credentialsFrom(values: z.output<typeof s3Schema>) {
  const { DOCENT_S3_ACCESS_KEY_ID: accessKeyId, DOCENT_S3_SECRET_ACCESS_KEY: secretAccessKey } =
    values;
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey };
  if (accessKeyId !== undefined)
    throw halfSet(
      'DOCENT_S3_SECRET_ACCESS_KEY',
      'DOCENT_S3_ACCESS_KEY_ID is set, so it is needed too; set it, or remove both.',
    );
  if (secretAccessKey !== undefined)
    throw halfSet(
      'DOCENT_S3_ACCESS_KEY_ID',
      'DOCENT_S3_SECRET_ACCESS_KEY is set, so it is needed too; set it, or remove both.',
    );
  return undefined;
}

const isClickHouse = ({ protocol, hostname, pathname }: URL) =>
  /^https?:$/.test(protocol) && hostname !== '' && /^\/\w+$/.test(pathname);

/** Settings of what is stored, and where. */
export const storageSettings = {
  DOCENT_DATABASE: z.enum(['embedded', 'postgres']).prefault('embedded').register(notes, {
    meaning:
      'The database: `embedded` keeps it in the data folder; `postgres` is a PostgreSQL server, which several processes can share.',
  }),
  DOCENT_DATABASE_URL: urlThat(({ protocol }) => /^postgres(?:ql)?:$/.test(protocol))
    .optional()
    .register(notes, {
      expected: 'an address such as postgres://user:password@host:5432/name',
      meaning:
        'Address of the PostgreSQL server, version 15 or newer; for `DOCENT_DATABASE=postgres`. It is never shown.',
    }),
  DOCENT_BLOBS: z.enum(['file-system', 's3']).prefault('file-system').register(notes, {
    meaning:
      'Where files are stored: `file-system` keeps them in the data folder; `s3` in a bucket of any S3-compatible store, which several processes can share.',
  }),
  DOCENT_BLOBS_FOLDER: z.string().optional().register(notes, {
    default: '<DOCENT_DATA>/blobs',
    expected: 'a folder',
    meaning:
      'Folder for the files, shared by several processes; each process also has its own data folder.',
  }),
  ...s3Settings,
  DOCENT_SECRET: z.string().min(32).optional().register(notes, {
    default: '<generated once, in the data folder>',
    expected: 'a random text of 32 characters or more',
    meaning:
      'Signs cookies and links that readers send back. With `DOCENT_BLOBS=s3` it must be set, to the same value for all processes. It is never shown.',
  }),
  DOCENT_LIMITER: z.enum(['memory', 'postgres', 'redis']).prefault('memory').register(notes, {
    meaning:
      'Where rate limits are counted: `memory` suits one process; `postgres` and `redis` count across all processes.',
  }),
  DOCENT_REDIS_URL: urlThat(
    ({ protocol, hostname }) => /^rediss?:$/.test(protocol) && hostname !== '',
  )
    .optional()
    .register(notes, {
      expected: 'an address such as redis://:password@host:6379/0, or rediss:// for TLS',
      meaning:
        'Address of the Redis server, version 6 or newer; for `DOCENT_LIMITER=redis`. It is never shown.',
    }),
  DOCENT_CLICKHOUSE_URL: urlThat(isClickHouse).optional().register(notes, {
    expected: 'an address such as https://user:password@host:8443/database',
    meaning:
      'ClickHouse database that stores the analytics events, instead of PostgreSQL; for `DOCENT_DATABASE=postgres`. It is never shown.',
  }),
};

const schema = z.object(storageSettings);

/** @throws DocentError `invalid_setting` if a setting lacks another that it requires */
export function databaseFrom(values: z.output<typeof schema> & { DOCENT_DATA: string }) {
  const {
    DOCENT_DATABASE: kind,
    DOCENT_DATABASE_URL: url,
    DOCENT_DATA: dataFolder,
    DOCENT_CLICKHOUSE_URL: events,
  } = values;
  if (kind === 'postgres') {
    if (url === undefined)
      throw halfSet(
        'DOCENT_DATABASE_URL',
        'DOCENT_DATABASE=postgres needs it; set it to the address of the server.',
      );
    // The name says that it may contain a password, so that it is never shown.
    return { kind, urlWithPassword: url } as const;
  }
  if (url !== undefined)
    throw halfSet(
      'DOCENT_DATABASE',
      'DOCENT_DATABASE_URL is set, so it must be postgres; set it, or remove the address.',
    );
  // The embedded database has one connection: while ClickHouse is slow, every page would wait for
  // it.
  if (events !== undefined)
    throw halfSet(
      'DOCENT_DATABASE',
      'DOCENT_CLICKHOUSE_URL is set, so it must be postgres; set it, or remove the address.',
    );
  return { kind, folder: join(dataFolder, 'database') } as const;
}

/**
 * @throws DocentError `invalid_setting` if a setting lacks another that it requires, or does not
 *   apply to the chosen storage
 */
export function blobsFrom(values: z.output<typeof schema> & { DOCENT_DATA: string }) {
  const { DOCENT_BLOBS: kind, DOCENT_BLOBS_FOLDER: folder, DOCENT_DATA: dataFolder } = values;
  if (kind === 's3') {
    if (folder !== undefined)
      throw halfSet(
        'DOCENT_BLOBS_FOLDER',
        'DOCENT_BLOBS=s3 keeps no files in a folder; remove it.',
      );
    const cacheBytes = (values.DOCENT_S3_CACHE_MB ?? DEFAULT_CACHE_MB) * MB;
    return {
      kind,
      cache: { bytes: cacheBytes, folder: join(dataFolder, 'file-cache') },
      ...s3From(values),
    } as const;
  }
  for (const name of Object.keys(s3Settings) as (keyof typeof s3Settings)[]) {
    if (values[name] !== undefined)
      throw halfSet(
        'DOCENT_BLOBS',
        `${name} is set, so it must be s3; set it, or remove the settings that begin with DOCENT_S3.`,
      );
  }
  return { kind, folder: folder ?? join(dataFolder, 'blobs') } as const;
}

/**
 * Defaults to a secret beside the files, because processes that share them create and accept the
 * same links.
 * @throws DocentError `invalid_setting` if it must be set
 */
export function secretFrom(
  { DOCENT_SECRET: secret }: z.output<typeof schema>,
  blobs: ReturnType<typeof blobsFrom>,
) {
  if (secret !== undefined) return { kind: 'set', secret } as const;
  if (blobs.kind === 'file-system')
    return { kind: 'file', file: join(dirname(blobs.folder), 'link-secret') } as const;
  throw halfSet(
    'DOCENT_SECRET',
    'DOCENT_BLOBS=s3 needs it; set it to the output of `openssl rand -hex 32`, the same for all processes.',
  );
}

/** @throws DocentError `invalid_setting` if a setting lacks another that it requires */
export function limiterFrom(values: z.output<typeof schema>) {
  const { DOCENT_LIMITER: kind, DOCENT_DATABASE: database, DOCENT_REDIS_URL: redisUrl } = values;
  if (kind === 'postgres' && database !== 'postgres')
    throw halfSet(
      'DOCENT_LIMITER',
      'postgres counts in the database, so DOCENT_DATABASE must be postgres too; set it, or use memory.',
    );
  if (kind === 'redis') {
    if (redisUrl === undefined)
      throw halfSet(
        'DOCENT_REDIS_URL',
        'DOCENT_LIMITER=redis needs it; set it to the address of the server.',
      );
    return { kind, urlWithPassword: redisUrl } as const;
  }
  if (redisUrl !== undefined)
    throw halfSet(
      'DOCENT_LIMITER',
      'DOCENT_REDIS_URL is set, so it must be redis; set it, or remove the address.',
    );
  return { kind } as const;
}
