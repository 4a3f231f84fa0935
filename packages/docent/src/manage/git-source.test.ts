import { expect, test } from 'vitest';
import { createProgram } from '../program.ts';

test('the token of a Git source is read from standard input, and is no option', () => {
  const git = createProgram({}, () => {}).commands.find((command) => command.name() === 'git');
  const names = git?.commands.map((command) => command.name());
  expect(names).toEqual(['show', 'connect', 'change', 'check', 'deploy', 'webhook', 'pulls', 'approve', 'disconnect']);
  const options = git?.commands.flatMap((command) => command.options.map(({ flags }) => flags));
  expect(options).toContain('--token-stdin');
  expect(options?.filter((flags) => /--token\b(?!-)/.test(flags))).toEqual([]);
});
