import { expect, test } from 'vitest';
import { sharedTestDatabase } from '../../../../../test/support/test-database.ts';
import { deleteExpiredAccountRecords } from './member-queries.ts';

test('exactly the expired sessions, sign-in steps and invitations are deleted', async () => {
  const database = await sharedTestDatabase();
  await database.execute(`INSERT INTO organizations (id, slug, name) VALUES ('o', 'o', 'o')`);
  await database.execute(
    `INSERT INTO users (id, name, email) VALUES ('u', 'Ada', 'ada@example.com')`,
  );
  for (const [id, end] of [
    ['old', '2026-11-22T11:59:59Z'],
    ['new', '2026-11-22T12:00:01Z'],
  ]) {
    await database.execute(
      `INSERT INTO user_sessions (id, user_id, token, expires_at) VALUES ($1, 'u', $1, $2)`,
      [id, end],
    );
    await database.execute(
      `INSERT INTO user_verifications (id, identifier, value, expires_at) VALUES ($1, $1, 'v', $2)`,
      [id, end],
    );
    await database.execute(
      `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, expires_at)
       VALUES ($1, 'o', $1 || '@example.com', 'viewer', $1, 'u', $2)`,
      [id, end],
    );
  }
  await deleteExpiredAccountRecords(database.queries, new Date('2026-11-22T12:00:00Z'));
  for (const table of ['user_sessions', 'user_verifications', 'invitations']) {
    expect((await database.execute(`SELECT id FROM ${table}`)).rows).toEqual([{ id: 'new' }]);
  }
  await database.close();
});
