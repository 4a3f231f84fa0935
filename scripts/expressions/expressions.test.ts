import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findExpressions } from './find-expressions.ts';
import { findSlowInput } from './growth.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Expressions that take more than linear time, but whose texts are never longer than `maxLength`.
 */
const EXEMPT: { file: string; start: string; maxLength: number; why: string }[] = [
  {
    file: 'packages/search/src/query/named-sections.ts',
    start: '[A-Za-z][\\w-]*(?:[a-z][A-Z]',
    maxLength: 400,
    why: 'a slice of MAX_QUERY_LENGTH characters',
  },
  {
    file: 'packages/format/src/api-reference/find-operation.ts',
    start: '^(?:(\\S(?:.*?\\S)?)\\s+)?(get|post',
    maxLength: 2000,
    why: 'a slice of 2,000 characters',
  },
  {
    file: 'packages/format/src/content/mdx/source-repair.ts',
    start: '^<\\/\\s*([^\\s>]*)',
    maxLength: 200,
    why: 'a slice of 200 characters',
  },
  {
    file: 'packages/assistant/src/model/model-text.ts',
    start: '^\\s*(?:(?:`{3}|~{3})[ \\t]*',
    maxLength: 200,
    why: 'a slice of MAX_JSON_OPENING characters',
  },
  {
    file: 'packages/assistant/src/model/model-text.ts',
    start: '^\\s*(?:`{1,2}|~{1,2}|',
    maxLength: 200,
    why: 'a slice of MAX_JSON_OPENING characters',
  },
  {
    file: 'packages/format/src/content/components/media.ts',
    start: '^.*(?:v=|\\/)',
    maxLength: 2000,
    why: 'a slice of 2,000 characters',
  },
  ...['[ \\t]+#+', '[ \\t]*\\{#', '!\\[[^\\]]*\\]'].map((start) => ({
    file: 'packages/format/src/content/mdx/first-heading.ts',
    start,
    maxLength: 1000,
    why: 'a heading of at most MAX_LENGTH characters',
  })),
  {
    file: 'packages/assistant/src/chat/answer-status.ts',
    start: '^[ \\t]*(?:<!--[ \\t]*)?[*_`[]{0,3}status',
    maxLength: 80,
    why: 'a slice of MAX_MARK characters',
  },
];

test('every regular expression runs in linear time on inputs made to slow it down', {
  timeout: 600_000,
}, async () => {
  const slow: string[] = [];
  const used = new Set<object>();
  const seen = new Set<string>();
  for await (const file of glob('packages/*/src/**/*.ts', { cwd: root })) {
    if (/\.(?:test|contract)\.ts$/.test(file)) continue;
    for (const { line, source, flags } of await findExpressions(`${root}${file}`)) {
      const exempt = EXEMPT.find((one) => one.file === file && source.startsWith(one.start));
      if (exempt) used.add(exempt);
      const isNew = seen.size < seen.add(`/${source}/${flags}`).size;
      const found = exempt || !isNew ? undefined : findSlowInput(source, flags);
      if (!found) continue;
      const { before, repeated, after, times } = found;
      const shape = JSON.stringify([before, repeated, after]);
      slow.push(
        `${file}:${line} /${source}/${flags} on ${shape} repeated: ${times.map((ms) => ms.toFixed(1))} ms for 5 and 20 KB`,
      );
    }
  }
  expect(slow).toEqual([]);
  expect(EXEMPT.filter((one) => !used.has(one))).toEqual([]);
});

test.each([
  ['(a+)+$', ''],
  ['\\s+$', ''],
  ['url\\(\\s*(?:[a-z]+|[^"\'()\\s]*)\\s*\\)', 'g'],
  ['<!--[\\s\\S]*?-->', 'g'],
  ['\\[[^\\]]*\\]', 'g'],
  ['^(\\S.*?)\\s+(get|post)$', ''],
  ['a*[ab]?a*$', ''],
  ['^/+|/+$', 'g'],
])('/%s/%s is reported as slow', (source, flags) => {
  expect(findSlowInput(source, flags)).toBeDefined();
});

test.each([
  ['(?<!\\s)\\s+$', ''],
  ['^[a-z]+$', 'i'],
  ['<!--[\\s\\S]*?(?:-->|$)', 'g'],
  ['!?\\[([^\\]]{0,300})\\]', 'g'],
  ['[\\p{L}\\p{N}]+', 'gu'],
])('/%s/%s is not reported as slow', (source, flags) => {
  expect(findSlowInput(source, flags)).toBeUndefined();
});
