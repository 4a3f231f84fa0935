import { fileURLToPath } from 'node:url';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import {
  type OpeningDatabase,
  startPgliteDatabase,
  whenOpen,
} from '../adapters/database/pglite.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { fullDisk } from '../lib/full-disk.ts';
import type { Traced } from './compose-telemetry.ts';

export const databaseTemplate = fileURLToPath(
  new URL('../../../../dist/database-template.tar.gz', import.meta.url),
);

export async function openDatabase(
  config: Config['database'],
  logger: Deps['logger'],
): Promise<Deps['database']> {
  return whenOpen(await beginDatabase(config, logger));
}

/**
 * Begins to open the database; the embedded one opens in a thread of its own.
 * @param onQuery called with each query that has ended
 */
export async function beginDatabase(
  config: Config['database'],
  logger: Deps['logger'],
  onQuery?: Traced['onQuery'],
): Promise<OpeningDatabase> {
  if (config.kind === 'embedded') {
    return startPgliteDatabase({
      folder: config.folder,
      templateFile: databaseTemplate,
      logger,
      onQuery,
    });
  }
  const { openPostgresDatabase } = await import('../adapters/database/postgres.ts');
  const { urlWithPassword: url } = config;
  const database = await openPostgresDatabase({ url, logger, onQuery }).catch(
    unusable('DOCENT_DATABASE_URL', 'PostgreSQL'),
  );
  return { database, opened: Promise.resolve() };
}

/** Handles the error of a server that a setting names. */
export function unusable(setting: string, server: string) {
  return (cause: unknown): never => {
    const message = `${setting}: the ${server} server cannot be used: ${errorMessage(cause)}; start the server, or correct its address and password.`;
    throw new DocentError('invalid_setting', message, { cause });
  };
}

/** Explains in one line why the operating system refuses the data folder. */
export function folderFault(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!['EACCES', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS', 'ENOSPC', 'ENOENT'].includes(code))
    return error;
  if (code === 'ENOSPC') return fullDisk(folder, error);
  const message = `The data folder ${folder} cannot be used (${code}); set DOCENT_DATA to a writable folder.`;
  return new DocentError('invalid_setting', message, { cause: error });
}
