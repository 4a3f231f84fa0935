import { expect, test } from 'vitest';
import type { ApiDocument } from './api-document.ts';
import { findChannel, findOperation, findSchema, parseOperationReference } from './find-operation.ts';
import { parseApiDocument } from './parse-api-document.ts';

const paths = {
  '/users/': { get: { summary: 'List' } },
  '/users/{id}': { get: { summary: 'Get' }, delete: { summary: 'Delete' } },
};
const read = (file: string, tree: object) => parseApiDocument(JSON.stringify(tree), file).document as ApiDocument;
const users = read('specs/users.json', { openapi: '3.1.0', paths, components: { schemas: { User: {} } } });
const events = read('specs/events.json', {
  openapi: '3.1.0',
  webhooks: { orderUpdated: { post: { summary: 'Updated' } } },
  paths: { '/users/': { get: { summary: 'Other' } } },
});
const chat = read('chat.json', { asyncapi: '3.0.0', channels: { messages: { title: 'Messages' } } });
const documents = [users, events, chat];
const summary = (reference: string) => findOperation(documents, reference)?.operation.summary;

test.each([
  ['GET /users/', 'List'],
  ['get /users', 'List'],
  ['GET users', 'List'],
  ['/specs/users.json GET /users/{id}', 'Get'],
  ['users.json DELETE /users/{userId}/', 'Delete'],
  ['users GET /users/{id}', 'Get'],
  ['specs/events.json GET /users', 'Other'],
  ['specs/events.json webhook orderUpdated', 'Updated'],
  ['WEBHOOK orderUpdated', 'Updated'],
  ['  post   /users ', undefined],
  ['unknown.json GET /users', undefined],
  ['GET', undefined],
  ['', undefined],
  ['GET __proto__', undefined],
])('the reference "%s" finds %s', (reference, expected) => {
  expect(summary(reference)).toBe(expected);
});

test('a file name with spaces and a method in it is read as a file name', () => {
  expect(parseOperationReference('my api/get users.yaml POST /a b')).toEqual({
    file: 'my api/get users.yaml',
    method: 'POST',
    route: '/a b',
  });
});

test('schemas and channels are found with and without the file', () => {
  expect(findSchema(documents, 'User')?.document).toBe(users);
  expect(findSchema(documents, 'users.json User')?.name).toBe('User');
  expect(findSchema(documents, 'toString')).toBeUndefined();
  expect(findChannel(documents, 'chat.json messages')?.channel.title).toBe('Messages');
  expect(findChannel(documents, 'other.json messages')).toBeUndefined();
});
