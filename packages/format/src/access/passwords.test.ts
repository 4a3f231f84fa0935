import { expect, it } from 'vitest';
import { weaknessOf } from './passwords.ts';

const COMMON = ['password', 'qwertyuiop', '1234567890', 'q1w2e3r4t5'];
const weakness = (password: string) => weaknessOf(password, 'ada.lovelace@acme.example', COMMON);

it('refuses what attackers try first: common passwords, repetitions, the address and the name of the product', () => {
  for (const password of [
    '1234567890',
    'QWERTYUIOP',
    'q1w2e3r4t5',
    'password12',
    'Password2026!',
    '!password!!',
  ])
    expect(weakness(password), password).toMatch(/most common/);
  for (const password of ['aaaaaaaaaa', 'abababababab', '1111122222'])
    expect(weakness(password), password).toMatch(/repeat/);
  for (const password of [
    'ada.lovelace@acme.example',
    'Lovelace2026',
    'acme.example',
    'docent2026',
    'docentdocent1',
  ])
    expect(weakness(password), password).toMatch(/your email address or the name of the product/);
});

it('accepts phrases, words of other languages, and what a generator makes', () => {
  for (const password of [
    'correct horse battery',
    'a long passphrase of Ada',
    'docent is easy to run',
    'Rhabarberkuchen mit Sahne',
    '正しい馬の電池ステープル',
    'x7#Kq9!vTz2$',
    '7315908264',
    'password manager wrote this',
  ])
    expect(weakness(password), password).toBeUndefined();
});
