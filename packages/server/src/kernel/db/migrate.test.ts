import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../../../test/support/test-database.ts';
import type { Database } from '../../ports/database.ts';
import { migrate, readMigrations } from './migrate.ts';

const ours = join(import.meta.dirname, 'migrations');
let folder: string;
let database: Database;
/** The name of a migration after the last real one. */
let extra: string;

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'docent-migrations-'));
  const files = await readdir(ours);
  for (const file of files) await copyFile(join(ours, file), join(folder, file));
  extra = `${String(files.length + 1).padStart(4, '0')}-extra`;
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

test('a new migration is applied once and atomically', async () => {
  const file = join(folder, `${extra}.sql`);
  await writeFile(file, 'CREATE TABLE extra (n integer); SELECT nonsense;');
  await expect(migrate(database.queries, folder)).rejects.toThrow('nonsense');
  expect((await database.execute(`SELECT to_regclass('extra') AS found`)).rows).toEqual([
    { found: null },
  ]);
  await writeFile(file, 'CREATE TABLE extra (n integer); INSERT INTO extra VALUES (1);');
  const runs = await Promise.all([
    migrate(database.queries, folder),
    migrate(database.queries, folder),
  ]);
  expect(runs.flat()).toEqual([extra]);
  expect((await database.execute('SELECT n FROM extra')).rows).toEqual([{ n: 1 }]);
});

test('a database of a newer version is rejected', async () => {
  await expect(migrate(database.queries, ours)).rejects.toMatchObject({
    code: 'database_too_new',
    message: expect.stringContaining(extra),
  });
});

test('a database with only additive newer migrations is accepted, so that a rollout can be rolled back', async () => {
  const other = await testDatabase();
  const newer = await mkdtemp(join(tmpdir(), 'docent-migrations-'));
  for (const file of await readdir(ours)) await copyFile(join(ours, file), join(newer, file));
  await writeFile(join(newer, `${extra}.sql`), '-- additive\nCREATE TABLE more (n integer);');
  expect(await migrate(other.queries, newer)).toEqual([extra]);
  expect(await migrate(other.queries, ours)).toEqual([]);
  await other.close();
  await rm(newer, { recursive: true });
});

test('a migration that was changed after it was applied is an error', async () => {
  await writeFile(join(folder, `${extra}.sql`), 'CREATE TABLE extra (n bigint);');
  await expect(migrate(database.queries, folder)).rejects.toThrow(
    `${extra} was changed after it was applied`,
  );
});

test('a file out of sequence is an error, so that two branches cannot add the same number', async () => {
  const other = extra.replace('extra', 'other.sql');
  await writeFile(join(folder, other), 'SELECT 1;');
  await expect(readMigrations(folder)).rejects.toThrow(`${other} breaks the sequence`);
});
