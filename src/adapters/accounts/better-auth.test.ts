import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresBin, startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { silentLogger } from '../../../test/support/silent-logger.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { DocentError } from '../../core/errors.ts';
import { accountsContract } from '../../ports/accounts.contract.ts';
import type { Accounts } from '../../ports/accounts.ts';
import type { Database } from '../../ports/database.ts';
import { createPasswords } from '../../services/passwords.ts';
import { openPostgresDatabase } from '../database/postgres.ts';
import { createAccounts } from './better-auth.ts';

let count = 0;
const createId = () => {
  count += 1;
  return `id-${count}`;
};

const open = (database: Database, { publicUrl = 'http://localhost:3000', passwords = createPasswords() } = {}) => ({
  accounts: createAccounts({
    database,
    logger: silentLogger,
    publicUrl,
    secret: 'test-secret',
    sessionDays: 90,
    createId,
    passwords,
  }),
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
  const { accounts, close } = open(await testDatabase(), { publicUrl: 'https://docs.example.com' });
  await accounts.createUser({ name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' });
  const body = { email: 'ada@example.com', password: 'correct horse battery' };
  const { cookies } = await accounts.perform({ method: 'POST', path: '/sign-in/email', body });
  expect(accounts.cookieName).toBe('__Host-docent.session');
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatch(/^__Host-docent\.[^=]+=.*; Secure/i);
  await close();
});

describe('a password of a former form', () => {
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
  const signIn = (accounts: Accounts, password: string) =>
    accounts.perform({ method: 'POST', path: '/sign-in/email', body: { email: person.email, password } });

  test('is stored in the current one at the next successful sign-in, and at no other', async () => {
    const database = await testDatabase();
    const stored = async () => (await database.queries.selectFrom('user_credentials').select('password').execute())[0]?.password;
    await open(database, { passwords: createPasswords(1) }).accounts.createUser(person);
    const { accounts, close } = open(database, { passwords: createPasswords(2) });
    const former = await stored();
    await expect(signIn(accounts, 'not the password')).rejects.toMatchObject({ code: 'wrong_credentials' });
    expect(await stored()).toBe(former);
    await signIn(accounts, person.password);
    const renewed = await stored();
    expect(renewed).toMatch(/^scrypt\./);
    await signIn(accounts, person.password);
    expect(await stored()).toBe(renewed);
    await expect(signIn(accounts, 'not the password')).rejects.toMatchObject({ code: 'wrong_credentials' });
    await close();
  });

  test('signs in while its hash cannot be renewed, and too many at once are told to try again', async () => {
    const database = await testDatabase();
    await open(database, { passwords: createPasswords(1) }).accounts.createUser(person);
    const busy = async () => {
      throw new DocentError('dependency_unavailable', 'Too many.', { retryAfterSeconds: 5 });
    };
    const { accounts } = open(database, { passwords: { ...createPasswords(2), hash: busy } });
    expect((await signIn(accounts, person.password)).status).toBe(200);
    const refusing = open(database, { passwords: { ...createPasswords(2), verify: busy } });
    await expect(signIn(refusing.accounts, person.password)).rejects.toMatchObject({
      code: 'dependency_unavailable',
      retryAfterSeconds: 5,
    });
    await refusing.close();
  });
});
