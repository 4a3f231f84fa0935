import { expect, test } from 'vitest';
import type { ApiDocument } from './api-document.ts';
import { channelOf, findOperation, hasSchema, parseOperationReference } from './find-operation.ts';
import { parseApiDocument } from './parse-api-document.ts';

const paths = {
  '/users/': { get: { summary: 'List' } },
  '/users/{id}': { get: { summary: 'Get' }, delete: { summary: 'Delete' } },
};
const servers = [{ url: 'https://api.example.com/v1/' }];
const read = (file: string, tree: object) =>
  parseApiDocument(JSON.stringify(tree), file).document as ApiDocument;
const users = read('specs/users.json', {
  openapi: '3.1.0',
  servers,
  paths,
  components: { schemas: { User: {} } },
});
const events = read('specs/events.json', {
  openapi: '3.1.0',
  servers: [{ url: '/v2' }],
  webhooks: { orderUpdated: { post: { summary: 'Updated' } } },
  paths: { '/users/': { get: { summary: 'Other' } }, '/v2/orders': { get: { summary: 'Orders' } } },
});
const chat = read('chat.json', {
  asyncapi: '3.0.0',
  channels: { messages: { title: 'Messages' } },
});
const documents = [users, events, chat];
const summary = (reference: string) => {
  const wanted = parseOperationReference(reference);
  return wanted && findOperation(documents, wanted)?.operation.summary;
};

test.each([
  ['GET /users/', 'List'],
  ['get /users', 'List'],
  ['GET users', 'List'],
  ['GET /users/{userId}/', 'Get'],
  ['GET /users/:id', 'Get'],
  ['GET /v1/users/{id}', 'Get'],
  ['GET https://api.example.com/v1/users/{id}', 'Get'],
  ['GET /orders', 'Orders'],
  ['WEBHOOK orderUpdated', 'Updated'],
  ['  post   /users ', undefined],
  ['GET /v1', undefined],
  ['GET', undefined],
  ['', undefined],
  ['GET __proto__', undefined],
])('the reference "%s" finds %s', (reference, expected) => {
  expect(summary(reference)).toBe(expected);
});

test('an exact path takes precedence over a similar path in an earlier document', () => {
  const [first, second] = ['a.json', 'b.json'].map((file, index) =>
    read(file, {
      openapi: '3.1.0',
      paths: { [index === 0 ? '/pets/{pet}' : '/pets/{id}']: { get: { summary: file } } },
    }),
  ) as [ApiDocument, ApiDocument];
  expect(findOperation([first, second], { method: 'GET', route: '/pets/{id}' })?.document).toBe(
    second,
  );
  expect(findOperation([first, second], { method: 'GET', route: '/pets/{x}' })?.document).toBe(
    first,
  );
});

test('a file name can contain spaces and a method name', () => {
  expect(parseOperationReference('my api/get users.yaml POST /a b')).toEqual({
    file: 'my api/get users.yaml',
    method: 'POST',
    route: '/a b',
  });
  expect(parseOperationReference('api.yaml COPY /a')).toEqual({
    file: 'api.yaml',
    method: 'COPY',
    route: '/a',
  });
});

test('schemas and channels are found by name, and inherited property names do not match', () => {
  expect([hasSchema(users, 'User'), hasSchema(users, 'toString')]).toEqual([true, false]);
  expect([channelOf(chat, 'messages')?.title, channelOf(chat, 'Messages')?.name]).toEqual([
    'Messages',
    'messages',
  ]);
});
