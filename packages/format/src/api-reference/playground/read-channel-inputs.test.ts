import { expect, test } from 'vitest';
import type { ApiChannel, ApiDocument } from '../api-document.ts';
import { parseApiDocument } from '../parse-api-document.ts';
import { readChannel } from '../read-channel.ts';
import { readChannelInputs } from './read-channel-inputs.ts';

function read(tree: object) {
  const document = parseApiDocument(JSON.stringify({ asyncapi: '3.0.0', ...tree }), 'x.json')
    .document as ApiDocument;
  const channel = document.channels[0] as ApiChannel;
  const samples = [
    { language: 'json', label: 'Say', code: '{"text":"Hi"}' },
    { language: 'json', label: 'Long', code: 'x'.repeat(10_000) },
  ];
  return readChannelInputs(document, channel, readChannel(document, channel), samples, {
    isProxied: true,
  });
}

const address = { room: { $ref: '#/components/parameters/room' } };
const bindings = {
  ws: {
    query: {
      type: 'object',
      required: ['key'],
      properties: { limit: { type: 'integer', default: 5 }, key: { type: 'string' } },
    },
    headers: { $ref: '#/components/schemas/heads' },
  },
};
const components = {
  parameters: { room: { enum: ['a', 'b'], default: 'a' } },
  schemas: {
    heads: { type: 'object', properties: { 'Sec-WebSocket-Protocol': { type: 'string' } } },
  },
  securitySchemes: { key: { type: 'httpApiKey', name: 'token', in: 'query' } },
};

test('the form of a channel has its servers, parameters, credentials, and the messages to send', () => {
  const inputs = read({
    servers: {
      kafka: { host: 'k.example.com', protocol: 'kafka' },
      socket: {
        host: '{region}.example.com',
        pathname: '/ws/',
        protocol: 'wss',
        variables: { region: { enum: ['eu', 'us'], default: 'us' } },
        security: [{ $ref: '#/components/securitySchemes/key' }],
      },
    },
    channels: { chat: { address: '/rooms/{room}', parameters: address, bindings } },
    components,
  });
  expect(inputs).toEqual({
    method: 'WSS',
    route: '/rooms/{room}',
    servers: [
      {
        url: 'wss://{region}.example.com/ws',
        variables: [{ name: 'region', value: 'us', values: ['eu', 'us'] }],
      },
    ],
    security: [[{ name: 'token', place: 'query', kind: 'key' }]],
    parameters: [
      {
        name: 'room',
        place: 'path',
        required: true,
        shape: { kind: 'choice', type: 'string', values: ['a', 'b'], default: 'a' },
      },
      { name: 'limit', place: 'query', shape: { kind: 'integer', type: 'integer', default: 5 } },
      { name: 'key', place: 'query', required: true, shape: { kind: 'text', type: 'string' } },
      { name: 'Sec-WebSocket-Protocol', place: 'header', shape: { kind: 'text', type: 'string' } },
    ],
    bodies: [],
    messages: [{ name: 'Say', text: '{"text":"Hi"}' }],
    isProxied: true,
  });
});

test.each([
  ['without a server', {}],
  ['with another protocol', { servers: { a: { host: 'x', protocol: 'mqtt' } } }],
  ['with invalid values', { servers: { a: { host: 1, protocol: {} }, b: null } }],
])('a channel %s has no form', (_, tree) => {
  expect(
    read({ ...tree, channels: { chat: { parameters: 1, bindings: { ws: [] } } } }),
  ).toBeUndefined();
});
