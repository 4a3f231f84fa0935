import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import * as tar from 'tar-stream';
import {
  bytesOf,
  initParams,
  templateKey,
  templateKeyEntry,
} from '../packages/server/src/adapters/database/database-template.ts';
import { migrate } from '../packages/server/src/kernel/db/migrate.ts';
import type { Tables } from '../packages/server/src/ports/tables.ts';

/** Where the server looks for the template. */
export const templateFile = fileURLToPath(
  new URL('../dist/database-template.tar.gz', import.meta.url),
);

/**
 * Creates a new, migrated database and stores its folder as one file, which appears once it is
 * complete.
 */
export async function buildDatabaseTemplate(file: string = templateFile): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  const pack = tar.pack();
  const written = pipeline(pack, createGzip({ level: 9 }), createWriteStream(unfinished));
  pack.entry({ name: templateKeyEntry }, await templateKey());
  await copyEntries(await migratedDatabase(), pack);
  pack.finalize();
  await written;
  await rename(unfinished, file);
}

/** Returns the folder of a migrated database as a tar. */
async function migratedDatabase(): Promise<Blob> {
  const engine = await PGlite.create('memory://', { initDbStartParams: initParams });
  const pool = new pg.Pool({ ...createPgConfig(engine), max: 1 });
  await migrate(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }));
  await pool.end();
  await dropTemplates(engine);
  await engine.exec('VACUUM (ANALYZE)');
  await engine.exec('CHECKPOINT');
  const folder = await engine.dumpDataDir('none');
  await engine.close();
  return folder;
}

/**
 * Drops the databases that PostgreSQL copies when it creates another: the embedded one never does,
 * and they are half the files of every data folder.
 */
async function dropTemplates(engine: PGlite): Promise<void> {
  await engine.exec("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template_'");
  await engine.exec('DROP DATABASE template0');
  await engine.exec('DROP DATABASE template1');
}

async function copyEntries(source: Blob, pack: tar.Pack): Promise<void> {
  const extract = tar.extract();
  const flow = pipeline(Readable.fromWeb(source.stream()), extract);
  for await (const entry of extract) {
    const { type, size, mode } = entry.header;
    // The engine writes names relative to its own root.
    const name = entry.header.name.replace(/^\/+/, '');
    const bytes = await bytesOf(entry);
    if (name !== '') pack.entry({ name, type, size, mode, mtime: new Date(0) }, bytes);
  }
  await flow;
}

if (import.meta.main) {
  const startedAt = performance.now();
  await buildDatabaseTemplate();
  process.stdout.write(
    `Built ${templateFile} in ${Math.round(performance.now() - startedAt)} ms.\n`,
  );
}
