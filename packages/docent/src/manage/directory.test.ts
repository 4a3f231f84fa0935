import { expect, test } from 'vitest';
import { readGroupRole } from './directory.ts';

test('the role of a group follows the last sign of equality, as names may contain one', () => {
  expect(readGroupRole('Docs team=editor')).toEqual({ group: 'Docs team', role: 'editor' });
  expect(readGroupRole('a=b=viewer')).toEqual({ group: 'a=b', role: 'viewer' });
  for (const text of ['editor', '=editor'])
    expect(() => readGroupRole(text)).toThrow(/Docs team=editor/);
});
