import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { openPgliteDatabase } from '../../adapters/database/pglite.ts';
import type { Database } from '../../ports/database.ts';
import { migrate, migrateTo, readMigrations } from './migrate.ts';

/** The step that brought the names of today. */
const STEP = '0045-organizations';

let database: Database;

const rowsOf = async (query: string) => (await database.execute(query)).rows;

beforeAll(async () => {
  database = await openPgliteDatabase({ folder: 'memory', logger: silentLogger });
  await migrateTo(
    database.queries,
    (await readMigrations()).filter(({ name }) => name < STEP),
  );
  await database.execute(
    `INSERT INTO organisations (id, slug, name) VALUES ('acme', 'acme', 'Acme'), ('other', 'other', 'Other')`,
  );
  await database.execute(
    `INSERT INTO sites (id, organisation_id, slug, name) VALUES ('site', 'acme', 'docs', 'Docs')`,
  );
  await database.execute(`INSERT INTO audit_log (id, organisation_id, at, actor, action, outcome, code)
    VALUES ('1', 'acme', now(), 'ada', 'changeOrganisation', 'refused', 'organisation_exists')`);
  await migrate(database.queries);
});
afterAll(() => database.close());

test('rows from before the names of today belong to their organization, and the audit log has the new names', async () => {
  expect(await rowsOf('SELECT organization_id FROM sites')).toEqual([{ organization_id: 'acme' }]);
  expect(await rowsOf('SELECT organization_id, action, code FROM audit_log')).toEqual([
    { organization_id: 'acme', action: 'changeOrganization', code: 'organization_exists' },
  ]);
});

test('what a process with the former names writes has the names of today, and the reverse', async () => {
  await database.execute(
    `INSERT INTO organisations (id, slug, name) VALUES ('late', 'late', 'Late')`,
  );
  await database.execute(
    `INSERT INTO sites (id, organisation_id, slug, name) VALUES ('before', 'late', 'before', 'Before')`,
  );
  await database.execute(
    `INSERT INTO sites (id, organization_id, slug, name) VALUES ('after', 'late', 'after', 'After')`,
  );
  expect(
    await rowsOf(
      `SELECT organisation_id AS former, organization_id AS present FROM sites WHERE id <> 'site'`,
    ),
  ).toEqual([
    { former: 'late', present: 'late' },
    { former: 'late', present: 'late' },
  ]);
  await database.execute(`UPDATE organisations SET name = 'Renamed' WHERE id = 'late'`);
  expect(await rowsOf(`SELECT name FROM organizations WHERE id = 'late'`)).toEqual([
    { name: 'Renamed' },
  ]);
  await database.execute(
    `INSERT INTO reserved_slugs (slug, organisation_id, check_at) VALUES ('gone', 'acme', now())`,
  );
  await database.execute(`UPDATE reserved_slugs SET organisation_id = 'other'`);
  expect(await rowsOf('SELECT organization_id FROM reserved_slugs')).toEqual([
    { organization_id: 'other' },
  ]);
  await database.execute(`UPDATE reserved_slugs SET organization_id = 'acme'`);
  expect(await rowsOf('SELECT organisation_id FROM reserved_slugs')).toEqual([
    { organisation_id: 'acme' },
  ]);
});

test('an organization takes along what it has, whichever name deletes it', async () => {
  await database.execute(`DELETE FROM organisations WHERE id = 'late'`);
  expect(await rowsOf('SELECT id FROM sites')).toEqual([{ id: 'site' }]);
  await database.execute(`DELETE FROM organizations WHERE id = 'acme'`);
  expect(await rowsOf('SELECT id FROM sites')).toEqual([]);
});
