import { expect, test } from 'vitest';
import { inlineRuns, withoutInlineMarks } from './inline-runs.ts';

test('a short text keeps its links, strong, emphasized and code parts, and everything else is text', () => {
  expect(inlineRuns('See [the guide](/guide), **now**, with `a_b` and _care_.')).toEqual([
    { text: 'See ' },
    { text: 'the guide', target: '/guide' },
    { text: ', ' },
    { text: 'now', mark: 'strong' },
    { text: ', with ' },
    { text: 'a_b', mark: 'code' },
    { text: ' and ' },
    { text: 'care', mark: 'em' },
    { text: '.' },
  ]);
  for (const text of [
    'snake_case_name',
    'for *.example.com and *.example.org',
    '2 * 3 * 4',
    '<b> & {x}',
    '',
  ]) {
    expect(withoutInlineMarks(text)).toBe(text);
  }
});
