import { STORED_FORMS } from '@docent/format/build/stored-forms.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sharedTestDatabase } from '../../../../../test/support/test-database.ts';
import type { Database } from '../../ports/database.ts';
import { joinFleet, requireWritableForms } from './fleet.ts';
import {
  findProcesses,
  findStoredForms,
  recordProcess,
  recordStoredForms,
} from './process-queries.ts';

let database: Database;

beforeEach(async () => {
  database = await sharedTestDatabase();
});
afterEach(() => database.close());

const page = STORED_FORMS.page.writes;

test('a process is listed while it runs, with what it reads', async () => {
  const { leave } = await joinFleet(database.queries, 'one');
  expect(await findProcesses(database.queries)).toEqual([
    {
      id: 'one',
      version: expect.any(String),
      reads: expect.objectContaining({ page: STORED_FORMS.page.reads }),
    },
  ]);
  await leave();
  expect(await findProcesses(database.queries)).toEqual([]);
});

test('nothing is written while a process runs that could not read it, and the message names its version', async () => {
  await recordProcess(database.queries, { id: 'old', version: '0.0.9', reads: { page: page - 1 } });
  await expect(requireWritableForms(database.queries)).rejects.toMatchObject({
    code: 'dependency_unavailable',
    message: expect.stringContaining('Docent 0.0.9 still runs beside'),
  });
  expect(await findStoredForms(database.queries)).toEqual([]);
});

test('a process that ended without a word holds nothing up: it counts for two minutes', async () => {
  await recordProcess(database.queries, { id: 'old', version: '0.0.9', reads: { page: page - 1 } });
  await database.execute(`UPDATE processes SET seen_at = now() - interval '3 minutes'`);
  await requireWritableForms(database.queries);
  expect(await findStoredForms(database.queries)).toContainEqual({
    name: 'page',
    number: page,
    version: expect.any(String),
  });
});

test('a version that cannot read what a newer one stored does not start, and the message names that version', async () => {
  await recordStoredForms(database.queries, '0.9.0', { page: page + 1 });
  await requireWritableForms(database.queries);
  await expect(joinFleet(database.queries, 'one')).rejects.toMatchObject({
    code: 'database_too_new',
    message: `Docent 0.9.0 has stored pages in form ${page + 1}, which this version cannot read; run that version, or restore a backup from before.`,
  });
  expect(await findProcesses(database.queries)).toEqual([]);
});

test('data of a kind that this version does not read does not stop it', async () => {
  await recordStoredForms(database.queries, '0.9.0', { hologram: 1 });
  await joinFleet(database.queries, 'one');
  await recordProcess(database.queries, { id: 'old', version: '0.0.9', reads: {} });
  await requireWritableForms(database.queries);
});
