import { createHash, createHmac } from 'node:crypto';
import { DocentError } from '@docent/format/errors.ts';
import { symmetricDecrypt } from 'better-auth/crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  postgresBin,
  startPostgres,
  type TestPostgres,
} from '../../../../../test/support/postgres.ts';
import { quickPasswords } from '../../../../../test/support/quick-passwords.ts';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { sharedTestDatabase } from '../../../../../test/support/test-database.ts';
import { createPasswords } from '../../kernel/access/passwords.ts';
import { findRecoveryCodes } from '../../kernel/access/second-factor-queries.ts';
import { accountsContract, cookieOf, totpOf } from '../../ports/accounts.contract.ts';
import type { Accounts, PasswordForm } from '../../ports/accounts.ts';
import type { Database } from '../../ports/database.ts';
import { openPostgresDatabase } from '../database/postgres.ts';
import { createAccounts } from './better-auth.ts';

let count = 0;
const createId = () => {
  count += 1;
  return `id-${count}`;
};

const open = (
  database: Database,
  { publicUrl = 'http://localhost:3000', passwords = quickPasswords } = {},
) => ({
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

accountsContract('better-auth on PGlite', async () => open(await sharedTestDatabase()));

describe.skipIf(postgresBin === undefined)('on a PostgreSQL server', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  accountsContract('better-auth on PostgreSQL', async () => {
    const database = await openPostgresDatabase({
      url: await server.createDatabase(),
      logger: silentLogger,
    });
    await database.migrate();
    return open(database);
  });
});

test('over HTTPS, every cookie is Secure and bound to its host', async () => {
  const { accounts, close } = open(await sharedTestDatabase(), {
    publicUrl: 'https://docs.example.com',
  });
  await accounts.createUser({
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse battery',
  });
  const body = { email: 'ada@example.com', password: 'correct horse battery' };
  const { cookies } = await accounts.perform({ method: 'POST', path: '/sign-in/email', body });
  expect(accounts.cookieName).toBe('__Host-docent.session');
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatch(/^__Host-docent\.[^=]+=.*; Secure/i);
  await close();
});

test('an unknown address costs as many slow hashes as a wrong password, so time tells nothing', async () => {
  let hashes = 0;
  const { hash, verify, ...rest } = createPasswords();
  const counting: typeof hash = (...input) => {
    hashes += 1;
    return hash(...input);
  };
  const comparing: typeof verify = (...input) => {
    hashes += 1;
    return verify(...input);
  };
  const passwords = { ...rest, hash: counting, verify: comparing };
  const { accounts, close } = open(await sharedTestDatabase(), { passwords });
  const password = 'correct horse battery';
  await accounts.createUser({ name: 'Ada', email: 'ada@example.com', password });
  await accounts.createUser({ name: 'Bob', email: 'no-password@example.com' });
  const hashesOf = async (email: string) => {
    hashes = 0;
    const body = { email, password: 'a wrong horse battery' };
    const refusal = await accounts
      .perform({ method: 'POST', path: '/sign-in/email', body })
      .catch((error: unknown) => (error as DocentError).code);
    return [hashes, refusal];
  };
  const wrong = await hashesOf('ada@example.com');
  expect(wrong).toEqual([1, 'wrong_credentials']);
  for (const email of ['nobody@example.com', 'no-password@example.com'])
    expect(await hashesOf(email), email).toEqual(wrong);
  await close();
});

describe('a password of a former form', () => {
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
  const signIn = (accounts: Accounts, password: string) =>
    accounts.perform({
      method: 'POST',
      path: '/sign-in/email',
      body: { email: person.email, password },
    });

  test('is stored in the current one at the next successful sign-in, and at no other', async () => {
    const database = await sharedTestDatabase();
    const stored = async () =>
      (await database.queries.selectFrom('user_credentials').select('password').execute())[0]
        ?.password;
    await open(database, { passwords: createPasswords(1) }).accounts.createUser(person);
    const { accounts, close } = open(database, { passwords: createPasswords(2) });
    const former = await stored();
    await expect(signIn(accounts, 'not the password')).rejects.toMatchObject({
      code: 'wrong_credentials',
    });
    expect(await stored()).toBe(former);
    await signIn(accounts, person.password);
    const renewed = await stored();
    expect(renewed).toMatch(/^scrypt\./);
    await signIn(accounts, person.password);
    expect(await stored()).toBe(renewed);
    await expect(signIn(accounts, 'not the password')).rejects.toMatchObject({
      code: 'wrong_credentials',
    });
    await close();
  });

  test('signs in while its hash cannot be renewed, and too many at once are asked to try again', async () => {
    const database = await sharedTestDatabase();
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

describe('recovery codes', () => {
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
  const post = (accounts: Accounts, path: string, body: object, cookie?: string) =>
    accounts.perform({ method: 'POST', path, body, cookie });

  /** Accounts with a person who has a second factor, and how they use one of its recovery codes. */
  const withCodes = async (form: PasswordForm) => {
    const database = await sharedTestDatabase();
    const openWith = (as: PasswordForm) =>
      open(database, { passwords: createPasswords(as) }).accounts;
    const accounts = openWith(form);
    await accounts.createUser(person);
    const signIn = async () => cookieOf(await post(accounts, '/sign-in/email', person));
    const cookie = await signIn();
    const enabled = (
      await post(accounts, '/two-factor/enable', { password: person.password }, cookie)
    ).body;
    const { totpURI, backupCodes } = enabled as { totpURI: string; backupCodes: string[] };
    await post(accounts, '/two-factor/verify-totp', { code: totpOf(totpURI) }, cookie);
    const stored = async () => {
      const data =
        (await findRecoveryCodes(
          database.queries,
          (await database.queries.selectFrom('users').select('id').execute())[0]?.id ?? '',
        )) ?? '';
      const key = createHmac('sha256', 'test-secret').update('accounts').digest('base64url');
      return JSON.parse(await symmetricDecrypt({ key, data })) as string[];
    };
    const use = async (code: string, as = form) =>
      (await post(openWith(as), '/two-factor/verify-backup-code', { code }, await signIn())).status;
    return { codes: backupCodes, stored, use, close: () => database.close() };
  };
  const refusal = { code: 'wrong_credentials' };

  test('are stored as the release before reads them, and become hashes once the next form is written', async () => {
    const { codes, stored, use, close } = await withCodes(1);
    expect(await stored()).toEqual(codes);
    expect(await use(codes[0] as string)).toBe(200);
    expect(await stored()).toEqual(codes.slice(1));
    expect(await use(codes[1] as string, 2)).toBe(200);
    const hashes = await stored();
    expect([hashes.length, hashes.every((hash) => hash.startsWith('sha256.'))]).toEqual([8, true]);
    // The release before this one reads no hashes; this one does, also after the next.
    expect(await use(codes[2] as string, 1)).toBe(200);
    expect(await stored()).toEqual(hashes.slice(1));
    await expect(use(codes[1] as string, 1)).rejects.toMatchObject(refusal);
    await close();
  });

  test('recovery codes of the next form are stored as salted hashes, and each works once', async () => {
    const { codes, stored, use, close } = await withCodes(2);
    const hashes = await stored();
    expect(new Set(hashes.map((hash) => hash.split('.')[1])).size).toBe(10);
    for (const [index, hash] of hashes.entries()) {
      const [kind, salt, digest] = hash.split('.');
      expect([kind, digest]).toEqual([
        'sha256',
        createHash('sha256').update(`${salt}.${codes[index]}`).digest('base64url'),
      ]);
    }
    await expect(use(hashes[0] as string)).rejects.toMatchObject(refusal);
    expect(await use(codes[3] as string)).toBe(200);
    await expect(use(codes[3] as string)).rejects.toMatchObject(refusal);
    expect(await stored()).toEqual(hashes.filter((_hash, index) => index !== 3));
    await close();
  });
});
