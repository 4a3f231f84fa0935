import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFileSystemBlobStore } from './adapters/blob-store/file-system.ts';
import { loadOrCreateSecret } from './adapters/blob-store/secret-file.ts';
import { createExtractiveModel } from './adapters/chat-model/extractive.ts';
import { lockFolder, operatorSocketPaths } from './adapters/database/folder-lock.ts';
import { openPgliteDatabase } from './adapters/database/pglite.ts';
import { openPgBossQueue } from './adapters/job-queue/pg-boss.ts';
import { createPinoLogger } from './adapters/logger/pino.ts';
import { createMemoryRateLimiter } from './adapters/rate-limiter/memory.ts';
import { type Closers, openClosers } from './closers.ts';
import type { Config } from './config.ts';
import { DocentError } from './core/errors.ts';
import { exportSiteJob } from './jobs/export-site.job.ts';
import { publishSiteJob } from './jobs/publish-site.job.ts';
import { listenFault } from './listen-fault.ts';
import { createSettingsCache } from './services/assistant-settings.ts';
import type { Deps } from './services/deps.ts';
import { ensureDefaultOrganisation } from './services/ensure-default-organisation.ts';
import { expireThreads } from './services/expire-threads.ts';
import { createKeyCache } from './services/key-cache.ts';
import { openLiveSites } from './services/open-live-sites.ts';
import { giveUpPublishing, publishSite, workFolder } from './services/publish-site.ts';
import { giveUpExport, runExport } from './services/run-export.ts';
import { createThreadTurns } from './services/thread-turns.ts';
import { createThreadWrites } from './services/thread-writes.ts';
import { watchHostnames } from './services/watch-hostnames.ts';

/** A running platform: its parts wired together. */
export interface Platform {
  config: Config;
  deps: Deps;
  /** Local requests on this socket are the operator's. */
  operatorSocketPath: string;
  appliedMigrations: string[];
  /** Begins to take requests. @returns the address @throws DocentError `port_in_use` */
  listen(): Promise<string>;
  /** Begins to take jobs. */
  startWorkers(): Promise<void>;
  /** Ends everything in the reverse order of opening; safe to call twice. */
  close(): Promise<void>;
}

const databaseTemplate = fileURLToPath(new URL('../dist/database-template.tar.gz', import.meta.url));

/**
 * Opens everything that the configuration asks for. The only place that knows both the ports and their adapters.
 * @param parts used instead of what the configuration says
 * @throws DocentError `data_folder_in_use` where another process has it
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

async function openDatabase(config: Config['database'], logger: Deps['logger']): Promise<Deps['database']> {
  if (config.kind === 'embedded') return openPgliteDatabase({ folder: config.folder, templateFile: databaseTemplate, logger });
  const { openPostgresDatabase } = await import('./adapters/database/postgres.ts');
  return openPostgresDatabase({ url: config.urlWithPassword, logger }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DocentError('invalid_setting', `DOCENT_DATABASE_URL: the PostgreSQL server cannot be used: ${reason}`, {
      cause: error,
    });
  });
}

async function openLimiter(config: Config['limiter'], database: Deps['database']): Promise<Deps['limiter']> {
  if (config.kind === 'memory') return createMemoryRateLimiter();
  const { openPostgresRateLimiter } = await import('./adapters/rate-limiter/postgres.ts');
  return openPostgresRateLimiter(database);
}

/** The packages of a provider are loaded only where one is used. */
async function openModel(config: Config['model']): Promise<Deps['model']> {
  if (config.kind === 'extractive') return createExtractiveModel();
  const { createLanguageModel } = await import('./adapters/chat-model/providers.ts');
  return createLanguageModel(config);
}

async function openFurtherModels(choices: Config['models']): Promise<Deps['models']> {
  if (Object.keys(choices).length === 0) return new Map();
  const { createLanguageModel } = await import('./adapters/chat-model/providers.ts');
  return new Map(Object.entries(choices).map(([name, choice]) => [name, createLanguageModel(choice)]));
}

