import { expect, test } from 'vitest';
import { parseApiDocument } from './parse-api-document.ts';

const minimal = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/items': { get: { summary: 'List items' } } },
};

test('JSON and YAML produce the same document', () => {
  const yaml =
    'openapi: 3.1.0\ninfo: {title: Shop, version: 1}\npaths:\n  /items:\n    get: {summary: List items}\n';
  for (const [text, file] of [
    [JSON.stringify(minimal), 'api/openapi.json'],
    [yaml, '/api/openapi.yaml'],
  ] as const) {
    const { document, diagnostics } = parseApiDocument(text, file);
    expect(diagnostics).toEqual([]);
    expect(document).toMatchObject({
      kind: 'openapi',
      title: 'Shop',
      file: file.replace(/^\//, ''),
    });
    expect(document?.operations).toMatchObject([
      { method: 'GET', route: '/items', summary: 'List items', webhook: false },
    ]);
  }
});

test('operations have their tags, flags, and extensions, and references to path items are followed', () => {
  const { document } = parseApiDocument(
    JSON.stringify({
      openapi: '3.1.0',
      paths: {
        '/a': { $ref: '#/components/pathItems/A' },
        '/b': { 'x-excluded': true, get: {} },
      },
      webhooks: { 'item.sold': { post: { summary: 'item_sold', deprecated: true } } },
      components: {
        pathItems: {
          A: {
            put: {
              tags: ['One'],
              'x-hidden': true,
              'x-mint': { content: '<Note>Hi</Note>', metadata: { title: 'T' } },
            },
          },
        },
      },
    }),
    'x.json',
  );
  expect(document?.operations).toMatchObject([
    {
      method: 'PUT',
      route: '/a',
      tags: ['One'],
      hidden: true,
      content: '<Note>Hi</Note>',
      metadata: { title: 'T' },
    },
    { method: 'GET', route: '/b', excluded: true },
    { method: 'WEBHOOK', route: 'item.sold', webhook: true, deprecated: true },
  ]);
});

test('server URLs have their variables filled in', () => {
  const { document } = parseApiDocument(
    JSON.stringify({
      ...minimal,
      servers: [
        { url: 'https://{region}.example.com/v1/', variables: { region: { default: 'eu' } } },
        7,
        { url: 3 },
      ],
    }),
    'x.json',
  );
  expect(document?.servers).toEqual([{ url: 'https://eu.example.com/v1' }, { url: '3' }]);
});

test.each([
  ['{"swagger":"1.2","paths":{}}', /Swagger 1\.2.*Swagger 2\.0/],
  ['asyncapi: 1.2.0', /AsyncAPI 1\.2\.0.*AsyncAPI 2/],
])(
  'an unknown version is rejected with a warning that names the supported versions: %s',
  (text, message) => {
    const { document, diagnostics } = parseApiDocument(text, 'old.yaml');
    expect(document).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'unsupported-api-document', file: 'old.yaml' },
    ]);
    expect(diagnostics[0]?.message).toMatch(message);
  },
);

test('invalid YAML produces an error with its line', () => {
  const { document, diagnostics } = parseApiDocument('openapi: 3.1.0\npaths: {a: [}\n', 'bad.yaml');
  expect(document).toBeUndefined();
  expect(diagnostics).toMatchObject([{ severity: 'error', code: 'invalid-api-document', line: 2 }]);
});

test.each([
  ['', 'x.yaml'],
  ['{', 'x.json'],
  ['[]', 'x.json'],
  ['null', 'x.json'],
  ['"text"', 'x.yaml'],
  ['{"openapi":"3.0.0"', 'x.json'],
  ['{"openapi":{}}', 'x.json'],
  ['%%%', 'x.yaml'],
  ['['.repeat(10_000), 'x.yaml'],
  ['"'.repeat(20_001), 'x.yaml'],
  ['a: '.repeat(3_000), 'x.yaml'],
])(
  'a file that is not an API description produces a diagnostic, not an exception (%#)',
  (text, file) => {
    const { document, diagnostics } = parseApiDocument(text, file);
    expect(document).toBeUndefined();
    expect(diagnostics.length).toBeGreaterThan(0);
  },
);

test('multiplying aliases are rejected', () => {
  const lines = ['openapi: 3.1.0', 'a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 12; i++) lines.push(`a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}]`);
  const { document, diagnostics } = parseApiDocument(lines.join('\n'), 'bomb.yaml');
  expect(document).toBeUndefined();
  expect(diagnostics[0]?.code).toBe('invalid-api-document');
});

test('a document without operations is read with a warning', () => {
  const { document, diagnostics } = parseApiDocument('{"openapi":"3.1.0"}', 'empty.json');
  expect(document?.operations).toEqual([]);
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'empty-api-document' }]);
});

test('keys with special names are ordinary keys', () => {
  const text =
    '{"openapi":"3.1.0","paths":{"__proto__":{"get":{"summary":"One"}},"constructor":{"get":{"summary":"Two"}}}}';
  const { document } = parseApiDocument(text, 'x.json');
  expect(document?.operations.map((operation) => operation.route)).toEqual([
    '__proto__',
    'constructor',
  ]);
  expect(({} as Record<string, unknown>).get).toBeUndefined();
});

test('entries of the wrong type are skipped', () => {
  const { document } = parseApiDocument(
    JSON.stringify({
      openapi: '3.0.0',
      paths: {
        '/a': [],
        '/b': 'x',
        '/c': { get: [], post: 'x', put: { tags: 'One', summary: 5 } },
      },
      webhooks: [],
    }),
    'x.json',
  );
  expect(document?.operations).toMatchObject([
    { method: 'PUT', route: '/c', tags: ['One'], summary: '5' },
  ]);
});
