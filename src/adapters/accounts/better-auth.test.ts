import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresBin, startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { silentLogger } from '../../../test/support/silent-logger.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { accountsContract } from '../../ports/accounts.contract.ts';
import type { Database } from '../../ports/database.ts';
import { openPostgresDatabase } from '../database/postgres.ts';
import { createAccounts } from './better-auth.ts';

let count = 0;
const createId = () => {
  count += 1;
  return `id-${count}`;
};

const open = (database: Database, publicUrl = 'http://localhost:3000') => ({
  accounts: createAccounts({ database, logger: silentLogger, publicUrl, secret: 'test-secret', sessionDays: 90, createId }),
  close: () => database.close(),
});

accountsContract('better-auth on PGlite', async () => open(await testDatabase()));

describe.skipIf(postgresBin === undefined)('on a PostgreSQL server', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  accountsContract('better-auth on PostgreSQL', async () => {
    const database = await openPostgresDatabase({ url: await server.createDatabase(), logger: silentLogger });
    await database.migrate();
    return open(database);
  });
});

test('over HTTPS, every cookie is Secure and bound to its host', async () => {
  const { accounts, close } = open(await testDatabase(), 'https://docs.example.com');
  await accounts.createUser({ name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' });
  const body = { email: 'ada@example.com', password: 'correct horse battery' };
  const { cookies } = await accounts.perform({ method: 'POST', path: '/sign-in/email', body });
  expect(accounts.cookieName).toBe('__Host-docent.session');
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatch(/^__Host-docent\.[^=]+=.*; Secure/i);
  await close();
});
