import { weaknessOf } from '@docent/format/access/passwords.ts';
import { expect, it } from 'vitest';
import { PASSWORD_LENGTH } from '../../ports/accounts.ts';
import { commonPasswords, longPasswords } from './common-passwords.ts';

it('the 3,000 most common passwords of the allowed length are refused', async () => {
  const long = await longPasswords();
  expect(new Set(long).size).toBe(3000);
  expect(
    long.filter(({ length }) => length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max),
  ).toEqual([]);
  const common = await commonPasswords();
  const accepted = [...long, '0987654321', 'QwertyQwerty', 'zxcvbbvcxz', 'qwertyqwerty2026'].filter(
    (password) => weaknessOf(password, 'ada@acme.example', common) === undefined,
  );
  expect(accepted).toEqual([]);
  expect(weaknessOf('correct horse battery', 'ada@acme.example', common)).toBeUndefined();
});
