import { once } from 'node:events';
import { access, constants, rm, stat, statfs } from 'node:fs/promises';
import { connect } from 'node:tls';
import { openPgliteDatabase } from '../adapters/database/pglite.ts';
import { createPinoLogger } from '../adapters/logger/pino.ts';
import {
  checkFiles,
  checkHostnames,
  checkJobs,
  checkMigrations,
  checkProcesses,
  checkServer,
  countRows,
  recentFailures,
} from '../doctor/check-database.ts';
import { answered, checked, type Finding, fail, ok, warn } from '../doctor/finding.ts';
import type { Config } from '../kernel/config/config.ts';
import { type Closers, openClosers } from '../lib/closers.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Database } from '../ports/database.ts';
import type { Logger } from '../ports/logger.ts';
import { findOperatorSocket } from './compose.ts';
import { openBlobs, openEvents } from './open-adapters.ts';
import { openDatabase } from './open-database.ts';

/** What was found, and what support needs to know besides. */
export interface Examination {
  findings: Finding[];
  /** Estimated rows of each table. */
  counts: Record<string, number>;
  failures: object[];
}

const MIN_FREE_BYTES = 256 * 1024 * 1024;
const LOW_SHARE = 0.1;
const MIN_DAYS = 14;
const STORE_ANSWERS_WITHIN_MS = 3000;
const MAX_NAME_CHARACTERS = 100;
const clock = { now: () => new Date() };

/**
 * Checks everything that a server with these settings needs. Changes nothing. Each check is
 * reported, whatever becomes of the others.
 * @param takeSnapshot returns a folder with a copy of the embedded database
 */
export async function examine(
  config: Config,
  takeSnapshot: () => Promise<string | undefined>,
): Promise<Examination> {
  const logger = createPinoLogger({ level: 'silent' });
  const closers = openClosers(logger);
  const findings: Finding[] = [];
  const add = async (of: string, remedy: string, check: () => Promise<Finding[]>) => {
    findings.push(...(await checked(of, remedy, check)));
  };
  let database: Database | undefined;
  let blobs: BlobStore | undefined;
  let counts: Examination['counts'] = {};
  let failures: object[] = [];
  try {
    await add(
      'data folder',
      'Set DOCENT_DATA to a folder that the user of the server can write.',
      () => checkFolder(config),
    );
    await add('disk', 'Free some space.', () => checkDisk(config));
    await add('server', 'Start the server, and look at its log.', () => checkRunning(config));
    await add(
      'database',
      'Check DOCENT_DATABASE_URL, and that the server runs and accepts connections.',
      async () => {
        database = await openForReading(config, takeSnapshot, logger, closers);
        return checkServer(database.queries, config.database.kind === 'postgres');
      },
    );
    await add(
      'file store',
      'Check the settings that begin with DOCENT_BLOBS and DOCENT_S3, and that the store runs.',
      async () => {
        // Opening it would create the folder.
        if (config.blobs.kind === 'file-system')
          await access(config.blobs.folder, constants.R_OK | constants.W_OK | constants.X_OK);
        ({ blobs } = await openBlobs(config, '', clock));
        closers.add('blob store', async () => blobs?.close());
        const startedAt = performance.now();
        await blobs.stat('readiness');
        const latencyMs = performance.now() - startedAt;
        return [answered('file store', await storeVersion(config.blobs), latencyMs)];
      },
    );
    await add('rate limits', 'Check DOCENT_REDIS_URL, and that Redis runs.', () =>
      checkLimiter(config, logger),
    );
    await add('ClickHouse', 'Check DOCENT_CLICKHOUSE_URL, and that the server runs.', () =>
      checkEvents(config),
    );
    await add('address', 'Check the certificate of the proxy, and the DNS record.', () =>
      checkAddress(config),
    );
    if (database) {
      const { queries } = database;
      await add('migrations', 'Run the version that changed the database.', () =>
        checkMigrations(queries),
      );
      if (config.database.kind === 'postgres')
        await add('processes', 'Look at the log.', () => checkProcesses(queries));
      await add('jobs', 'Look at the log.', () => checkJobs(queries));
      await add('hostnames', 'Look at the log.', () => checkHostnames(queries));
      const store = blobs;
      if (store) await add('files', 'Run "docent verify-store".', () => checkFiles(queries, store));
      counts = await countRows(queries).catch(() => ({}));
      failures = await recentFailures(queries).catch(() => []);
    }
    return { findings, counts, failures };
  } finally {
    await closers.close();
  }
}

