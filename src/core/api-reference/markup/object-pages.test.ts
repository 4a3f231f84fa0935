import { expect, test } from 'vitest';
import { parseApiDocument } from '../parse-api-document.ts';
import { objectPages } from './object-pages.ts';
import { readOperationView } from './operation-view.ts';
import type { SchemaView } from './schema-view.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Objects in a row, each with the next one and as many fields as asked. */
function chain(fieldCount: number) {
  const names = ['Account', 'Bank', 'Card', 'Dispute', 'Event'];
  const schemas = Object.fromEntries(
    names.map((name, index) => {
      const fields = Array.from({ length: fieldCount }, (_, at) => [`${name}_${at}`, { type: 'string' }]);
      const next = names[index + 1];
      const inner = next === undefined ? [] : [['next', { anyOf: [{ type: 'string' }, ref(next)] }]];
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
  const inner = [...view.fields.map(({ schema }) => schema), ...view.choices.flat().map(({ schema }) => schema)];
  return [view, ...inner.flatMap(everyView)];
}

test('objects below the upper levels of a large operation have pages of their own, which the operation leads to', () => {
  const document = chain(80);
  const pages = objectPages(document, 'api-reference');
  expect(pages.map(({ name, path }) => [name, path])).toEqual([
    ['Dispute', 'api-reference/objects/dispute'],
    ['Event', 'api-reference/objects/event'],
  ]);
  const paths = new Map(pages.map(({ name, path }) => [name, `/${path}`]));
  const operation = document.operations[0];
  const view = operation && readOperationView(document, operation, { objectPages: paths }).responses[0]?.contents[0]?.schema;
  const text = JSON.stringify(view);
  for (const name of ['Account', 'Bank', 'Card']) for (let at = 0; at < 80; at++) expect(text).toContain(`"${name}_${at}"`);
  expect(text).not.toContain('Dispute_0');
  expect(everyView(view as SchemaView).flatMap(({ elsewhere }) => elsewhere ?? [])).toEqual([
    { name: 'Dispute', path: '/api-reference/objects/dispute', fieldCount: 81 },
  ]);
});

test('of an error two levels are shown, because it is the same on every page', () => {
  const document = chain(120);
  const operation = document.operations[0];
  const content = { 'application/json': { schema: ref('Bank') } };
  Object.assign(operation?.raw.responses ?? {}, { 400: { description: 'Bad request', content } });
  const pages = objectPages(document, 'api-reference');
  expect(pages.map(({ name }) => name)).toEqual(['Dispute', 'Event']);
  Object.assign(operation?.raw ?? {}, {
    responses: { 204: { description: 'OK' }, 400: { description: 'Bad request', content } },
  });
  const paths = new Map(objectPages(document, 'api-reference').map(({ name, path }) => [name, `/${path}`]));
  const view = operation && readOperationView(document, operation, { objectPages: paths }).responses[1]?.contents[0]?.schema;
  const shown = everyView(view as SchemaView);
  expect(shown.flatMap(({ fields }) => fields.map(({ name }) => name))).toEqual(expect.arrayContaining(['Bank_119', 'Card_119']));
  expect(shown.flatMap(({ elsewhere }) => elsewhere?.name ?? [])).toEqual(['Dispute']);
});

test('an operation of a usual size shows all levels itself, so nothing has a page of its own', () => {
  const document = chain(10);
  expect(objectPages(document, 'api-reference')).toEqual([]);
  const operation = document.operations[0];
  expect(JSON.stringify(operation && readOperationView(document, operation))).toContain('Event_9');
});

test('objects that hold one another end, and a path that is taken gets a number', () => {
  const document = chain(80);
  const { schemas } = document.root.components as { schemas: Record<string, { properties: Record<string, unknown> }> };
  Object.assign(schemas.Event?.properties ?? {}, { account: ref('Account'), self: ref('Event') });
  const taken = new Set(['api-reference/objects/event']);
  expect(objectPages(document, 'api-reference', taken).map(({ path }) => path)).toEqual([
    'api-reference/objects/account',
    'api-reference/objects/bank',
    'api-reference/objects/card',
    'api-reference/objects/dispute',
    'api-reference/objects/event-2',
  ]);
});
