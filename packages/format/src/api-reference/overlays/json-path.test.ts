import { describe, expect, it } from 'vitest';
import { PathSearch, parsePath } from './json-path.ts';

const api = {
  paths: {
    '/a': {
      get: { tags: ['x', 'y', 'z'], 'x-internal': true },
      post: { operationId: "it's", n: 3 },
    },
    '/b c': { get: { n: 10, deep: { n: 'text' } } },
  },
  list: [{ name: 'one' }, { name: 'two', n: 2 }, 'three'],
};
const find = (query: string, steps = 10_000) =>
  new PathSearch(api, steps).find(parsePath(query)).map(({ value }) => value);

describe('a JSONPath', () => {
  it.each<[string, unknown[]]>([
    ['$', [api]],
    ['$.list[0].name', ['one']],
    ["$['list'][-1]", ['three']],
    ['$.list[5]', []],
    ["$.paths['/b c'].get.n", [10]],
    ['$.paths["/b\\u0020c"][\'get\'].n', [10]],
    ["$.paths['/a'].get['tags'][0,2]", ['x', 'z']],
    ["$.paths['/a'].get.tags[1:]", ['y', 'z']],
    ["$.paths['/a'].get.tags[::-1]", ['z', 'y', 'x']],
    ["$.paths['/a'].get.tags[:-1:2]", ['x']],
    ['$.paths.*.get.n', [10]],
    ['$.paths[*][*].n', [3, 10]],
    ['$..n', [3, 10, 'text', 2]],
    ['$..deep..n', ['text']],
    ['$.list[?@.n]', [{ name: 'two', n: 2 }]],
    ["$.list[?(@.name == 'one')].name", ['one']],
    ['$.list[?!@.n && @.name].name', ['one']],
    ["$.list[?@.name != 'one' || @.n >= 2]", [{ name: 'two', n: 2 }, 'three']],
    ['$..[?@.n > 2].n', [3, 10]],
    ["$..[?@['x-internal'] == true].tags[0]", ['x']],
    ['$.paths.*.*.x-internal', [true]],
    ["$.paths['/a'].post[?@ == 'it\\'s']", ["it's"]],
    ['$.list[?@ == $.list[2]]', ['three']],
    ['$.list[?@.missing == @.gone].name', ['one', 'two']],
    ["$.list[?@ < 'zzz']", ['three']],
  ])('like %s selects the values that RFC 9535 specifies', (query, values) => {
    expect(find(query)).toEqual(values);
  });

  it.each(
    [
      ['paths', 'begins with "\\$"'],
      ['@.a', 'begins with "\\$"'],
      ['$.a[', 'cannot be read'],
      ['$.a[?]', 'cannot be read'],
      ['$.a[?(@.b]', 'cannot be read'],
      ["$.a['b]", 'cannot be read'],
      ['$.a b', 'cannot be read'],
      ['$.a[1.5]', 'cannot be read'],
      [`$${'.a'.repeat(2000)}`, 'at most 2000 characters'],
      [`$.a[?${'('.repeat(1990)}`, 'nested too deeply'],
      [`$.a[?${'@[?'.repeat(600)}`, 'cannot be read'],
    ].map(([query = '', reason = '']) => ({ start: query.slice(0, 20), query, reason })),
  )('like $start is rejected with the reason', ({ query, reason }) => {
    expect(() => parsePath(query)).toThrow(new RegExp(reason));
  });

  it('that calls a function is rejected', () => {
    expect(() => find("$.list[?search(@.name, 'o')]")).toThrow(
      'the function "search" of a JSONPath is not supported',
    );
    expect(() => find('$.list[?length(@.name) > 1]')).toThrow('the function "length"');
  });

  it('that searches too much is stopped', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 5000; depth++) deep = { deep };
    const search = new PathSearch(deep, 100_000);
    expect(() => search.find(parsePath('$..*..*..*'))).toThrow('search too much');
    expect(() => search.find(parsePath('$..*'))).toThrow('search too much');
  });

  it('selects each location once', () => {
    expect(find("$.list[0,0]['name','name']")).toEqual(['one']);
  });
});
