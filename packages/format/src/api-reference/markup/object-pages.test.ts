import { expect, test } from 'vitest';
import { parseApiDocument } from '../parse-api-document.ts';
import { schemaInside } from '../schemas/schema-markdown.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import { objectPages } from './object-pages.ts';
import { readOperationView } from './operation-view.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A chain of objects: each has the given number of fields and refers to the next object. */
function chain(fieldCount: number) {
  const names = ['Account', 'Bank', 'Card', 'Dispute', 'Event'];
  const schemas = Object.fromEntries(
    names.map((name, index) => {
      const fields = Array.from({ length: fieldCount }, (_, at) => [
        `${name}_${at}`,
        { type: 'string' },
      ]);
      const next = names[index + 1];
      const inner =
        next === undefined ? [] : [['next', { anyOf: [{ type: 'string' }, ref(next)] }]];
      return [name, { type: 'object', properties: Object.fromEntries([...fields, ...inner]) }];
    }),
  );
  const content = { 'application/json': { schema: ref('Account') } };
  const paths = { '/accounts': { get: { responses: { 200: { description: 'OK', content } } } } };
  const { document } = parseApiDocument(
    JSON.stringify({ openapi: '3.0.3', paths, components: { schemas } }),
    'api.json',
    () => undefined,
  );
  if (!document) throw new Error('The description was not read.');
  return document;
}

function everyView(view: SchemaView): SchemaView[] {
  const inner = [
    ...view.fields.map(({ schema }) => schema),
    ...view.choices.flat().map(({ schema }) => schema),
  ];
  return [view, ...inner.flatMap(everyView)];
}

test('objects below the upper levels of a large operation have separate pages that the operation links to', () => {
  const document = chain(120);
  const pages = objectPages(document, 'api-reference');
  expect(pages.map(({ name, path }) => [name, path])).toEqual([
    ['Card', 'api-reference/objects/card'],
    ['Dispute', 'api-reference/objects/dispute'],
    ['Event', 'api-reference/objects/event'],
  ]);
  const paths = new Map(pages.map(({ name, path }) => [name, `/${path}`]));
  const operation = document.operations[0];
  const view =
    operation &&
    readOperationView(document, operation, { objectPages: paths }).responses[0]?.contents[0]
      ?.schema;
  const text = JSON.stringify(view);
  for (const name of ['Account', 'Bank'])
    for (let at = 0; at < 120; at++) expect(text).toContain(`"${name}_${at}"`);
  const links = everyView(view as SchemaView).flatMap(({ elsewhere }) => elsewhere ?? []);
  expect(links).toMatchObject([
    { name: 'Card', path: '/api-reference/objects/card', fieldCount: 121 },
  ]);
  expect(text).not.toContain('"Card_0"');
});

test('a field with a separate page lists the field names there with allowed values, once per page', () => {
  const document = chain(150);
  const { schemas } = document.root.components as {
    schemas: Record<string, { properties: Record<string, unknown> }>;
  };
  Object.assign(schemas.Bank?.properties ?? {}, { second: ref('Card') });
  Object.assign(schemas.Card ?? {}, { anyOf: [{ properties: { of_one_kind: {} } }] });
  Object.assign(schemas.Card?.properties ?? {}, {
    sent_only: { type: 'string', writeOnly: true },
    state: { enum: ['open', 'closed'] },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
  });
  const paths = new Map(
    objectPages(document, 'api-reference').map(({ name, path }) => [name, `/${path}`]),
  );
  const operation = document.operations[0];
  const view =
    operation &&
    readOperationView(document, operation, { objectPages: paths }).responses[0]?.contents[0]
      ?.schema;
  const [first, second] = everyView(view as SchemaView).flatMap(
    ({ elsewhere }) => elsewhere?.names ?? [],
  );
  expect(first?.split(', ')).toEqual([
    ...Array.from({ length: 150 }, (_, at) => `Card_${at}`),
    'next',
    'state (open | closed)',
    'tags (a | b)',
    'of_one_kind',
  ]);
  expect(second).toBe('');
  expect(schemaInside(view as SchemaView)).toContain(
    `[\`Card\`](/api-reference/objects/card): \`${first}\``,
  );
});

test('an operation of normal size shows all levels, and no object has a separate page', () => {
  const document = chain(10);
  expect(objectPages(document, 'api-reference')).toEqual([]);
  const operation = document.operations[0];
  expect(JSON.stringify(operation && readOperationView(document, operation))).toContain('Event_9');
});

test('circular objects terminate, and a path that is already in use gets a number', () => {
  const document = chain(80);
  const { schemas } = document.root.components as {
    schemas: Record<string, { properties: Record<string, unknown> }>;
  };
  Object.assign(schemas.Event?.properties ?? {}, { account: ref('Account'), self: ref('Event') });
  const taken = new Set(['api-reference/objects/event']);
  expect(objectPages(document, 'api-reference', taken).map(({ path }) => path)).toEqual([
    'api-reference/objects/account',
    'api-reference/objects/bank',
    'api-reference/objects/card',
    'api-reference/objects/dispute',
    'api-reference/objects/event-1',
  ]);
});
