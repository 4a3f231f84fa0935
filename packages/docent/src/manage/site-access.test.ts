import { expect, test } from 'vitest';
import { createProgram } from '../program.ts';

test('the password of readers is read from standard input, and is no option', () => {
  const access = createProgram({}, () => {}).commands.find(
    (command) => command.name() === 'access',
  );
  expect(access?.commands.map((command) => command.name())).toEqual([
    'show',
    'set',
    'create-token-key',
    'readers',
    'invite',
    'remove',
    'sessions',
    'revoke',
  ]);
  const options = access?.commands.flatMap((command) => command.options.map(({ flags }) => flags));
  expect(options).toContain('--password-stdin');
  expect(options?.filter((flags) => /--(?:password|client-secret) </.test(flags))).toEqual([]);
});

test('the lists of readers and sessions continue after their first page', () => {
  const access = createProgram({}, () => {}).commands.find(
    (command) => command.name() === 'access',
  );
  for (const name of ['readers', 'sessions']) {
    const list = access?.commands.find((command) => command.name() === name);
    const options = list?.options.map(({ long }) => long);
    expect(options).toEqual(expect.arrayContaining(['--limit', '--cursor']));
  }
});
