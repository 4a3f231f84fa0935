import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rawTarGz } from '../../../../../test/support/raw-tar.ts';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { testDatabase, testTemplate } from '../../../../../test/support/test-database.ts';
import { databaseContract } from '../../ports/database.contract.ts';
import type { Database } from '../../ports/database.ts';
import { isUsableTemplate, templateKeyEntry } from './database-template.ts';
import { maintain, openPgliteDatabase, startPgliteDatabase } from './pglite.ts';

const logger = silentLogger;

databaseContract('PGlite in memory', async () =>
  openPgliteDatabase({ folder: 'memory', templateFile: await testTemplate(), logger }),
);

describe('PGlite in a folder', () => {
  let base: string;
  let folder: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'docent-database-'));
    folder = join(base, 'database');
  });

  afterEach(() => rm(base, { recursive: true, force: true }));

  const open = async () =>
    openPgliteDatabase({ folder, templateFile: await testTemplate(), logger });

  test('keeps its data after closing and reopening, in a folder that only its owner can access', async () => {
    const first = await open();
    expect(await first.migrate()).toEqual([]);
    await first.execute(`INSERT INTO organizations (id, slug, name) VALUES ('o', 's', 'n')`);
    await first.close();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const second = await open();
    expect((await second.execute('SELECT id FROM organizations')).rows).toEqual([{ id: 'o' }]);
    await second.close();
  });

  test('opens after an interrupted creation of the database', async () => {
    await mkdir(join(base, 'database.new', 'base'), { recursive: true });
    await writeFile(join(base, 'database.new', 'PG_VERSION'), '18');
    const database = await open();
    expect(await database.ping()).toBe(true);
    await database.close();
  });

  test('accepts a template only if it is intact and of this version', async () => {
    const damaged = join(base, 'damaged.tar.gz');
    await writeFile(damaged, 'nonsense');
    const other = join(base, 'other.tar.gz');
    await writeFile(
      other,
      rawTarGz([{ name: templateKeyEntry, content: 'pglite 0.0.1, schema 0' }]),
    );
    expect(
      await Promise.all(
        [damaged, other, join(base, 'none'), await testTemplate()].map(isUsableTemplate),
      ),
    ).toEqual([false, false, false, true]);
  });

  test('a new database has no databases to copy, which would double its files', async () => {
    const database = await open();
    const { rows } = await database.execute('SELECT datname FROM pg_database');
    expect(rows).toEqual([{ datname: 'postgres' }]);
    await database.close();
  });

  test('a new database fills small files of its log with zeros', async () => {
    const database = await open();
    const { rows } = await database.execute('SHOW wal_segment_size');
    expect(rows).toEqual([{ wal_segment_size: '1MB' }]);
    await database.close();
  });

  test('a database that cannot be opened fails its queries and can be closed', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'PG_VERSION'), '18');
    const { database, opened } = startPgliteDatabase({ folder, logger });
    const query = expect(database.execute('SELECT 1')).rejects.toThrow(/stopped|timeout/);
    await expect(opened).rejects.toThrow('The embedded database');
    await database.close();
    await query;
  });

  test('fails instead of hanging if its folder cannot be created', async () => {
    await writeFile(join(base, 'file'), 'x');
    await expect(
      openPgliteDatabase({ folder: join(base, 'file', 'database'), logger }),
    ).rejects.toThrow();
  });

  test('keeps every acknowledged row after a kill -9, twice', async () => {
    let acknowledged = 0;
    for (let round = 0; round < 2; round += 1)
      acknowledged = await writeUntilKilled(folder, acknowledged + 1);
    const database = await open();
    const { rows } = await database.execute(
      'SELECT count(*) AS count, max(n) AS last FROM kill_test',
    );
    await database.close();
    expect(acknowledged).toBeGreaterThan(20);
    // The last row may be stored although its acknowledgment was never sent.
    expect(rows[0]?.last).toBeGreaterThanOrEqual(acknowledged);
    expect(rows[0]?.count).toBe(rows[0]?.last);
  });
});

describe('the embedded engine', () => {
  let database: Database;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  test('does not grow without bound under repeated updates', async () => {
    await database.execute(
      `CREATE TABLE counters AS SELECT n, repeat('x', 500) AS padding FROM generate_series(1, 300) n`,
    );
    const size = async () =>
      Number((await database.execute(`SELECT pg_relation_size('counters') AS size`)).rows[0]?.size);
    const changeAll = async () => {
      for (let round = 0; round < 5; round += 1)
        await database.execute('UPDATE counters SET padding = reverse(padding)');
      await maintain((text) => database.execute(text));
      return size();
    };
    const after = await changeAll();
    expect(await changeAll()).toBeLessThanOrEqual(after);
  });

  test('resets the session state that a previous query left behind', async () => {
    await database.execute(
      'SET statement_timeout = 12345; CREATE TEMPORARY TABLE leftover (n integer); BEGIN',
    );
    await expect(database.execute('SELECT nonsense')).rejects.toThrow();
    const { rows } = await database.execute(
      `SELECT current_setting('statement_timeout') AS timeout, to_regclass('leftover') AS leftover, pg_current_xact_id_if_assigned() AS open`,
    );
    expect(rows).toEqual([{ timeout: '0', leftover: null, open: null }]);
  });

  test('does not block the event loop during a long query', async () => {
    let maxPauseMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      maxPauseMs = Math.max(maxPauseMs, performance.now() - last);
      last = performance.now();
    }, 5);
    const startedAt = performance.now();
    await database.execute('SELECT count(*) FROM generate_series(1, 2000000) n WHERE n % 7 = 3');
    clearInterval(timer);
    expect(maxPauseMs).toBeLessThan((performance.now() - startedAt) / 2);
  });
});

/** Starts a process that writes rows, kills it, and returns the last row it acknowledged. */
async function writeUntilKilled(folder: string, from: number): Promise<number> {
  const program = join(import.meta.dirname, '../../../../../test/support/kill-test-writer.ts');
  const child = spawn(process.execPath, [program, folder, String(from), await testTemplate()], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let last = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last - from > 30) child.kill('SIGKILL');
  }
  await exit;
  return last;
}
