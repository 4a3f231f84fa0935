import { expect, test } from 'vitest';
import { isRestrictedDescription, parseApiDocument } from './parse-api-document.ts';

const admin = { groups: ['admin'] };

function read(schemas: Record<string, unknown>, operation: Record<string, unknown> = {}) {
  const tree = { openapi: '3.1.0', paths: { '/a': { get: operation } }, components: { schemas } };
  const { document, diagnostics } = parseApiDocument(JSON.stringify(tree), 'api.json');
  return { text: JSON.stringify(document?.root), operations: document?.operations, diagnostics };
}

test('restricted parts of schemas and operations are in no output, and one warning counts them', () => {
  const { text, diagnostics } = read(
    {
      User: {
        required: ['name', 'internal'],
        properties: {
          name: { type: 'string' },
          internal: { type: 'string', 'x-mint': admin },
          get: { description: 'secret get', 'x-mint': admin },
          list: { type: 'array', items: { 'x-mint': admin, description: 'secret item' } },
          deep: { properties: { inner: { 'x-mint': { Groups: 'staff' }, title: 'secret inner' } } },
        },
      },
      Config: { oneOf: [{ title: 'Standard' }, { title: 'secret variant', 'x-mint': admin }] },
    },
    {
      parameters: [{ name: 'open' }, { name: 'secret-parameter', 'x-mint': admin }],
      responses: {
        200: { description: 'ok' },
        403: { description: 'secret response', 'x-mint': admin },
      },
    },
  );
  expect(text).not.toMatch(/secret|internal"|staff/);
  expect(text).toContain('"name":{"type":"string"}');
  expect(text).toContain('Standard');
  expect(diagnostics).toMatchObject([
    { code: 'restricted-api-parts', message: expect.stringContaining('7 parts') },
  ]);
});

test('references to a restricted schema are removed with it, through chains of any length', () => {
  const { text } = read({
    Secret: { 'x-mint': admin, properties: { code: { type: 'string' } } },
    Alias: { $ref: '#/components/schemas/Secret' },
    Open: { properties: { one: { $ref: '#/components/schemas/Alias' }, two: { type: 'string' } } },
    All: { allOf: [{ $ref: '#/components/schemas/Secret' }, { title: 'rest' }] },
  });
  expect(JSON.parse(text).components.schemas).toEqual({
    Open: { properties: { two: { type: 'string' } } },
    All: { allOf: [{ title: 'rest' }] },
  });
});

test('restricted enumeration values are removed, also as the default', () => {
  const plan = {
    enum: ['free', 'pro', 1],
    default: 'pro',
    'x-mint-enum': { pro: ['pro'], 1: ['staff'] },
  };
  const { text } = read({ Plan: plan });
  const { Plan } = JSON.parse(text).components.schemas;
  expect(Plan).toEqual({ enum: ['free'], 'x-mint-enum': plan['x-mint-enum'] });
});

test('an operation with groups remains in the description, so that its page can be reported', () => {
  const { operations, diagnostics } = read({}, { 'x-mint': admin, summary: 'Billing' });
  expect(operations).toMatchObject([{ summary: 'Billing', metadata: { groups: ['admin'] } }]);
  expect(diagnostics).toEqual([]);
});

test('a callback operation with groups is removed', () => {
  const callbacks = {
    done: {
      '{$request.body#/url}': {
        post: { summary: 'secret', 'x-mint': admin },
        put: { summary: 'open' },
      },
    },
  };
  const { text, diagnostics } = read({}, { callbacks });
  expect(text).not.toContain('secret');
  expect(text).toContain('open');
  expect(diagnostics).toMatchObject([{ code: 'restricted-api-parts' }]);
});

test('labels, examples, and fields named "groups" restrict nothing', () => {
  const schema = {
    properties: { groups: { type: 'string', 'x-mint': { pre: ['beta'] } } },
    example: { 'x-mint': { groups: ['data'] } },
  };
  const { text, diagnostics } = read({ Team: schema });
  expect(JSON.parse(text).components.schemas.Team).toEqual(schema);
  expect(diagnostics).toEqual([]);
});

test('a description is restricted if any part of it is, or if it cannot be parsed', () => {
  const tree = { openapi: '3.1.0', paths: { '/a': { get: { 'x-mint': admin } } } };
  expect(isRestrictedDescription(JSON.stringify(tree), 'api.json')).toBe(true);
  expect(
    isRestrictedDescription('openapi: 3.1.0\na: {x-mint-enum: {pro: [pro]}}', 'api.yaml'),
  ).toBe(true);
  expect(isRestrictedDescription('{"x-mint": ', 'api.json')).toBe(true);
  expect(isRestrictedDescription('x-mint: {groups: [a\nb: ]', 'api.yaml')).toBe(true);
  expect(isRestrictedDescription('{"x-mint": {"content": "Hi"}, "groups": 1}', 'api.json')).toBe(
    false,
  );
});
