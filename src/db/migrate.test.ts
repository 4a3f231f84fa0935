import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/test-database.ts';
import type { Database } from '../ports/database.ts';
import { migrate, readMigrations } from './migrate.ts';

const ours = join(import.meta.dirname, 'migrations');
let folder: string;
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'docent-migrations-'));
  for (const file of await readdir(ours)) await copyFile(join(ours, file), join(folder, file));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

test('a new migration is applied once, together with the note of it, or not at all', async () => {
  const file = join(folder, '0005-extra.sql');
  await writeFile(file, 'CREATE TABLE extra (n integer); SELECT nonsense;');
  await expect(migrate(database.queries, folder)).rejects.toThrow('nonsense');
  expect((await database.execute(`SELECT to_regclass('extra') AS found`)).rows).toEqual([{ found: null }]);
  await writeFile(file, 'CREATE TABLE extra (n integer); INSERT INTO extra VALUES (1);');
  const runs = await Promise.all([migrate(database.queries, folder), migrate(database.queries, folder)]);
  expect(runs.flat()).toEqual(['0005-extra']);
  expect((await database.execute('SELECT n FROM extra')).rows).toEqual([{ n: 1 }]);
});

test('a database that a newer version used is refused', async () => {
  await expect(migrate(database.queries, ours)).rejects.toThrow('0005-extra, which this version does not know');
});

test('a migration that was changed after it was applied is an error', async () => {
  await writeFile(join(folder, '0005-extra.sql'), 'CREATE TABLE extra (n bigint);');
  await expect(migrate(database.queries, folder)).rejects.toThrow('0005-extra was changed after it was applied');
});

test('a file out of sequence is an error, so that two branches cannot both bring number 5', async () => {
  await writeFile(join(folder, '0005-other.sql'), 'SELECT 1;');
  await expect(readMigrations(folder)).rejects.toThrow('0005-other.sql breaks the sequence');
});
