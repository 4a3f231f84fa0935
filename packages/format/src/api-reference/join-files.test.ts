import { describe, expect, test } from 'vitest';
import type { ApiDocument } from './api-document.ts';
import { readResponses } from './operation-contents.ts';
import { parseApiDocument } from './parse-api-document.ts';
import { createSchemaReader, readSchema } from './schemas/read-schema.ts';

const description = (schema: object, more: object = {}) =>
  JSON.stringify({
    openapi: '3.1.0',
    paths: {
      '/a': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } },
    },
    ...more,
  });

function read(files: Record<string, string>, file = 'api/main.json') {
  const { document, diagnostics } = parseApiDocument(
    files[file] as string,
    file,
    (path) => files[path],
  );
  const { root, operations } = document as ApiDocument;
  const first =
    operations[0] &&
    readResponses(createSchemaReader(root, 'response'), operations[0].raw)[0]?.contents[0]?.schema;
  return {
    root,
    operations,
    schema: first,
    messages: diagnostics.map((one) => `${one.file}: ${one.message}`),
  };
}

describe('references to other files', () => {
  test('are followed through chains of JSON and YAML files', () => {
    const { schema, messages } = read({
      'api/main.json': description({ $ref: './shared.yaml#/Price' }),
      'api/shared.yaml':
        'Price:\n  type: object\n  properties:\n    amount: { $ref: "../types/money.json" }\n',
      'types/money.json':
        '{"type": "object", "properties": {"cents": {"type": "integer"}, "of": {"$ref": "#/$defs/Unit"}}, "$defs": {"Unit": {"enum": ["EUR", "USD"]}}}',
    });
    expect(messages).toEqual([]);
    const amount = schema?.fields[0];
    expect([amount?.name, amount?.schema.fields.map((field) => field.name)]).toEqual([
      'amount',
      ['cents', 'of'],
    ]);
    expect(amount?.schema.fields[1]?.schema.values).toEqual(['EUR', 'USD']);
  });

  test('can be circular and can refer back to the main file', () => {
    const { schema, messages } = read({
      'api/main.json': description(
        { $ref: 'node.json' },
        { components: { schemas: { Leaf: { type: 'boolean' } } } },
      ),
      'api/node.json':
        '{"type": "object", "properties": {"next": {"$ref": "./node.json"}, "leaf": {"$ref": "main.json#/components/schemas/Leaf"}, "also": {"$ref": "#/components/schemas/Leaf"}}}',
    });
    expect(messages).toEqual([]);
    expect(schema?.fields.map((field) => [field.name, field.schema.type])).toEqual([
      ['next', 'node'],
      ['leaf', 'boolean'],
      ['also', 'boolean'],
    ]);
  });

  test('can be path items', () => {
    const { operations } = read({
      'api/main.json': JSON.stringify({
        openapi: '3.1.0',
        paths: { '/a': { $ref: './paths/a.yaml#/item' } },
      }),
      'api/paths/a.yaml': 'item:\n  get:\n    summary: From a file\n',
    });
    expect(operations.map((one) => one.summary)).toEqual(['From a file']);
  });

  test('are resolved against the URL of a remote description', () => {
    const requested: string[] = [];
    parseApiDocument(
      description({ $ref: '../shared.json#/A' }),
      'https://x.example/v1/api.json?raw=1',
      (path) => {
        requested.push(path);
        return undefined;
      },
    );
    expect(requested).toEqual(['https://x.example/shared.json']);
  });

  test('that are broken or outside the source are warnings with file and pointer', () => {
    const { messages } = read({
      'api/main.json': description({
        properties: {
          a: { $ref: './none.json#/A' },
          b: { $ref: '../../etc/passwd' },
          c: { $ref: 'here.yaml#/B' },
          d: { $ref: '#/components/schemas/D' },
        },
      }),
      'api/here.yaml': 'A:\n  items: { $ref: "#/C" }\n',
    });
    const schema = '#/paths/~1a/get/responses/200/content/application~1json/schema/properties';
    expect(messages.sort()).toEqual([
      'api/here.yaml: The reference "#/C" at #/A/items cannot be resolved.',
      `api/main.json: The reference "#/components/schemas/D" at ${schema}/d cannot be resolved.`,
      `api/main.json: The reference "../../etc/passwd" at ${schema}/b cannot be resolved.`,
      `api/main.json: The reference "./none.json#/A" at ${schema}/a cannot be resolved.`,
      `api/main.json: The reference "here.yaml#/B" at ${schema}/c cannot be resolved.`,
    ]);
  });

  test('to the same missing target are one warning with their count', () => {
    const $ref = '#/components/schemas/None';
    const { messages } = read({
      'api/main.json': description({ properties: { a: { $ref }, b: { $ref }, c: { $ref } } }),
    });
    expect(messages).toEqual([
      expect.stringMatching(
        /"#\/components\/schemas\/None" at #\/\S+\/[abc] and in 2 more places cannot be/,
      ),
    ]);
  });

  test('are left as data in examples', () => {
    const { root, messages } = read({
      'api/main.json': description({ example: { $ref: './none.json' } }),
    });
    expect([messages, JSON.stringify(root)]).toEqual([[], expect.stringContaining('./none.json')]);
  });
});

test('a Swagger 2.0 description provides its operations, body, and schemas', () => {
  const { operations, root, schema, messages } = read({
    'api/main.json': JSON.stringify({
      swagger: '2.0',
      host: 'api.example.com',
      basePath: '/v1',
      paths: {
        '/pets': {
          post: {
            parameters: [
              { in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
            ],
            responses: { 200: { description: 'Fine', schema: { $ref: '#/definitions/Pet' } } },
          },
        },
      },
      definitions: {
        Pet: { type: 'object', properties: { kind: { type: 'string', enum: ['cat', 'dog'] } } },
      },
    }),
  });
  expect(messages).toEqual([]);
  expect(operations.map(({ method, route }) => `${method} ${route}`)).toEqual(['POST /pets']);
  expect(operations[0]?.raw.requestBody).toBeDefined();
  expect(schema?.fields[0]?.schema.values).toEqual(['cat', 'dog']);
  expect(
    readSchema(createSchemaReader(root), { $ref: '#/components/schemas/Pet' }).fields,
  ).toHaveLength(1);
});

test('an OpenAPI 3.2 description provides its additional methods and the items of a stream', () => {
  const { operations, schema } = read({
    'api/main.json': JSON.stringify({
      openapi: '3.2.0',
      paths: {
        '/a': {
          query: {
            responses: {
              200: {
                content: {
                  'text/event-stream': {
                    itemSchema: { properties: { delta: { type: 'string' } } },
                  },
                },
              },
            },
          },
          additionalOperations: { COPY: { summary: 'Copy' } },
        },
      },
    }),
  });
  expect(operations.map((one) => one.method)).toEqual(['QUERY', 'COPY']);
  expect([schema?.type, schema?.fields[0]?.name]).toEqual(['object[]', 'delta']);
});
