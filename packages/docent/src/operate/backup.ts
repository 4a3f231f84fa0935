import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, open, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DocentError } from '@docent/format/errors.ts';
import { SNAPSHOT_ROUTE } from '@docent/server/backup/backup-form.ts';
import { type Config, loadConfig } from '@docent/server/kernel/config/config.ts';
import type { RestoreChoices } from '@docent/server/start/compose-backup.ts';
import { createApiClient } from '../kernel/api-client.ts';
import { formatBytes, type Output } from '../kernel/output.ts';
import { patiently } from '../kernel/patience.ts';

interface BackupOptions {
  /** The file with the passphrase. */
  encrypt?: string;
}

interface RestoreOptions extends RestoreChoices {
  /** The file with the passphrase. */
  passphrase?: string;
}

type Counts = { rows: number; events: number; files: number; bytes: number };

const STANDARD = '-';
const PROGRESS_MS = 200;

/**
 * `docent backup`: everything that the settings name, in one file or on standard output, while the server runs.
 */
export async function runBackup(
  env: NodeJS.ProcessEnv,
  file: string,
  options: BackupOptions,
  output: Output,
): Promise<void> {
  const config = loadConfig(env);
  const passphrase = await passphraseIn(options.encrypt);
  if (file !== STANDARD) await refuseExisting(file);
  const [{ openBackupSource }, { backupOf }, { packArchive }] = await loadCopying();
  // A long statement may have the only connection of the database.
  const snapshot = await patiently(output, () => snapshotOf(config));
  const source = await openBackupSource(config, snapshot);
  let counts: Counts | undefined;
  const hash = createHash('sha256');
  try {
    const archive = await packArchive(
      backupOf(source, (now) => {
        counts = now;
        showCounts(output, 'Copied', now);
      }),
      passphrase,
    );
    await write(file, archive, hash);
  } finally {
    await source.close();
  }
  const sha256 = hash.digest('hex');
  const text = `Backed up ${countsText(counts as Counts)}${file === STANDARD ? '' : ` to ${file}`}. SHA-256: ${sha256}`;
  if (file === STANDARD) output.note(text);
  else output.result(text, { file: resolve(file), sha256, ...counts });
}

/** `docent restore`: a backup into what the settings name. */
export async function runRestore(
  env: NodeJS.ProcessEnv,
  file: string,
  options: RestoreOptions,
  output: Output,
): Promise<void> {
  const config = loadConfig(env);
  const passphrase = await passphraseIn(options.passphrase);
  const [{ openRestoreTarget }, , { unpackArchive }, { restoreBackup }] = await loadCopying();
  const tar = await unpackArchive(
    file === STANDARD ? process.stdin : await reading(file),
    passphrase,
  );
  const target = await openRestoreTarget(config, options);
  let counts: Counts | undefined;
  try {
    const header = await restoreBackup(tar, target, (now) => {
      counts = now;
      showCounts(output, 'Restored', now);
    });
    const text = `Restored ${countsText(counts as Counts)} of Docent ${header.version} from ${header.createdAt}.`;
    output.result(text, { createdAt: header.createdAt, version: header.version, ...counts });
  } finally {
    await target.close();
  }
}

/**
 * `docent migrate --from`: what a data folder has into what the settings name. The folder stays as it is.
 */
export async function runMove(
  env: NodeJS.ProcessEnv,
  from: string,
  options: RestoreChoices,
  output: Output,
): Promise<void> {
  const config = loadConfig(env);
  const [{ openBackupSource, openRestoreTarget }, { backupOf }, , { restoreBackup }, { tarOf }] =
    await loadCopying();
  const hasSecret = await access(join(from, 'link-secret')).then(
    () => true,
    () => false,
  );
  const secret =
    config.secret.kind === 'set' && !hasSecret ? { DOCENT_SECRET: config.secret.secret } : {};
  const origin = loadConfig({ DOCENT_DATA: from, ...secret });
  const source = await openBackupSource(origin, await closedCopyOf(origin));
  try {
    const target = await openRestoreTarget(config, options);
    let counts: Counts | undefined;
    try {
      const copied = backupOf(source, (now) => {
        counts = { ...now };
        showCounts(output, 'Copied', now);
      });
      await restoreBackup(tarOf(copied), target, () => {});
    } finally {
      await target.close();
    }
    output.result(`Copied ${countsText(counts as Counts)} from ${from}. The folder is unchanged.`, {
      from: resolve(from),
      ...counts,
    });
  } finally {
    await source.close();
  }
}

