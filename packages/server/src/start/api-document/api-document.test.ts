import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type ApiDocument,
  composeExample,
  eachObject,
  finishDocument,
  operationsOf,
} from './finish-document.ts';

// `npm run check` compares this file with the routes, and lints it.
const file = fileURLToPath(new URL('../../../../../docs/openapi.json', import.meta.url));
const document = JSON.parse(readFileSync(file, 'utf8')) as ApiDocument;

describe('the OpenAPI description', () => {
  it('describes every operation and who may call it', () => {
    for (const { operationId, summary, description, tags, security } of operationsOf(document)) {
      expect(
        [summary, description].map((text) => String(text ?? '').length > 5),
        `${operationId}`,
      ).toEqual([true, true]);
      expect([tags, security], `${operationId}`).toEqual([[expect.any(String)], expect.any(Array)]);
    }
  });

  it('has an example for every body except archives', () => {
    for (const { operationId, requestBody, responses } of operationsOf(document)) {
      for (const { content } of [requestBody, ...Object.values(responses)].filter(
        (one) => one !== undefined,
      )) {
        for (const [type, media] of Object.entries(content ?? {})) {
          if (!/gzip|tar|octet/.test(type))
            expect('example' in media || 'examples' in media, `${operationId} ${type}`).toBe(true);
        }
      }
    }
  });

  it('describes every response, and has an example for every path parameter', () => {
    const { parameters = {} } = document.components;
    for (const operation of operationsOf(document)) {
      for (const { description } of Object.values(operation.responses))
        expect(description).not.toBe('Default Response');
      const own = (operation.parameters ?? []).map(({ $ref, ...one }) =>
        $ref ? parameters[$ref.split('/').at(-1) ?? ''] : one,
      );
      for (const one of own)
        if (one?.in === 'path') expect(one, `${operation.operationId}`).toHaveProperty('example');
    }
  });

  it('defines every error once, for operations to reference', () => {
    for (const { operationId, responses } of operationsOf(document)) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) >= 400)
          expect(Object.keys(response), `${operationId} ${status}`).toEqual(['$ref']);
        else
          expect(Object.keys(response.headers ?? {}), `${operationId} ${status}`).toContain(
            'X-Request-Id',
          );
      }
    }
  });

  it('declares nothing but a problem for an error, so that the errors of a generated client have one type', () => {
    for (const response of Object.values(document.components.responses ?? {}))
      expect(Object.keys(response.content ?? {})).toEqual(['application/problem+json']);
  });

  it('contains no duplicate schema with two or more properties', () => {
    const places = new Map<string, number>();
    eachObject([document.paths, document.components], (object) => {
      if (object.type !== 'object' || Object.keys(object.properties ?? {}).length < 2) return;
      const form = JSON.stringify({ ...object, description: undefined });
      places.set(form, (places.get(form) ?? 0) + 1);
    });
    expect(
      [...places].filter(([, count]) => count > 1).map(([form]) => form.slice(0, 200)),
    ).toEqual([]);
  });
});

describe('finishDocument', () => {
  const named = {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    additionalProperties: false,
  };
  const sent = { ...named, additionalProperties: undefined };
  const operation = (body: object, answer: object) => ({
    tags: ['Keys'],
    requestBody: { content: { 'application/json': { schema: body } } },
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: answer } } } },
  });
  const finish = (post: object, schemas: object) =>
    finishDocument({ tags: [{ name: 'Keys' }], paths: { '/': { post } }, components: { schemas } });

  it('keeps the plain name of a schema that is used only in requests, and drops unused schemas', () => {
    const { components, paths } = finish(
      operation({ $ref: '#/components/schemas/KeyInput' }, { type: 'boolean' }),
      {
        Key: named,
        KeyInput: { ...sent, examples: [{ id: 'a' }] },
        Other: named,
      },
    );
    expect(Object.keys(components.schemas)).toEqual(['Key']);
    expect(paths['/']?.post?.requestBody?.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/Key' },
      example: { id: 'a' },
    });
  });

  it('makes a body optional if it may be null', () => {
    const { paths } = finish(
      operation({ anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] }, {}),
      {},
    );
    expect(paths['/']?.post?.requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { type: 'object' }, example: {} } },
    });
  });

  it('allows additional properties in responses but keeps strict requests strict', () => {
    const { paths } = finish(operation(named, named), {});
    const { requestBody, responses } = paths['/']?.post ?? {};
    expect(requestBody?.content['application/json']?.schema).toHaveProperty(
      'additionalProperties',
      false,
    );
    expect(responses?.['200']?.content?.['application/json']?.schema).not.toHaveProperty(
      'additionalProperties',
    );
  });
});

describe('a composed example', () => {
  it('is built from the examples, constants and defaults of its parts', () => {
    const schema = {
      type: 'object',
      required: ['jobs', 'next', 'kind'],
      properties: {
        jobs: { type: 'array', items: { $ref: '#/components/schemas/Job' } },
        next: { type: ['string', 'null'] },
        kind: { const: 'page' },
        size: { type: 'integer', default: 10 },
        note: { type: 'string' },
        by: { anyOf: [{ type: 'null' }, { enum: ['reader', 'author'] }] },
      },
    };
    expect(composeExample(schema, { Job: { examples: [{ id: 'se_1' }] } })).toEqual({
      jobs: [{ id: 'se_1' }],
      next: null,
      kind: 'page',
      size: 10,
      by: 'reader',
    });
  });

  it('is undefined if a required part has none of these', () => {
    expect(
      composeExample(
        { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        {},
      ),
    ).toBeUndefined();
  });
});
