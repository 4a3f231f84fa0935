import { expect, it } from 'vitest';
import { promptsOf } from './embedding-text.ts';

it.each([
  ['nomic-embed-text:v1.5', 'search_query: ', 'search_document: '],
  ['intfloat/multilingual-e5-base', 'query: ', 'passage: '],
  ['BAAI/bge-m3', '', ''],
  ['text-embedding-3-small', '', ''],
])('the model %s gets the prefixes that it was trained with', (model, query, document) => {
  expect(promptsOf(model)).toEqual({ query, document });
});

it('an instruction model gets its instruction for queries only', () => {
  for (const model of ['Qwen/Qwen3-Embedding-0.6B', 'intfloat/multilingual-e5-large-instruct']) {
    expect(promptsOf(model)).toEqual({
      query: expect.stringMatching(/^Instruct: .+\nQuery:/),
      document: '',
    });
  }
});
