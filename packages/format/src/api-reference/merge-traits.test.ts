import { expect, test } from 'vitest';
import type { JsonObject } from '../json-value.ts';
import type { ApiDocument } from './api-document.ts';
import { createTraitMerger } from './merge-traits.ts';

function merge(formatVersion: string, target: JsonObject, components: JsonObject = {}): JsonObject {
  return createTraitMerger({ formatVersion, root: { components } } as unknown as ApiDocument)(
    target,
  );
}

const message = {
  summary: 'own',
  headers: { $ref: '#/components/own' },
  traits: [
    { $ref: '#/components/trait' },
    {
      summary: 'second',
      headers: { properties: { trace: { description: 'second' }, unwanted: { type: 'string' } } },
    },
  ],
};
const components = {
  own: {
    required: ['id'],
    properties: { id: { type: 'string' }, trace: { type: 'integer' }, unwanted: null },
  },
  trait: {
    contentType: 'text/plain',
    headers: { required: ['trace'], properties: { trace: { type: 'string', format: 'uuid' } } },
  },
};

test('headers of a message are merged with those of its traits, and its own values win in AsyncAPI 3', () => {
  expect(merge('3.0.0', message, components)).toMatchObject({
    summary: 'own',
    contentType: 'text/plain',
    headers: {
      required: ['id'],
      properties: {
        id: { type: 'string' },
        trace: { type: 'integer', format: 'uuid', description: 'second' },
      },
    },
  });
  const { headers } = merge('3.0.0', message, components) as { headers: { properties: object } };
  expect(headers.properties).not.toHaveProperty('unwanted');
});

test('traits override a message and each other in AsyncAPI 2, in their order', () => {
  expect(merge('2.6.0', message, components)).toMatchObject({
    summary: 'second',
    headers: {
      required: ['trace'],
      properties: {
        id: { type: 'string' },
        trace: { type: 'string', format: 'uuid', description: 'second' },
      },
    },
  });
});

test('traits that contain themselves are merged in bounded time', () => {
  const names = Array.from({ length: 200 }, (_, index) => `p${index}`);
  const recursive = (name: string) => ({
    name,
    properties: Object.fromEntries(names.map((one) => [one, { $ref: `#/components/${name}` }])),
  });
  const cycle = (): JsonObject => {
    const holder: Record<string, unknown> = {};
    holder.properties = holder;
    return holder;
  };
  const schemas = { a: recursive('a'), b: recursive('b') };
  const merged = merge(
    '3.0.0',
    { headers: { $ref: '#/components/a' }, traits: [{ headers: { $ref: '#/components/b' } }] },
    schemas,
  );
  expect(merged.headers).toMatchObject({ name: 'a' });
  merge('3.0.0', { headers: cycle(), traits: [{ headers: cycle() }] });
});
