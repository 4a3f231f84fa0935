import { rm } from 'node:fs/promises';
import type { FolderLock } from '../adapters/database/folder-lock.ts';
import { ensureDefaultOrganization } from '../kernel/access/default-organization.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { joinFleet } from '../kernel/jobs/fleet.ts';
import { repeat } from '../kernel/jobs/retry.ts';
import { returnMemory } from '../kernel/jobs/return-memory.ts';
import { attachOperator } from '../kernel/operations/identify.ts';
import { sandboxNotice } from '../kernel/sites/site-address.ts';
import { type SiteRouting, watchSiteRouting } from '../kernel/sites/site-routing.ts';
import { LISTEN_BACKLOG, listenFault } from '../lib/listen-fault.ts';
import { buildProbesApp } from '../platform/probes.ts';
import { workFolder } from '../publishing/work-folder.ts';
import { keepLiveFiles } from '../serving/keep-live-files.ts';
import { warmSites } from '../serving/open-live-sites.ts';
import { siteRoutes } from '../serving/routes.ts';
import { composeApp, defaultRouting } from './http-app.ts';
import { type Opening, openDeps } from './open-deps.ts';
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

/** Wires the parts of a platform, the part that needs no database while its database opens. */
export async function wirePlatform(
  config: Config,
  { lock, opened, ...opening }: Opening & { lock: FolderLock; opened: Promise<void> },
): Promise<Platform> {
  const { logger, closers, processId, database } = opening;
  // Unpacked sources of a killed process; its job starts again from the upload.
  await rm(workFolder(config), { recursive: true, force: true });
  const { deps, siteCache, startJobs } = await openDeps(config, opening);
  let leaving = false;
  const isLeaving = () => leaving;
  let routing: SiteRouting = defaultRouting;
  const { app, check } = await composeApp(deps, {
    plugins: [siteRoutes({ ...deps, blobs: siteCache ?? deps.blobs })],
    routing: {
      slugOf: (hostname) => routing.slugOf(hostname),
      basePathOf: (slug) => routing.basePathOf(slug),
    },
    isLeaving,
  });
  // If the start fails; later it closes before what its last requests need.
  closers.add('routes', () => app.close());

  await opened;
  const appliedMigrations = await database.migrate();
  const fleet = await joinFleet(database.queries, processId);
  closers.add('fleet', fleet.leave);
  closers.add('fleet membership', repeat(logger, [fleet.beat]));
  await startJobs();
  await ensureDefaultOrganization(deps);
  const watchedRouting = await watchSiteRouting(deps);
  closers.add('routing', watchedRouting.close);
  routing = watchedRouting;
  let detachOperator = async () => {};
  closers.add('operator', () => detachOperator());
  closers.add('http server', () => app.close());
  await check();
  // The lock closes the operator's connections until here.
  detachOperator = attachOperator(app, lock.server);

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
