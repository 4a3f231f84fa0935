import { expect, test } from 'vitest';
import { exampleValue } from './example-value.ts';

const example = (schema: unknown, schemas: object = {}, use: 'request' | 'response' = 'request') =>
  JSON.parse(JSON.stringify(exampleValue({ components: { schemas } }, schema, use) ?? null));

test('values from the author take precedence over generated ones', () => {
  expect(example({ type: 'string', example: 'mine', default: 'other' })).toBe('mine');
  expect(example({ type: 'string', examples: ['first'] })).toBe('first');
  expect(example({ type: 'string', default: 'preset', enum: ['a'] })).toBe('preset');
  expect(example({ enum: ['a', 'b'] })).toBe('a');
});

test('objects and lists are composed of their parts', () => {
  const schema = {
    properties: {
      id: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      at: { type: 'string', format: 'date-time' },
    },
  };
  expect(example(schema)).toEqual({ id: 1, tags: ['<string>'], at: '2026-01-15T09:30:00Z' });
});

test('a request omits read-only properties and optional deprecated properties', () => {
  const schema = {
    required: ['old'],
    properties: {
      id: { type: 'string', readOnly: true },
      old: { type: 'boolean', deprecated: true },
      older: { deprecated: true },
    },
  };
  expect(example(schema)).toEqual({ old: true });
});

test('the first non-null alternative is combined with the properties beside it', () => {
  const schema = {
    properties: { a: { type: 'boolean' } },
    oneOf: [{ type: 'null' }, { properties: { b: { type: 'boolean' } } }],
  };
  expect(example(schema)).toEqual({ a: true, b: true });
});

test('recursive schemas terminate', () => {
  const schemas = {
    Node: {
      properties: { value: { type: 'integer' }, next: { $ref: '#/components/schemas/Node' } },
    },
  };
  expect(example({ $ref: '#/components/schemas/Node' }, schemas)).toEqual({ value: 1 });
});

test('numbers respect their limits', () => {
  expect(example({ type: 'integer', minimum: 10 })).toBeGreaterThanOrEqual(10);
  expect(example({ type: 'number', maximum: 0 })).toBe(0);
});

test('keys with special names are safe', () => {
  const schema = JSON.parse(
    '{"properties":{"__proto__":{"properties":{"polluted":{"type":"boolean"}}}}}',
  );
  expect(JSON.stringify(exampleValue({}, schema, 'request'))).toBe(
    '{"__proto__":{"polluted":true}}',
  );
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