async function wire(
  config: Config,
  logger: Deps['logger'],
  closers: Closers,
  parts: Partial<Pick<Deps, 'model'>>,
): Promise<Platform> {
  const lock = await lockFolder(config.dataFolder).catch((error) => {
    throw folderFault(error, config.dataFolder);
  });
  closers.add('folder lock', () => lock.release());
  // What a killed process had unpacked to build it; its job begins again from the upload.
  await rm(workFolder(config), { recursive: true, force: true });
  // The database opens in a thread of its own; meanwhile this one loads what serves HTTP.
  const loading = loadHttp();
  loading.catch(() => {});
  const database = await openDatabase(config.database, logger);
  closers.add('database', () => database.close());
  const appliedMigrations = await database.migrate();

  const clock = { now: () => new Date() };
  // Beside the files, because processes that share them give out and take the same links.
  const secret = await loadOrCreateSecret(join(dirname(config.blobs.folder), 'link-secret'));
  const blobs = await openFileSystemBlobStore({ folder: config.blobs.folder, linkBaseUrl: config.publicUrl, secret, clock });
  closers.add('blob store', () => blobs.close());
  const limiter = await openLimiter(config.limiter, database);
  closers.add('rate limiter', () => limiter.close());
  const jobs = await openPgBossQueue({ database, logger });
  closers.add('job queue', () => jobs.close());
  const liveSites = openLiveSites({ database, blobs, clock, config });
  const model = parts.model ?? (await openModel(config.model));
  const models = await openFurtherModels(config.models);
  const assistantSettings = createSettingsCache({ database, clock });
  const threadTurns = createThreadTurns();
  const threadWrites = createThreadWrites({ database });
  closers.add('threads', () => threadWrites.close());
  const keyCache = createKeyCache({ clock });
  const assistant = { model, models, assistantSettings, threadTurns, threadWrites, keyCache, secret };
  const deps: Deps = { config, database, blobs, linkVerifier: blobs, jobs, limiter, ...assistant, liveSites, clock, logger };
  await ensureDefaultOrganisation(deps);

  const { buildApp, attachOperator, siteRoutes } = await loading;
  const hostnames = await watchHostnames(deps);
  closers.add('hostnames', async () => hostnames.close());
  const app = await buildApp(deps, { plugins: [siteRoutes(deps)], slugOfHostname: hostnames.slugOf });
  closers.add('http server', () => app.close());
  await app.ready();
  // The lock closes connections until it knows who takes them; from now on that is the application.
  lock.onConnection(() => {});
  attachOperator(app, lock.server);

  return {
    config,
    deps,
    operatorSocketPath: lock.socketPath,
    appliedMigrations,
    listen: async () => {
      await app.listen({ port: config.port, host: config.host }).catch((error) => {
        throw listenFault(error, config.port);
      });
      return config.publicUrl;
    },
    startWorkers: async () => {
      const expiry = expireThreads(deps);
      closers.add('expiry of threads', async () => expiry.stop());
      await jobs.work(publishSiteJob, ({ deploymentId }, context) => publishSite(deps, deploymentId, context), {
        givenUp: ({ deploymentId }) => giveUpPublishing(deps, deploymentId),
      });
      await jobs.work(exportSiteJob, ({ jobId }, context) => runExport(deps, jobId, context), {
        givenUp: ({ jobId }) => giveUpExport(deps, jobId),
      });
    },
    close: () => closers.close(),
  };
}

async function loadHttp() {
  const [{ buildApp }, { attachOperator }, { siteRoutes }] = await Promise.all([
    import('./http/app.ts'),
    import('./http/operator.ts'),
    import('./http/routes/site/site-routes.ts'),
  ]);
  return { buildApp, attachOperator, siteRoutes };
}

/** What the operating system has against the data folder, as one clear line. */
function folderFault(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!['EACCES', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS', 'ENOSPC'].includes(code)) return error;
  return new DocentError(
    'invalid_setting',
    `The data folder ${folder} cannot be used (${code}); set DOCENT_DATA to a folder that can be written.`,
    {
      cause: error,
    },
  );
}

/** The operator socket of the platform that runs on this data folder, if one does. */
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
