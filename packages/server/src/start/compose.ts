import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireInstalled } from '@docent/compiler/process/optional-packages.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import { createAccounts } from '../adapters/accounts/better-auth.ts';
import { createSqlAnalyticsStore } from '../adapters/analytics-store/sql.ts';
import { openFileSystemBlobStore } from '../adapters/blob-store/file-system.ts';
import { loadOrCreateSecret } from '../adapters/blob-store/secret-file.ts';
import { createExtractiveModel } from '../adapters/chat-model/extractive.ts';
import { lockFolder, operatorSocketPaths } from '../adapters/database/folder-lock.ts';
import { openPgliteDatabase } from '../adapters/database/pglite.ts';
import { createNodeDnsLookup } from '../adapters/dns-lookup/node-dns.ts';
import { openSystemGit } from '../adapters/git/system-git.ts';
import { openPgBossQueue } from '../adapters/job-queue/pg-boss.ts';
import { createPinoLogger } from '../adapters/logger/pino.ts';
import { createMemoryRateLimiter } from '../adapters/rate-limiter/memory.ts';
import type { Config } from '../config/config.ts';
import { type Closers, openClosers } from '../lib/closers.ts';
import { fullDisk } from '../lib/full-disk.ts';
import { LISTEN_BACKLOG, listenFault } from '../lib/listen-fault.ts';
import { requireOpenFiles } from '../lib/open-files.ts';
import {
  checkHostnameJob,
  deliverStreamJob,
  exportSiteJob,
  hostnameMailJob,
  publishSiteJob,
  reportPullRequestJob,
  sendMailJob,
  syncGitSourceJob,
  syncPullRequestJob,
} from '../ports/jobs.ts';
import { reportPullRequest } from '../pull-requests/reports/report-pull-request.ts';
import { syncPullRequest } from '../pull-requests/sync-pull-request.ts';
import { createReaderSessions } from '../readers/sessions/reader-sessions.ts';
import { createProviderDocuments } from '../readers/sign-in/provider-documents.ts';
import { createReaderTokens } from '../readers/sign-in/reader-tokens.ts';
import { createAccountable } from '../services/access/accountable.ts';
import { ensureDefaultOrganization } from '../services/access/default-organization.ts';
import { createKeyCache } from '../services/access/key-cache.ts';

import { sendHostnameMail, sendMail } from '../services/accounts/send-mail.ts';
import { singleSignOn } from '../services/accounts/single-sign-on.ts';
import { createAnalytics } from '../services/analytics/analytics.ts';
import { createSettingsCache } from '../services/assistant/assistant-settings.ts';
import { createThreadTurns } from '../services/assistant/thread-turns.ts';
import { createThreadWrites } from '../services/assistant/thread-writes.ts';
import { databaseThreads } from '../services/assistant/threads.ts';
import { readBundleSigningKey } from '../services/exports/make-export-bundle.ts';
import { failKilledExport, runExport } from '../services/exports/run-export.ts';
import { checkHostname } from '../services/hostnames/check-hostname.ts';
import type { Deps } from '../services/kernel/deps.ts';
import { joinFleet } from '../services/kernel/fleet.ts';
import { createUlid } from '../services/kernel/ids.ts';
import { repeat } from '../services/kernel/retry.ts';
import { createPasswords } from '../services/passwords.ts';
import { failKilledDeployment, publishSite, workFolder } from '../services/publishing/publish-site.ts';
import { openLiveSites, warmSites } from '../services/sites/open-live-sites.ts';
import { sandboxNotice } from '../services/sites/site-address.ts';
import { isImmutableKey } from '../services/sites/site-blobs.ts';
import { watchSiteRouting } from '../services/sites/site-routing.ts';
import { syncGitSource } from '../services/sources/sync-git-source.ts';
import { deliverStream } from '../services/streams/deliver-stream.ts';
import { keepLiveFiles } from '../serving/keep-live-files.ts';
import { backgroundTasks } from './background-tasks.ts';
import { openSiteSearch, startEmbedding } from './compose-search.ts';
import { openTraced, type Traced, untraced } from './compose-telemetry.ts';

