import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { openPgliteDatabase } from '../../adapters/database/pglite.ts';
import { migrate } from './migrate.ts';

const ours = join(import.meta.dirname, 'migrations');
const MIGRATION = '0030-audit-names.sql';

/** What an organization had, and the entries of its audit log, before the log stored names. */
const EARLIER = `
INSERT INTO organisations (id, slug, name, plan) VALUES ('acme', 'acme', 'Acme', 'pro'), ('other', 'other', 'Other', 'pro');
INSERT INTO users (id, name, email) VALUES ('ada', 'Ada Lovelace', 'ada@acme.example'), ('eve', 'Eve', 'eve@other.example');
INSERT INTO members (organisation_id, user_id, role) VALUES ('acme', 'ada', 'owner'), ('other', 'eve', 'owner');
INSERT INTO sites (id, organisation_id, slug, name) VALUES ('site', 'acme', 'docs', 'Docs'), ('theirs', 'other', 'secret', 'Secret');
INSERT INTO deployments (id, site_id, source_key, status) VALUES ('deployment', 'site', 'a', 'queued'), ('their-deployment', 'theirs', 'b', 'queued');
INSERT INTO api_keys (id, organisation_id, name, kind, hash, masked, site_id) VALUES ('key', 'acme', 'CI', 'assistant', 'h', 'p', 'site');
INSERT INTO invitations (id, organisation_id, email, role, token_hash, invited_by, expires_at, created_at)
  VALUES ('invitation', 'acme', 'grace@acme.example', 'editor', 't', 'ada', now(), now());
INSERT INTO audit_log (id, organisation_id, at, actor, action, thing, outcome) VALUES
  ('1', 'acme', now(), 'ada', 'changeProject', 'docs', 'done'),
  ('2', 'acme', now(), 'key', 'promoteDeployment', 'deployment', 'done'),
  ('3', 'acme', now(), 'operator', 'revokeKey', 'key', 'done'),
  ('4', 'acme', now(), 'gone', 'deleteInvitation', 'invitation', 'done'),
  ('5', 'acme', now(), 'ada', 'changeMember', 'ada', 'done'),
  ('6', 'acme', now(), 'ada', 'changeProject', 'theirs', 'refused'),
  ('7', 'acme', now(), 'ada', 'promoteDeployment', 'their-deployment', 'refused'),
  ('8', 'acme', now(), 'ada', 'changeMember', 'eve', 'refused');
`;

test('entries from before names were stored get those that are still known, and none of another organization', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-migrations-'));
  for (const file of await readdir(ours))
    if (file < MIGRATION) await copyFile(join(ours, file), join(folder, file));
  const database = await openPgliteDatabase({ folder: 'memory', logger: silentLogger });
  await migrate(database.queries, folder);
  for (const statement of EARLIER.split(';\n').filter((text) => text.trim() !== ''))
    await database.execute(statement);
  await copyFile(join(ours, MIGRATION), join(folder, MIGRATION));
  await migrate(database.queries, folder);
  const { rows } = await database.execute(
    'SELECT actor_kind, actor_name, thing_name, site_id, site_name FROM audit_log ORDER BY id',
  );
  const columns = (row: object) => Object.values(row);
  expect(rows.map((row) => columns(row as object))).toEqual([
    ['person', 'Ada Lovelace', null, 'site', 'Docs'],
    ['key', 'CI', null, 'site', 'Docs'],
    ['operator', null, 'CI', 'site', null],
    [null, null, 'grace@acme.example', null, null],
    ['person', 'Ada Lovelace', 'Ada Lovelace', null, null],
    ['person', 'Ada Lovelace', null, null, null],
    ['person', 'Ada Lovelace', null, null, null],
    ['person', 'Ada Lovelace', null, null, null],
  ]);
  await database.close();
  await rm(folder, { recursive: true });
});
