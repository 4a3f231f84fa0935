import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import * as tar from 'tar-stream';
import { migrationsHash } from '../../kernel/db/migrate.ts';

/**
 * A template is the folder of a new, migrated database as a `.tar.gz`: unpacking it takes a
 * fraction of the time that creating a database takes. Its first entry records what it was built
 * from; other engines or schemas cannot use it.
 */
export const templateKeyEntry = 'docent-template';

/**
 * With which a database is created. The engine fills files of its log with zeros before it needs
 * them: of the default size, 16 MB, this takes 0.2 s of CPU time and up to a second of many starts
 * (2026-11-30), and a new data folder is half log.
 */
export const initParams = ['--wal-segsize=1'];

const filesSyncedAtOnce = 8;

/** What a template must have been built from to be usable here. */
export async function templateKey(): Promise<string> {
  const main = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(
    await readFile(join(dirname(main), '..', 'package.json'), 'utf8'),
  ) as { version: string };
  return `pglite ${version}, schema ${await migrationsHash()}`;
}

/** Returns whether a template at this path matches the engine and migrations of this version. */
export async function isUsableTemplate(file: string | undefined): Promise<boolean> {
  if (file === undefined) return false;
  try {
    return (await readTemplateKey(file)) === (await templateKey());
  } catch {
    // No template, or a damaged one: the database is created without it.
    return false;
  }
}

async function readTemplateKey(file: string): Promise<string | undefined> {
  const input = createReadStream(file, { highWaterMark: 4096 });
  const extract = tar.extract();
  const flow = pipeline(input, createGunzip(), extract);
  // The rest of the file is not read, which the pipeline reports as an error.
  flow.catch(() => {});
  for await (const entry of extract) {
    return entry.header.name === templateKeyEntry
      ? (await bytesOf(entry)).toString('utf8')
      : undefined;
  }
  return undefined;
}

/** Unpacks a template into an existing folder and waits until it is flushed to disk. */
export async function unpackTemplate(file: string, folder: string): Promise<void> {
  const extract = tar.extract();
  const flow = pipeline(createReadStream(file), createGunzip(), extract);
  const written: string[] = [];
  for await (const entry of extract) {
    const target = join(folder, entry.header.name);
    if (entry.header.type === 'directory') {
      await mkdir(target, { recursive: true, mode: 0o700 });
      entry.resume();
    } else if (entry.header.name === templateKeyEntry) {
      entry.resume();
    } else {
      await writeFile(target, await bytesOf(entry), { flag: 'wx', mode: 0o600 });
      written.push(target);
    }
  }
  await flow;
  await syncFiles(written);
}

/**
 * Waits until files are flushed to disk. Several at once, because one flush then serves them all.
 */
async function syncFiles(files: string[]): Promise<void> {
  const rest = files.values();
  const syncRest = async () => {
    for (const file of rest) {
      const handle = await open(file, 'r+');
      await handle.datasync();
      await handle.close();
    }
  };
  await Promise.all(Array.from({ length: filesSyncedAtOnce }, syncRest));
}

/** Returns the content of one entry of a tar that we wrote ourselves. */
export async function bytesOf(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
