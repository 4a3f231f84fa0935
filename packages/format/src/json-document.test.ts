import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, parseJsonDocument } from './json-document.ts';

function failure(text: string): JsonSyntaxError {
  try {
    parseJsonDocument(text, 'docs.json');
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
  }
  throw new Error('the text was accepted');
}

describe('parseJsonDocument', () => {
  it('reads everything that JSON.parse reads', () => {
    const value = { a: [1, -2.5e3, 0, true, false, null, 'ü\n"\\u0041'], b: { c: {} }, '': [] };
    for (const text of [
      JSON.stringify(value),
      JSON.stringify(value, null, '\t'),
      `\ufeff${JSON.stringify(value)}\r\n`,
    ]) {
      expect(parseJsonDocument(text, 'docs.json').value).toEqual(value);
    }
  });

  it('records line and column of every member', () => {
    const { value, places } = parseJsonDocument(
      '{\n  "a": 1,\n  "b": [\n    true, {"c": 2}\n  ]\n}',
      'docs.json',
    );
    expect(places.find(value, ['b', 1, 'c'])).toEqual({ file: 'docs.json', line: 4, column: 12 });
    expect(places.find(value, ['b', 1, 'missing', 'deeper'])).toEqual({
      file: 'docs.json',
      line: 4,
      column: 11,
    });
  });

  it('counts lines inside comments and notes comments and trailing commas', () => {
    const { value, places, notes } = parseJsonDocument(
      '// one\n/* two\nthree */ {"a": [1,],\n"b": 2,}',
      'docs.json',
    );
    expect(value).toEqual({ a: [1], b: 2 });
    expect(places.find(value, ['b'])).toMatchObject({ line: 4, column: 1 });
    expect(notes.map((note) => [note.kind, note.place.line])).toEqual([
      ['comment', 1],
      ['comment', 2],
      ['trailing-comma', 3],
      ['trailing-comma', 4],
    ]);
  });

  it.each([
    ['{"a": 1\n "b": 2}', 1, 8, 'Expected "," or "}" after this value, found "\\"b\\""'],
    ['{"a": tru}', 1, 7, 'Expected a value, found "tru"'],
    ["{'a': 1}", 1, 2, 'double quotes'],
    ['{"a": "x\n"}', 1, 7, 'not closed'],
    ['{"a": [1, 2}', 1, 12, 'Expected "," or "]"'],
    ['{"a": {', 1, 8, 'opened on line 1'],
    ['{} x', 1, 4, 'end of the file'],
    ['', 1, 1, 'the end of the file'],
    ['{"a": "\\x"}', 1, 7, 'escape'],
    ['[,]', 1, 2, 'Expected a value'],
  ])('reports the position of the error in %j', (text, line, column, message) => {
    const error = failure(text);
    expect(error.place).toMatchObject({ line, column });
    expect(error.message).toContain(message);
  });

  it('rejects nesting that would exhaust the stack', () => {
    expect(failure('['.repeat(100_000)).message).toContain('nested');
  });

  it('never changes the prototype of an object', () => {
    const { value, notes } = parseJsonDocument(
      '{"__proto__": {"polluted": true}, "constructor": 1}',
      'docs.json',
    );
    expect(Object.keys(value as object)).toEqual(['constructor']);
    expect((value as Record<string, unknown>).polluted).toBeUndefined();
    expect(notes).toMatchObject([{ kind: 'forbidden-key', key: '__proto__' }]);
  });

  it('keeps the last of two equal keys and notes it', () => {
    const { value, notes } = parseJsonDocument('{"a": 1,\n"a": 2}', 'docs.json');
    expect(value).toEqual({ a: 2 });
    expect(notes).toMatchObject([{ kind: 'duplicate-key', key: 'a', place: { line: 2 } }]);
  });
});