function loadCopying() {
  return Promise.all([
    import('@docent/server/start/compose-backup.ts'),
    import('@docent/server/backup/write-backup.ts'),
    import('@docent/server/backup/archive-stream.ts'),
    import('@docent/server/backup/restore-backup.ts'),
    import('@docent/compiler/files/pack-bundle.ts'),
  ]);
}

/** A large database takes a while to copy. */
const COPY_SECONDS = 3600;

/**
 * Returns a copy of the embedded database: made by the process that has it open, or here if there
 * is none.
 */
export async function snapshotOf(config: Config): Promise<string | undefined> {
  if (config.database.kind !== 'embedded') return undefined;
  const { findOperatorSocket } = await import('@docent/server/start/compose.ts');
  const socketPath = await findOperatorSocket(config);
  if (socketPath === undefined) return closedCopyOf(config);
  const api = createApiClient({ socketPath });
  const copying = { timeoutSeconds: COPY_SECONDS };
  return (await api.post<{ folder: string }>(SNAPSHOT_ROUTE, { owner: process.pid }, copying))
    .folder;
}

async function closedCopyOf(config: Config): Promise<string> {
  return (await import('@docent/server/start/compose-backup.ts')).copyClosedDatabase(config);
}

/** @throws DocentError `invalid_setting` if it cannot be read */
async function passphraseIn(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const text = (await readFile(file, 'utf8').catch((error) => cannotRead(file, error))).replace(
    /\r?\n$/,
    '',
  );
  if (text === '')
    throw new DocentError(
      'invalid_setting',
      `The file ${file} is empty; its first line must be the passphrase.`,
    );
  return text;
}

function cannotRead(file: string, error: NodeJS.ErrnoException): never {
  throw new DocentError(
    'invalid_setting',
    `The file ${file} cannot be read (${error.code}); correct the path.`,
    {
      cause: error,
    },
  );
}

async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists)
    throw new DocentError(
      'invalid_setting',
      `The file ${file} exists already; choose another name.`,
    );
}

async function reading(file: string): Promise<AsyncIterable<Uint8Array>> {
  const stream = createReadStream(file);
  await once(stream, 'open').catch((error) => cannotRead(file, error));
  return stream;
}

/**
 * Writes a file under another name, waits until it is on disk, and renames it: what has the name is
 * whole.
 */
async function write(file: string, archive: AsyncIterable<Uint8Array>, hash: Hash): Promise<void> {
  const { hashed } = await import('@docent/compiler/files/bundle-file.ts');
  if (file === STANDARD) return pipeline(hashed(archive, hash), process.stdout);
  const unfinished = `${file}.partial`;
  await pipeline(
    hashed(archive, hash),
    createWriteStream(unfinished, { mode: 0o600, flush: true }),
  ).catch((error) => {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'open') throw error;
    throw new DocentError(
      'invalid_setting',
      `The file ${file} cannot be written (${code}); choose another place.`,
      {
        cause: error,
      },
    );
  });
  await rename(unfinished, file);
  const folder = await open(dirname(resolve(file)));
  await folder.sync();
  await folder.close();
}

let shownAt = 0;

function showCounts(output: Output, verb: string, counts: Counts): void {
  if (performance.now() - shownAt < PROGRESS_MS) return;
  shownAt = performance.now();
  output.progress(`${verb} ${countsText(counts)}`);
}

function countsText({ rows, events, files, bytes }: Counts): string {
  return `${rows} rows, ${events} events and ${files} files (${formatBytes(bytes)})`;
}
