import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { lockFolder, operatorSocketPaths } from '../adapters/database/folder-lock.ts';
import { createPinoLogger } from '../adapters/logger/pino.ts';
import { ensureDefaultOrganization } from '../kernel/access/default-organization.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { joinFleet } from '../kernel/jobs/fleet.ts';
import { repeat } from '../kernel/jobs/retry.ts';
import { returnMemory } from '../kernel/jobs/return-memory.ts';
import { sandboxNotice } from '../kernel/sites/site-address.ts';
import { watchSiteRouting } from '../kernel/sites/site-routing.ts';
import { type Closers, openClosers } from '../lib/closers.ts';
import { LISTEN_BACKLOG, listenFault } from '../lib/listen-fault.ts';
import { requireOpenFiles } from '../lib/open-files.ts';
import { workFolder } from '../publishing/work-folder.ts';
import { keepLiveFiles } from '../serving/keep-live-files.ts';
import { warmSites } from '../serving/open-live-sites.ts';
import { openTraced, untraced } from './compose-telemetry.ts';
import { folderFault, openDatabase } from './open-adapters.ts';
import { openDeps } from './open-deps.ts';
import { startWorkers } from './workers.ts';

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
  /**
   * Reports not ready, and closes kept-alive connections with their next response; continues to
   * serve.
   */
  leave(): void;
  /** Opens the most recently published sites ahead of their first readers. Never fails. */
  warm(): Promise<void>;
  /** Starts to process jobs. */
  startWorkers(): Promise<void>;
  /** Closes everything in reverse order of opening; safe to call twice. */
  close(): Promise<void>;
}

/**
 * Opens everything that the configuration requires. The only place that knows both the ports and
 * their adapters.
 * @param parts override the configuration
 * @throws DocentError `data_folder_in_use` if another process has it
 */
export async function openPlatform(
  config: Config,
  parts: Partial<Pick<Deps, 'model'>> = {},
): Promise<Platform> {
  const logger = createPinoLogger({ level: config.logLevel });
  const closers = openClosers(logger);
  try {
    return await wire(config, logger, closers, parts);
  } catch (error) {
    await closers.close();
    throw error;
  }
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
  const traced = config.telemetry
    ? await openTraced(config.telemetry, { processId, logger })
    : untraced;
  closers.add('telemetry', traced.close);
  const database = await openDatabase(config.database, logger, traced.onQuery);
  closers.add('database', () => database.close());
  const appliedMigrations = await database.migrate();
  const fleet = await joinFleet(database.queries, processId);
  closers.add('fleet', fleet.leave);
  closers.add('fleet membership', repeat(logger, [fleet.beat]));

  const { deps, siteCache } = await openDeps(config, {
    logger,
    closers,
    parts,
    processId,
    traced,
    database,
  });
  await ensureDefaultOrganization(deps);

  const { buildApp, attachOperator, siteRoutes, buildProbesApp } = await loading;
  const routing = await watchSiteRouting(deps);
  closers.add('routing', routing.close);
  let leaving = false;
  const isLeaving = () => leaving;
  const app = await buildApp(deps, {
    plugins: [siteRoutes({ ...deps, blobs: siteCache ?? deps.blobs })],
    routing,
    isLeaving,
  });
  closers.add('http server', () => app.close());
  await app.ready();
  // The lock closes the operator's connections until here.
  attachOperator(app, lock.server);

  const listenWith = async (server: Pick<typeof app, 'listen'>) => {
    await server
      .listen({ port: config.port, host: config.host, backlog: LISTEN_BACKLOG })
      .catch((error) => {
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
      closers.add('memory', repeat(logger, [returnMemory()]));
      if (siteCache)
        closers.add('copies of files', repeat(logger, [keepLiveFiles(deps, siteCache, isLeaving)]));
      const notice = sandboxNotice(config);
      if (notice !== undefined) logger.warn({}, notice);
      return config.publicUrl;
    },
    listenForProbes: async () => {
      const probes = await buildProbesApp(deps, isLeaving);
      closers.add('probes', () => probes.close());
      closers.add('memory', repeat(logger, [returnMemory()]));
      await listenWith(probes);
    },
    warm: () => warmSites(deps, isLeaving),
    leave: () => {
      leaving = true;
    },
    startWorkers: () => startWorkers(deps, closers),
    close: () => closers.close(),
  };
}

async function loadHttp() {
  const [app, identify, sites, probes] = await Promise.all([
    import('./http-app.ts'),
    import('../kernel/operations/identify.ts'),
    import('../serving/routes.ts'),
    import('../platform/probes.ts'),
  ]);
  return { ...app, ...identify, ...sites, ...probes };
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