/** A running platform: its parts wired together. */
export interface Platform {
  config: Config;
  deps: Deps;
  /** Local requests on this socket are the operator's. */
  operatorSocketPath: string;
  appliedMigrations: string[];
  /** Starts to accept requests. @returns the address @throws DocentError `port_in_use` */
  listen(): Promise<string>;
  /** Serves only monitoring: health, readiness, metrics. @throws DocentError `port_in_use` */
  listenForProbes(): Promise<void>;
  /** Reports not ready, and closes kept-alive connections with their next response; continues to serve. */
  leave(): void;
  /** Opens the most recently published sites ahead of their first readers. Never fails. */
  warm(): Promise<void>;
  /** Starts to process jobs. */
  startWorkers(): Promise<void>;
  /** Closes everything in reverse order of opening; safe to call twice. */
  close(): Promise<void>;
}

export const databaseTemplate = fileURLToPath(new URL('../../../../dist/database-template.tar.gz', import.meta.url));

/**
 * Opens everything that the configuration requires. The only place that knows both the ports and their adapters.
 * @param parts override the configuration
 * @throws DocentError `data_folder_in_use` if another process has it
 */
export async function openPlatform(config: Config, parts: Partial<Pick<Deps, 'model'>> = {}): Promise<Platform> {
  const logger = createPinoLogger({ level: config.logLevel });
  const closers = openClosers(logger);
  try {
    return await wire(config, logger, closers, parts);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** @param onQuery called with each query that has ended */
export async function openDatabase(
  config: Config['database'],
  logger: Deps['logger'],
  onQuery?: Traced['onQuery'],
): Promise<Deps['database']> {
  if (config.kind === 'embedded') {
    return openPgliteDatabase({ folder: config.folder, templateFile: databaseTemplate, logger, onQuery });
  }
  const { openPostgresDatabase } = await import('../adapters/database/postgres.ts');
  return openPostgresDatabase({ url: config.urlWithPassword, logger, onQuery }).catch(
    unusable('DOCENT_DATABASE_URL', 'PostgreSQL'),
  );
}

/** Handles the error of a server that a setting names. */
function unusable(setting: string, server: string) {
  return (cause: unknown): never => {
    const message = `${setting}: the ${server} server cannot be used: ${errorMessage(cause)}`;
    throw new DocentError('invalid_setting', message, { cause });
  };
}

/** A bucket serves its own links, so they need no verifier here. */
export async function openBlobs(
  { blobs, publicUrl }: Config,
  secret: string,
  clock: Deps['clock'],
): Promise<Pick<Deps, 'blobs' | 'linkVerifier'>> {
  if (blobs.kind === 'file-system') {
    const store = await openFileSystemBlobStore({ folder: blobs.folder, linkBaseUrl: publicUrl, secret, clock });
    return { blobs: store, linkVerifier: store };
  }
  const { openS3BlobStore } = await import('../adapters/blob-store/s3.ts');
  const store = await openS3BlobStore({ settings: blobs, clock }).catch((error: Error) => {
    throw new DocentError('invalid_setting', error.message, { cause: error });
  });
  return { blobs: store };
}

/** Returns the cache of a bucket on disk, for what readers request; undefined if there is none, because files are on disk anyway. */
async function openSiteCache({ blobs }: Config, store: Deps['blobs'], logger: Deps['logger']) {
  if (blobs.kind === 'file-system' || blobs.cache.bytes === 0) return undefined;
  const { openDiskCache } = await import('../adapters/blob-store/disk-cache.ts');
  const { folder, bytes: maxBytes } = blobs.cache;
  return openDiskCache({ store, folder, maxBytes, isImmutable: isImmutableKey, logger }).catch((error) => {
    throw folderFault(error, folder);
  });
}

/** Returns the table of analytics events if they are stored outside the platform's database. */
export async function openEvents(config: Config['clickHouse']) {
  if (!config) return undefined;
  requireInstalled('DOCENT_CLICKHOUSE_URL', '@clickhouse/client');
  const { openClickHouseEvents } = await import('../adapters/analytics-store/clickhouse-events.ts');
  return openClickHouseEvents(config.urlWithPassword).catch(unusable('DOCENT_CLICKHOUSE_URL', 'ClickHouse'));
}

async function openLimiter(
  config: Config['limiter'],
  database: Deps['database'],
  logger: Deps['logger'],
): Promise<Deps['limiter']> {
  if (config.kind === 'memory') return createMemoryRateLimiter();
  if (config.kind === 'redis') {
    const { openRedisRateLimiter } = await import('../adapters/rate-limiter/redis.ts');
    return openRedisRateLimiter({ url: config.urlWithPassword, logger }).catch(unusable('DOCENT_REDIS_URL', 'Redis'));
  }
  const { openPostgresRateLimiter } = await import('../adapters/rate-limiter/postgres.ts');
  return openPostgresRateLimiter(database);
}

/** The packages of a provider are loaded only if one is used. */
async function openModel(config: Config['model']): Promise<Deps['model']> {
  if (config.kind === 'extractive') return createExtractiveModel();
  const { createLanguageModel } = await import('../adapters/chat-model/providers.ts');
  return createLanguageModel(config);
}

/** Logs how much of a question fits the model. Nothing waits for it: the server of the model may still be starting. */
async function logModelNote(config: Config['model'], logger: Deps['logger']): Promise<void> {
  if (config.kind === 'extractive') return;
  const { noteOfModel } = await import('../adapters/chat-model/model-note.ts');
  const note = await noteOfModel(config);
  if (note?.isWarning) logger.warn({ model: config.model }, note.text);
  else if (note) logger.info({ model: config.model }, note.text);
}

async function openMailer(config: Config['mail']): Promise<Deps['mailer']> {
  if (!config) return undefined;
  const { createSmtpMailer } = await import('../adapters/mailer/smtp.ts');
  return createSmtpMailer(config);
}

async function openFurtherModels(choices: Config['models']): Promise<Deps['models']> {
  if (Object.keys(choices).length === 0) return new Map();
  const { createLanguageModel } = await import('../adapters/chat-model/providers.ts');
  return new Map(Object.entries(choices).map(([name, choice]) => [name, createLanguageModel(choice)]));
}

async function wire(
  config: Config,
  logger: Deps['logger'],
  closers: Closers,
  parts: Partial<Pick<Deps, 'model'>>,
): Promise<Platform> {
  await requireOpenFiles();
  const lock = await lockFolder(config.dataFolder).catch((error) => {
    throw folderFault(error, config.dataFolder);
  });
  closers.add('folder lock', () => lock.release());
  // Unpacked sources of a killed process; its job starts again from the upload.
  await rm(workFolder(config), { recursive: true, force: true });
  // The database opens in its own thread; meanwhile this one loads the HTTP code.
  const loading = loadHttp();
  loading.catch(() => {});
  const processId = createUlid(new Date());
  const traced = config.telemetry ? await openTraced(config.telemetry, { processId, logger }) : untraced;
  closers.add('telemetry', traced.close);
  const database = await openDatabase(config.database, logger, traced.onQuery);
  closers.add('database', () => database.close());
  const appliedMigrations = await database.migrate();
  const fleet = await joinFleet(database.queries, processId);
  closers.add('fleet', fleet.leave);
  closers.add('fleet membership', repeat(logger, [fleet.beat]));

  const clock = { now: () => new Date() };
  const secret = config.secret.kind === 'set' ? config.secret.secret : await loadOrCreateSecret(config.secret.file);
  const storage = await openBlobs(config, secret, clock);
  const blobs = traced.blobs(storage.blobs, config.blobs.kind);
  closers.add('blob store', () => blobs.close());
  const limiter = await openLimiter(config.limiter, database, logger);
  closers.add('rate limiter', () => limiter.close());
  const outages = { totalSeconds: config.outageHours * 3600 };
  const jobs = traced.jobs(await openPgBossQueue({ database, logger, outages }));
  closers.add('job queue', () => jobs.close());
  const siteCache = await openSiteCache(config, blobs, logger);
  if (siteCache) closers.add('cache of files', () => siteCache.close());
  const liveSites = openLiveSites({ database, blobs: siteCache ?? blobs, clock, config });
  const model = traced.model(parts.model ?? (await openModel(config.model)));
  if (parts.model === undefined) void logModelNote(config.model, logger);
  const furtherModels = await openFurtherModels(config.models);
  const models = new Map([...furtherModels].map(([name, further]) => [name, traced.model(further)]));
  const assistantSettings = createSettingsCache({ database, clock });
  const threadTurns = createThreadTurns();
  const threads = databaseThreads({ database });
  const threadWrites = createThreadWrites({ database });
  closers.add('threads', () => threadWrites.close());
  const keyCache = createKeyCache({ clock });
  const events = await openEvents(config.clickHouse);
  if (events) closers.add('analytics events', () => events.close());
  const analyticsStore = createSqlAnalyticsStore(database, events);
  const analytics = createAnalytics({ store: analyticsStore, database, clock, config, logger, secret });
  closers.add('analytics', () => analytics.close());
  const search = await openSiteSearch(config, { blobs, clock, logger }, traced);
  const assistant = { model, models, ...search, assistantSettings, threads, threadTurns, threadWrites, keyCache, secret };
  const { createHttpOutside } = await import('../adapters/outside-files/http.ts');
  const outside = createHttpOutside({ allowedRanges: config.allowedPrivateRanges });
  closers.add('outside', () => outside.close());
  const passwords = createPasswords();
  const providerDocuments = createProviderDocuments({ outsideFiles: outside, clock });
  const deps: Deps = {
    config,
    database,
    ...storage,
    blobs,
    jobs,
    dns: createNodeDnsLookup({ servers: config.dnsServers }),
    limiter,
    outsideFiles: outside,
    outsideCalls: traced.calls(outside),
    git: await openSystemGit({
      ...config.git,
      folder: join(config.dataFolder, 'git'),
      allowedRanges: config.allowedPrivateRanges,
    }),
    uploadLinks: async (upload) => (await import('../adapters/blob-store/s3-upload-link.ts')).s3UploadLink(upload),
    ...assistant,
    accountable: createAccountable({ database, clock }),
    readerSessions: createReaderSessions({ database, clock, logger }),
    readerTokens: createReaderTokens({ database, clock, config, providerDocuments }),
    providerDocuments,
    accounts: createAccounts({
      database,
      logger,
      publicUrl: config.publicUrl,
      secret,
      sessionDays: config.sessionDays,
      createId: () => createUlid(clock.now()),
      passwords,
      sso: singleSignOn({ config, database, clock, limiter, logger }),
    }),
    passwords,
    mailer: await openMailer(config.mail),
    analytics,
    liveSites,
    processId,
    telemetry: traced.telemetry,
    clock,
    logger,
  };
  closers.add('mailer', async () => deps.mailer?.close());
  await ensureDefaultOrganization(deps);

  const { buildApp, attachOperator, siteRoutes, buildProbesApp } = await loading;
  const routing = await watchSiteRouting(deps);
  closers.add('routing', routing.close);
  let leaving = false;
  const isLeaving = () => leaving;
  const app = await buildApp(deps, { plugins: [siteRoutes({ ...deps, blobs: siteCache ?? blobs })], routing, isLeaving });
  closers.add('http server', () => app.close());
  await app.ready();
  // The lock closes the operator's connections until here.
  attachOperator(app, lock.server);

  const listenWith = async (server: Pick<typeof app, 'listen'>) => {
    await server.listen({ port: config.port, host: config.host, backlog: LISTEN_BACKLOG }).catch((error) => {
      throw listenFault(error, config.port);
    });
  };

  return {
    config,
    deps,
    operatorSocketPath: lock.socketPath,
    appliedMigrations,
    listen: async () => {
      await listenWith(app);
      if (siteCache) closers.add('copies of files', repeat(logger, [keepLiveFiles(deps, siteCache, isLeaving)]));
      const notice = sandboxNotice(config);
      if (notice !== undefined) logger.warn({}, notice);
      return config.publicUrl;
    },
    listenForProbes: async () => {
      const probes = await buildProbesApp(deps, isLeaving);
      closers.add('probes', () => probes.close());
      await listenWith(probes);
    },
    warm: () => warmSites(deps, isLeaving),
    leave: () => {
      leaving = true;
    },
    startWorkers: async () => {
      await startEmbedding(deps, closers);
      await jobs.work(checkHostnameJob, ({ hostname, siteId }) => checkHostname(deps, hostname, siteId), { concurrency: 4 });
      await jobs.work(sendMailJob, (mail) => sendMail(deps, mail), { concurrency: 2 });
      await jobs.work(hostnameMailJob, (mail) => sendHostnameMail(deps, mail), { concurrency: 1 });
      await jobs.work(deliverStreamJob, ({ streamId }, { signal }) => deliverStream(deps, streamId, signal), { concurrency: 4 });
      await jobs.work(syncGitSourceJob, ({ sourceId }, { signal }) => syncGitSource(deps, sourceId, signal), { concurrency: 2 });
      await jobs.work(syncPullRequestJob, (pull, { signal }) => syncPullRequest(deps, pull, signal), { concurrency: 2 });
      await jobs.work(reportPullRequestJob, (pull, { signal }) => reportPullRequest(deps, pull, signal), { concurrency: 2 });
      await jobs.work(publishSiteJob, ({ deploymentId }, context) => publishSite(deps, deploymentId, context), {
        concurrency: config.publishing.perProcess,
        givenUp: ({ deploymentId }) => failKilledDeployment(deps, deploymentId),
      });
      // A wrong key fails the start, not every export.
      await readBundleSigningKey(config);
      await jobs.work(exportSiteJob, ({ jobId }, context) => runExport(deps, jobId, context), {
        concurrency: config.exports.perProcess,
        givenUp: ({ jobId }) => failKilledExport(deps, jobId),
      });
      closers.add('background tasks', repeat(logger, backgroundTasks(deps)));
    },
    close: () => closers.close(),
  };
}

async function loadHttp() {
  const [app, identify, sites, probes] = await Promise.all([
    import('../http/app.ts'),
    import('../http/kernel/identify.ts'),
    import('../http/routes/site/site-routes.ts'),
    import('../http/routes/platform/probes.ts'),
  ]);
  return { ...app, ...identify, ...sites, ...probes };
}

/** Explains in one line why the operating system refuses the data folder. */
export function folderFault(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!['EACCES', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS', 'ENOSPC', 'ENOENT'].includes(code)) return error;
  if (code === 'ENOSPC') return fullDisk(folder, error);
  const message = `The data folder ${folder} cannot be used (${code}); set DOCENT_DATA to a writable folder.`;
  return new DocentError('invalid_setting', message, { cause: error });
}

/** Returns the operator socket of the platform running on this data folder, if there is one. */
export async function findOperatorSocket(config: Config): Promise<string | undefined> {
  const paths = await operatorSocketPaths(config.dataFolder).catch(() => []);
  for (const path of paths) if (await answers(path)) return path;
  return undefined;
}

async function answers(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