async function openForReading(
  config: Config,
  takeSnapshot: () => Promise<string | undefined>,
  logger: Logger,
  closers: Closers,
): Promise<Database> {
  const folder = await takeSnapshot();
  if (folder !== undefined)
    closers.add('snapshot', () => rm(folder, { recursive: true, force: true }));
  const database =
    folder === undefined
      ? await openDatabase(config.database, logger)
      : await openPgliteDatabase({ folder, logger });
  closers.add('database', () => database.close());
  return database;
}

async function checkFolder({ dataFolder }: Config): Promise<Finding[]> {
  await access(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK);
  const { mode } = await stat(dataFolder);
  if ((mode & 0o077) === 0)
    return [ok('data folder', `${dataFolder} is writable, and only for its user`)];
  return [
    warn(
      'data folder',
      `others can read ${dataFolder}`,
      `Run chmod 700 ${dataFolder}; whoever can open its socket is the operator.`,
    ),
  ];
}

async function checkDisk({ dataFolder }: Config): Promise<Finding[]> {
  const { bavail, blocks, bsize } = await statfs(dataFolder);
  const free = bavail * bsize;
  const share = bavail / blocks;
  const text = `${(free / 1e9).toFixed(1)} GB free (${Math.round(share * 100)} %)`;
  if (free < MIN_FREE_BYTES) return [fail('disk', text, 'See "The disk is full" in the runbooks.')];
  if (share < LOW_SHARE)
    return [
      warn('disk', text, 'Free some space, or keep fewer builds with DOCENT_KEPT_DEPLOYMENTS.'),
    ];
  return [ok('disk', text)];
}

async function checkRunning(config: Config): Promise<Finding[]> {
  const socket = await findOperatorSocket(config);
  if (socket !== undefined) return [ok('server', 'a process has this data folder open')];
  return [
    warn(
      'server',
      'no process has this data folder open',
      'Start the server, or run this on the machine where it runs.',
    ),
  ];
}

/** What the store calls itself in the answer to a request without credentials; some do not. */
async function storeVersion(blobs: Config['blobs']): Promise<string> {
  if (blobs.kind === 'file-system') return 'a folder';
  if (blobs.endpoint === undefined) return 'S3 of AWS';
  const signal = AbortSignal.timeout(STORE_ANSWERS_WITHIN_MS);
  const answer = await fetch(blobs.endpoint, { method: 'HEAD', redirect: 'manual', signal }).catch(
    () => undefined,
  );
  const name = answer?.headers
    .get('server')
    ?.replace(/[^ -~]/g, '')
    .slice(0, MAX_NAME_CHARACTERS);
  return name ? `S3 of ${name}` : 'S3';
}

async function checkLimiter({ limiter }: Config, logger: Logger): Promise<Finding[]> {
  if (limiter.kind !== 'redis')
    return [
      ok('rate limits', `counted in ${limiter.kind === 'memory' ? 'memory' : 'the database'}`),
    ];
  const startedAt = performance.now();
  const { openRedisRateLimiter } = await import('../adapters/rate-limiter/redis.ts');
  const opened = await openRedisRateLimiter({ url: limiter.urlWithPassword, logger });
  const latencyMs = performance.now() - startedAt;
  // A server may forbid the question to its users.
  const version = await opened.version?.().catch(() => undefined);
  await opened.close();
  return [answered('rate limits', version ?? 'Redis', latencyMs)];
}

async function checkEvents({ clickHouse }: Config): Promise<Finding[]> {
  if (!clickHouse) return [];
  const startedAt = performance.now();
  const events = await openEvents(clickHouse);
  const latencyMs = performance.now() - startedAt;
  const version = await events?.version().catch(() => undefined);
  await events?.close();
  return [answered('ClickHouse', version ?? 'ClickHouse', latencyMs)];
}

/** The certificate at the public address, if that is https. */
async function checkAddress({ publicUrl, sitesDomain }: Config): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(publicUrl);
  const noDomain =
    sitesDomain === undefined
      ? [
          warn(
            'sites',
            'all sites share the origin of the platform',
            'Set DOCENT_SITES_DOMAIN, so that each has its own.',
          ),
        ]
      : [];
  if (protocol !== 'https:')
    return [ok('address', `${publicUrl}, without a certificate`), ...noDomain];
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname });
  try {
    await once(socket, 'secureConnect');
    const days = Math.floor(
      (Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / 86_400_000,
    );
    const text = `the certificate of ${hostname} is valid for ${days} days`;
    return [
      days < MIN_DAYS ? warn('address', text, 'Renew it.') : ok('address', text),
      ...noDomain,
    ];
  } finally {
    socket.destroy();
  }
}
