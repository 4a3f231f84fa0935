import { expect, it } from 'vitest';
import { weaknessOf } from '../../core/access/passwords.ts';
import { PASSWORD_LENGTH } from '../../ports/accounts.ts';
import { commonPasswords } from './common-passwords.ts';
import { longPasswords } from './long-passwords.ts';

it('the 3,000 most common passwords of the allowed length are refused', async () => {
  expect(new Set(longPasswords).size).toBe(3000);
  expect(longPasswords.filter(({ length }) => length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max)).toEqual([]);
  const common = await commonPasswords();
  const accepted = [...longPasswords, '0987654321', 'QwertyQwerty', 'zxcvbbvcxz', 'qwertyqwerty2026'].filter(
    (password) => weaknessOf(password, 'ada@acme.example', common) === undefined,
  );
  expect(accepted).toEqual([]);
  expect(weaknessOf('correct horse battery', 'ada@acme.example', common)).toBeUndefined();
});
