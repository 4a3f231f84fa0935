import { once } from 'node:events';
import { connect } from 'node:net';
import { lockFolder, operatorSocketPaths } from '../adapters/database/folder-lock.ts';
import { createPinoLogger } from '../adapters/logger/pino.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { openClosers } from '../lib/closers.ts';
import { fullDisk } from '../lib/full-disk.ts';
import { requireOpenFiles } from '../lib/open-files.ts';
import { openTraced, untraced } from './compose-telemetry.ts';
import { beginDatabase, folderFault } from './open-database.ts';
import type { Platform } from './wire-platform.ts';

export type { Platform };

/**
 * Opens everything that the configuration requires. The only place that knows both the ports and
 * their adapters.
 * @param parts override the configuration
 * @throws DocentError `data_folder_in_use` if another process has it, `dependency_unavailable` if
 *   the disk is full
 */
export async function openPlatform(
  config: Config,
  parts: Partial<Pick<Deps, 'model'>> = {},
): Promise<Platform> {
  const logger = createPinoLogger({ level: config.logLevel });
  const closers = openClosers(logger);
  try {
    await requireOpenFiles();
    const lock = await lockFolder(config.dataFolder).catch((error) => {
      throw folderFault(error, config.dataFolder);
    });
    closers.add('folder lock', () => lock.release());
    const processId = createUlid(new Date());
    const traced = config.telemetry
      ? await openTraced(config.telemetry, { processId, logger })
      : untraced;
    closers.add('telemetry', traced.close);
    const { database, opened } = await beginDatabase(config.database, logger, traced.onQuery);
    closers.add('database', () => database.close());
    // The embedded database opens in its own thread; meanwhile this one loads the rest of the code
    // and builds the routes.
    const { wirePlatform } = await import('./wire-platform.ts');
    return await wirePlatform(config, {
      logger,
      closers,
      parts,
      lock,
      processId,
      traced,
      database,
      opened,
    });
  } catch (error) {
    await closers.close();
    // Also what this thread writes while the database fills the disk.
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw fullDisk(config.dataFolder, error);
    throw error;
  }
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
