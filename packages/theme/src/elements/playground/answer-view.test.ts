import { expect, it } from 'vitest';
import { prettyJson } from './answer-view.ts';

it('formatted JSON has each value on a separate line', () => {
  expect(prettyJson('{"a":[1,{}],"b":"x: {y}, z"}')).toBe(
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "x: {y}, z"\n}',
  );
});

it('formatted JSON preserves numbers that parsing would change', () => {
  const text = '{"id":12345678901234567890,"list":[ ],"t":"a \\" , [b]","n":{"x":1.0}}';
  expect(prettyJson(text)).toBe(
    '{\n  "id": 12345678901234567890,\n  "list": [],\n  "t": "a \\" , [b]",\n  "n": {\n    "x": 1.0\n  }\n}',
  );
});

it('text that is not JSON is not formatted', () => {
  expect(prettyJson('<p>')).toBeUndefined();
  expect(prettyJson('"text"')).toBe('"text"');
});
