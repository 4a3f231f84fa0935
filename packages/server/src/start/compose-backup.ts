import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DocentError } from '@docent/format/errors.ts';
import manifest from '../../../../package.json' with { type: 'json' };
import { postgresEvents } from '../adapters/analytics-store/postgres-events.ts';
import { loadOrCreateSecret } from '../adapters/blob-store/secret-file.ts';
import { lockFolder } from '../adapters/database/folder-lock.ts';
import { openPgliteDatabase } from '../adapters/database/pglite.ts';
import { copyDatabaseFolder } from '../adapters/database/snapshot.ts';
import { createPinoLogger } from '../adapters/logger/pino.ts';
import { type BackupHeader, DATA_FILES, markOf, SECRET } from '../backup/backup-form.ts';
import type { RestoreTarget } from '../backup/restore-backup.ts';
import { isUnused, moveSchema, readSchemaMigrations } from '../backup/table-copies.ts';
import type { BackupSource } from '../backup/write-backup.ts';
import type { Config } from '../kernel/config/config.ts';
import { areAllMigrations } from '../kernel/db/migrate.ts';
import { findProcesses } from '../kernel/jobs/process-queries.ts';
import { type Closers, openClosers } from '../lib/closers.ts';
import type { Database } from '../ports/database.ts';
import type { Logger } from '../ports/logger.ts';
import { openBlobs, openEvents } from './open-adapters.ts';
import { databaseTemplate, folderFault, openDatabase } from './open-database.ts';

/** What a backup command has opened. Close it. */
interface Opened {
  close(): Promise<void>;
}

const clock = { now: () => new Date() };

/**
 * Copies the files of an embedded database that no process has open.
 * @returns the folder of the copy
 * @throws DocentError `data_folder_in_use`; `invalid_setting` if there is no database
 */
export async function copyClosedDatabase({ dataFolder, database }: Config): Promise<string> {
  if (database.kind !== 'embedded' || !(await isThere(database.folder)))
    throw new DocentError(
      'invalid_setting',
      `There is no database in ${dataFolder}; name the data folder of the server.`,
    );
  const lock = await lockData(dataFolder);
  try {
    return await copyDatabaseFolder(database.folder, process.pid);
  } finally {
    await lock.release();
  }
}

/**
 * Opens what the settings name to copy it.
 * @param snapshot the folder with a copy of an embedded database, which closing deletes
 */
export async function openBackupSource(
  config: Config,
  snapshot: string | undefined,
): Promise<BackupSource & Opened> {
  return opening(async (closers, logger) => {
    const database =
      snapshot === undefined
        ? await openDatabase(config.database, logger)
        : await openSnapshot(snapshot, closers, logger);
    closers.add('database', () => database.close());
    const { text: secret, isStored } = await secretOf(config);
    const { blobs } = await openBlobs(config, secret, clock);
    closers.add('blob store', () => blobs.close());
    const events = await openEvents(config.clickHouse);
    if (events) closers.add('analytics events', () => events.close());
    return {
      version: manifest.version,
      queries: database.queries,
      events: events ?? postgresEvents(),
      blobs,
      secret,
      isSecretStored: isStored,
      dataFiles: config.database.kind === 'embedded' ? await dataFilesOf(config) : new Map(),
    };
  });
}

async function openSnapshot(folder: string, closers: Closers, logger: Logger): Promise<Database> {
  closers.add('snapshot', () => rm(folder, { recursive: true, force: true }));
  return openPgliteDatabase({ folder, logger });
}

async function secretOf({ secret }: Config): Promise<{ text: string; isStored: boolean }> {
  if (secret.kind === 'set') return { text: secret.secret, isStored: false };
  return { text: await loadOrCreateSecret(secret.file), isStored: true };
}

async function dataFilesOf({ dataFolder }: Config): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const name of DATA_FILES) {
    const bytes = await readFile(join(dataFolder, name)).catch(ifThere);
    if (bytes) files.set(name, bytes);
  }
  return files;
}

export interface RestoreChoices {
  /** Replaces a platform that is in use. */
  replace?: boolean;
  /** Accepts that the target has another secret than the backup. */
  newSecret?: boolean;
}

/**
 * Opens what the settings name to restore a backup into it.
 * @throws DocentError `data_folder_in_use`; `invalid_setting` if a server cannot be used
 */
export async function openRestoreTarget(
  config: Config,
  choices: RestoreChoices,
): Promise<RestoreTarget & Opened> {
  return opening(async (closers, logger) => {
    const lock = await lockData(config.dataFolder);
    closers.add('folder lock', () => lock.release());
    const place =
      config.database.kind === 'embedded'
        ? embeddedPlace(config.database.folder, logger)
        : await postgresPlace(config, closers, logger);
    // Links are not made here, so the secret does not matter to the store.
    const { blobs } = await openBlobs(config, '', clock);
    closers.add('blob store', () => blobs.close());
    const outside = await openEvents(config.clickHouse);
    if (outside) closers.add('analytics events', () => outside.close());
    const events = outside ?? postgresEvents();
    let staged: Database | undefined;
    closers.add('restored database', async () => staged?.close());
    return {
      blobs,
      events,
      async open(header) {
        requireSecret(config, header, choices);
        if (!choices.replace) {
          await place.requireUnused();
          if (!(await place.isInterrupted()) && (await outside?.outside?.hasAny()))
            throw inUse('The ClickHouse database has events');
        }
        staged = await place.stage(header);
        return staged;
      },
      async writeFile(name, bytes) {
        if (name !== SECRET) await writeFile(join(config.dataFolder, name), bytes, { mode: 0o600 });
        else if (config.secret.kind === 'file')
          await writeFile(config.secret.file, bytes, { mode: 0o600 });
      },
      async install() {
        await staged?.close();
        await place.install();
      },
    };
  });
}

