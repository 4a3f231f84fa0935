import { expect, test } from 'vitest';
import { fakePageRenderer } from '../../../../../test/support/fake-page-renderer.ts';
import type { PlaygroundDisplay } from '../../docs-json/site-config.ts';
import type { ApiDocument } from '../api-document.ts';
import { renderOperation } from '../markup/render-operation.ts';
import { parseApiDocument } from '../parse-api-document.ts';
import { readInputs } from './read-inputs.ts';

function read(tree: object, settings: Parameters<typeof readInputs>[2] = {}, file = 'x.json') {
  const document = parseApiDocument(JSON.stringify({ openapi: '3.1.0', ...tree }), file)
    .document as ApiDocument;
  const [operation] = document.operations;
  if (!operation) throw new Error('The test document has no operation.');
  return { document, operation, inputs: readInputs(document, operation, settings) };
}

const operation = (raw: object, more: object = {}) => ({
  ...more,
  paths: { '/a/{id}': { post: raw } },
});

test('parameters keep their location, their style, and whether they are required', () => {
  const { inputs } = read(
    operation({
      parameters: [
        { name: 'id', in: 'path', schema: { type: 'integer' }, example: 7 },
        {
          name: 'q',
          in: 'query',
          style: 'deepObject',
          explode: true,
          schema: { type: 'object', properties: { a: { type: 'boolean' } } },
        },
        { name: 'j', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
        { name: 'odd', in: 'elsewhere', schema: {} },
      ],
    }),
  );
  expect(inputs.parameters).toEqual([
    {
      name: 'id',
      place: 'path',
      required: true,
      shape: { kind: 'integer', type: 'integer', example: 7 },
    },
    {
      name: 'q',
      place: 'query',
      style: 'deepObject',
      explode: true,
      shape: {
        kind: 'object',
        fields: [{ name: 'a', shape: { kind: 'boolean', type: 'boolean' } }],
      },
    },
    { name: 'j', place: 'query', isJson: true, shape: { kind: 'json', type: 'object' } },
  ]);
});

test('a header is an input if the caller decides its value', () => {
  const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } });
  const { inputs } = read(
    operation({
      parameters: [
        header('ACCEPT'),
        header('content-type'),
        header('Authorization'),
        header('X-Api-Version'),
      ],
    }),
  );
  expect(inputs.parameters.map(({ name }) => name)).toEqual([
    'ACCEPT',
    'Authorization',
    'X-Api-Version',
  ]);
});

test('defaults are kept apart from examples, in lists and objects too', () => {
  const properties = {
    limit: { type: 'integer', default: 20, example: 5 },
    tags: { type: 'array', items: { type: 'string' }, default: ['new'] },
    off: { type: 'boolean', default: false },
    odd: { type: 'string', default: { not: 'a text' } },
  };
  const { inputs } = read(
    operation({
      requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
    }),
  );
  const presets = inputs.bodies[0]?.shape.fields?.map(({ name, shape }) => [
    name,
    shape.default,
    shape.example,
  ]);
  expect(presets).toEqual([
    ['limit', 20, 5],
    ['tags', ['new'], undefined],
    ['off', false, undefined],
    ['odd', undefined, undefined],
  ]);
});

test('servers keep their variables, and a relative server is resolved against the description', () => {
  const servers = [
    {
      url: 'https://{region}.x.example/',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] }, unused: { default: 'x' } },
    },
    { url: '/v2' },
  ];
  const { inputs } = read(operation({}, { servers }), {}, 'https://docs.example/api/openapi.json');
  expect(inputs.servers).toEqual([
    {
      url: 'https://{region}.x.example',
      variables: [{ name: 'region', value: 'eu', values: ['eu', 'us'] }],
    },
    { url: 'https://docs.example/v2' },
  ]);
  expect(read(operation({}), { baseUrls: ['https://own.example/'] }).inputs.servers).toEqual([
    { url: 'https://own.example' },
  ]);
});

test('read-only fields are omitted, constants are kept, and recursion ends in a JSON field', () => {
  const Node = {
    type: 'object',
    required: ['kind'],
    properties: {
      id: { type: 'string', readOnly: true },
      kind: { const: 'node' },
      color: { type: ['string', 'null'], enum: ['red', null] },
      next: { $ref: '#/components/schemas/Node' },
    },
  };
  const body = {
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } },
  };
  const { inputs } = read(operation({ requestBody: body }, { components: { schemas: { Node } } }));
  expect(inputs.bodies[0]?.shape.fields).toEqual([
    { name: 'kind', required: true, shape: { kind: 'text', type: 'string', constant: 'node' } },
    { name: 'color', shape: expect.objectContaining({ kind: 'choice', values: ['red', null] }) },
    { name: 'next', shape: { kind: 'json' } },
  ]);
});

test('alternatives become variants with the shared fields, and null is not a variant', () => {
  const schema = {
    properties: { name: { type: 'string' } },
    oneOf: [
      { title: 'A', properties: { a: { type: 'string' } } },
      { title: 'B', properties: { b: { type: 'string' } } },
      { type: 'null' },
    ],
  };
  const { inputs } = read(
    operation({ requestBody: { content: { 'application/json': { schema } } } }),
  );
  const { variants } = inputs.bodies[0]?.shape ?? {};
  expect(
    variants?.map(({ label, shape }) => [label, shape.fields?.map((field) => field.name)]),
  ).toEqual([
    ['A', ['name', 'a']],
    ['B', ['name', 'b']],
  ]);
});

test('a description of any size and depth produces a small form', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [
      `p${index}`,
      { type: 'string', example: 'x'.repeat(90) },
    ]),
  );
  const deep = Array.from({ length: 60 }).reduce<object>(
    (inner) => ({ type: 'object', properties: { deeper: inner } }),
    wide,
  );
  const schema = { type: 'object', properties: { deep, ...wide } };
  const { inputs } = read(
    operation({ requestBody: { content: { 'application/json': { schema } } } }),
  );
  expect(JSON.stringify(inputs).length).toBeLessThan(60_000);
});

function rendered(display: PlaygroundDisplay) {
  const { document, operation: one } = read(
    operation({
      summary: '</script><script>alert(1)</script>',
      parameters: [{ name: '</script><!--', in: 'query' }],
    }),
  );
  const page = fakePageRenderer();
  return { page, html: renderOperation(document, one, page, { display }).html.value };
}

test('the form data of a page is JSON that cannot end its script element', () => {
  const { html, page } = rendered('interactive');
  const [, json = ''] =
    /<script type="application\/json" data-playground>(.*?)<\/script>/s.exec(html) ?? [];
  expect(JSON.parse(json)).toMatchObject({
    method: 'POST',
    parameters: [{ name: '</script><!--' }],
  });
  expect(json).not.toMatch(/[<>&]/);
  expect(html).toContain('data-playground-open');
  expect(page.needed).toContain('docent-playground');
});

test('only an interactive page has a form, and a page without a playground has no endpoint bar', () => {
  const simple = rendered('simple');
  expect(simple.html).toContain('d-endpoint');
  expect(simple.html).not.toContain('data-playground');
  expect(simple.page.needed).not.toContain('docent-playground');
  expect(rendered('none').html).not.toContain('class="d-endpoint"');
});
