import { readCall } from '@docent/assistant/model/tool-calls.ts';
import { expect, it } from 'vitest';
import { modelTools } from './model-tools.ts';

it.each([
  ['search', '{"query":" rotate key "}', { query: 'rotate key' }],
  ['read_page', '{"path":"guides/start"}', { path: 'guides/start' }],
  ['list_pages', '', { path: '' }],
  ['list_pages', '{"path":"guides"}', { path: 'guides' }],
  ['grep', '{"text":"--dry-run"}', { text: '--dry-run', path: '' }],
  ['grep', '{"text":"--dry-run","path":"cli","more":1}', { text: '--dry-run', path: 'cli' }],
])('the call %s of %s is parsed', (name, input, expected) => {
  expect(readCall(name, input)).toEqual({ name, input: expected });
});

it.each([
  ['search', '{}'],
  ['search', '{"query":7}'],
  ['read_page', '{"path":" "}'],
  ['grep', '{"path":"cli"}'],
  ['grep', 'null'],
  ['grep', '{"text":'],
  ['delete_page', '{"path":"a"}'],
])('the call %s of %s is ignored', (name, input) => {
  expect(readCall(name, input)).toBeUndefined();
});

it('every declared tool accepts a call with only its required fields', () => {
  for (const { name, inputSchema } of modelTools) {
    const input = Object.fromEntries(inputSchema.required.map((field) => [field, 'a']));
    expect(readCall(name, JSON.stringify(input)), name).toMatchObject({ name });
  }
});