/** Where the restored database comes to be. */
interface DatabasePlace {
  /** @throws DocentError `restore_target_in_use` */
  requireUnused(): Promise<void>;
  /** Whether a restore into it began and did not end. */
  isInterrupted(): Promise<boolean>;
  stage(header: BackupHeader): Promise<Database>;
  install(): Promise<void>;
}

/** The folder is filled under another name and renamed. */
function embeddedPlace(folder: string, logger: Logger): DatabasePlace {
  const staged = `${folder}.restored`;
  return {
    async requireUnused() {
      if (!(await isThere(folder))) return;
      const database = await openPgliteDatabase({ folder, logger });
      try {
        if (!(await isUnused(database.queries)))
          throw inUse(`The data folder ${dirname(folder)} is in use`);
      } finally {
        await database.close();
      }
    },
    isInterrupted: () => isThere(staged),
    async stage({ migrations }) {
      await rm(staged, { recursive: true, force: true });
      // The template has all migrations of this version.
      const template = (await areAllMigrations(migrations))
        ? { templateFile: databaseTemplate }
        : {};
      return openPgliteDatabase({ folder: staged, ...template, logger });
    },
    async install() {
      await rm(folder, { recursive: true, force: true });
      await rename(staged, folder);
    },
  };
}

const STAGED_SCHEMA = 'docent_restore';

/** The tables are filled in a schema of their own and moved in one transaction. */
async function postgresPlace(
  config: Config,
  closers: Closers,
  logger: Logger,
): Promise<DatabasePlace> {
  const { database: settings } = config;
  if (settings.kind !== 'postgres') throw new Error('Not a PostgreSQL database.');
  const { withSchema } = await import('../adapters/database/postgres.ts');
  const database = await openDatabase(settings, logger);
  closers.add('database', () => database.close());
  const run = (text: string) => database.execute(text);
  return {
    async requireUnused() {
      if (!(await isUnused(database.queries))) throw inUse('The PostgreSQL database is in use');
    },
    async isInterrupted() {
      return (
        (await run(`SELECT FROM pg_namespace WHERE nspname = '${STAGED_SCHEMA}'`)).rows.length > 0
      );
    },
    async stage() {
      if (
        (await readSchemaMigrations(database.queries)).some(({ name }) => name === '0033-processes')
      ) {
        const [running] = await findProcesses(database.queries);
        if (running)
          throw new DocentError(
            'invalid_setting',
            `Docent ${running.version} is running on this database; stop all its processes first.`,
          );
      }
      await run(`DROP SCHEMA IF EXISTS ${STAGED_SCHEMA} CASCADE`);
      await run(`CREATE SCHEMA ${STAGED_SCHEMA}`);
      const staged = await openDatabase(
        { ...settings, urlWithPassword: withSchema(settings.urlWithPassword, STAGED_SCHEMA) },
        logger,
      );
      const { rows } = await staged.execute('SELECT current_schema() AS schema');
      if (rows[0]?.schema === STAGED_SCHEMA) return staged;
      await staged.close();
      throw new DocentError(
        'invalid_setting',
        'DOCENT_DATABASE_URL: the server ignores the option search_path; for the restore, connect to PostgreSQL itself instead of a pooler.',
      );
    },
    install: () =>
      database.queries
        .transaction()
        .execute((transaction) => moveSchema(transaction, STAGED_SCHEMA)),
  };
}

function inUse(what: string): DocentError {
  return new DocentError(
    'invalid_setting',
    `${what}. Choose an empty target, or add --replace to delete what it has.`,
  );
}

/** Links, sessions, two-factor secrets and those of streams are bound to the secret. */
function requireSecret(
  { secret }: Config,
  { secretMark, hasSecret }: BackupHeader,
  { newSecret }: RestoreChoices,
): void {
  if (
    newSecret ||
    (secret.kind === 'file' && hasSecret) ||
    (secret.kind === 'set' && markOf(secret.secret) === secretMark)
  )
    return;
  const remedy = hasSecret
    ? 'set DOCENT_SECRET to the one in the backup (tar -xzOf <backup> secret, or the file link-secret of the data folder)'
    : 'set DOCENT_SECRET to the one that the platform had';
  throw new DocentError(
    'invalid_setting',
    `The backup is of a platform with another secret; ${remedy}. With --new-secret, links and sessions end, two-factor sign-in must be set up again, and analytics streams need new secrets.`,
  );
}

async function opening<Result extends object>(
  open: (closers: Closers, logger: Logger) => Promise<Result>,
): Promise<Result & Opened> {
  const logger = createPinoLogger({ level: 'warn' });
  const closers = openClosers(logger);
  try {
    return { ...(await open(closers, logger)), close: () => closers.close() };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

function lockData(folder: string) {
  return lockFolder(folder).catch((error) => {
    throw folderFault(error, folder);
  });
}

async function isThere(path: string): Promise<boolean> {
  return readFile(join(path, 'PG_VERSION'))
    .then(() => true, ifThere)
    .then(Boolean);
}

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
