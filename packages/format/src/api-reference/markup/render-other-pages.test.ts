import { expect, test } from 'vitest';
import { fakePageRenderer } from '../../../../../test/support/fake-page-renderer.ts';
import type { SiteConfig } from '../../docs-json/site-config.ts';
import type { ApiChannel, ApiDocument } from '../api-document.ts';
import { parseApiDocument } from '../parse-api-document.ts';
import { renderChannel } from './render-channel.ts';
import { renderManualEndpoint } from './render-manual-api.ts';
import { renderSchemaPage } from './render-schema-page.ts';

const api: SiteConfig['api'] = {
  openapi: [],
  asyncapi: [],
  playground: 'interactive',
  baseUrls: ['https://api.example.com/'],
  authMethod: 'key',
  authName: 'X-Token',
};

test('a handwritten page has an endpoint bar and a request with the configured server and key', () => {
  const page = fakePageRenderer();
  const rendered = renderManualEndpoint('post users/{id}', api, page);
  expect(rendered.html.value).toContain('data-method="POST"');
  expect(rendered.markdown).toBe('`POST https://api.example.com/users/{id}`');
  expect(page.aside.join()).toContain('curl -X POST &#39;https://api.example.com/users/{id}&#39;');
  expect(page.aside.join()).toContain('X-Token: &lt;api-key&gt;');
});

test('a full URL overrides the configured server, and page settings override the configured method', () => {
  const page = fakePageRenderer();
  const rendered = renderManualEndpoint('GET https://other.example.com/x', api, page, {
    authMethod: 'bearer',
  });
  expect(rendered.markdown).toBe('`GET https://other.example.com/x`');
  expect(page.aside.join()).toContain('X-Token: Bearer &lt;token&gt;');
});

test('no example is generated if the page has its own or the playground is off', () => {
  const own = fakePageRenderer();
  renderManualEndpoint('GET /x', api, own, { hasOwnExample: true });
  const off = fakePageRenderer();
  renderManualEndpoint('GET /x', { ...api, playground: 'none' }, off);
  expect([...own.aside, ...off.aside]).toEqual([]);
});

test('text without a method and a path produces only a warning', () => {
  for (const text of ['', 'users', 'POST', 'FETCH /x']) {
    const page = fakePageRenderer();
    expect(renderManualEndpoint(text, api, page)).toMatchObject({ markdown: '', sections: [] });
    expect(page.warnings).toEqual(['invalid-api']);
  }
});

test('a data model has a page with its fields and an example', () => {
  const tree = {
    openapi: '3.1.0',
    paths: {},
    components: {
      schemas: {
        User: {
          description: 'A user',
          properties: { first_name: { type: 'string', example: 'Ada' } },
        },
      },
    },
  };
  const document = parseApiDocument(JSON.stringify(tree), 'x.json').document as ApiDocument;
  const page = fakePageRenderer();
  const rendered = renderSchemaPage(document, 'User', page);
  expect(rendered?.html.value).toContain('id="schema-first-name"');
  expect(rendered?.markdown).toContain('- `first_name` (`string`): Example: `Ada`.');
  expect(rendered?.sections[0]?.text).toContain('first_name');
  expect(page.aside.join()).toContain('Ada');
  expect(renderSchemaPage(document, 'toString', page)).toBeUndefined();
});

const chat = `
asyncapi: 3.0.0
servers: {main: {host: chat.example.com, protocol: wss, security: [{$ref: '#/components/securitySchemes/key'}]}}
channels:
  room:
    address: /rooms/{room_id}
    description: A room
    parameters: {room_id: {description: Which room}}
    messages:
      say: {title: Say, summary: Says something, payload: {properties: {text: {type: string}}}}
      said: {title: Said, payload: {schemaFormat: x, schema: {properties: {by: {type: string}}}}, examples: [{payload: {by: Ada}}]}
operations:
  in: {action: receive, channel: {$ref: '#/channels/room'}, messages: [{$ref: '#/channels/room/messages/say'}]}
  out: {action: send, channel: {$ref: '#/channels/room'}, messages: [{$ref: '#/channels/room/messages/said'}]}
components: {securitySchemes: {key: {type: httpApiKey, name: key, in: query}}}
`;

test('a channel uses its own server, a topic has no leading slash, and messages include their traits', () => {
  const text = `
asyncapi: 3.0.0
servers: {bus: {host: 'bus.example.com:9092', protocol: kafka}, live: {host: live.example.com, pathname: /v2, protocol: wss}}
channels:
  positions: {address: 'positions/{id}', servers: [{$ref: '#/servers/live'}], parameters: {id: {}}}
  orders: {address: orders.created, messages: {created: {headers: {properties: {tenant: {type: string}}}, traits: [{$ref: '#/components/messageTraits/common'}]}}}
components: {messageTraits: {common: {headers: {properties: {trace_id: {type: string}}}}}}
`;
  const document = parseApiDocument(text, 'bus.yaml').document as ApiDocument;
  const [positions, orders] = document.channels.map((channel) =>
    renderChannel(document, channel, fakePageRenderer()),
  );
  expect(positions?.markdown).toContain('`WSS /positions/{id}`');
  expect(positions?.html.value).toContain('wss://live.example.com/v2');
  expect(orders?.markdown).toContain('`KAFKA orders.created`');
  expect(orders?.html.value).toContain('kafka://bus.example.com:9092</span> orders.created');
  for (const text of [orders?.html.value, orders?.markdown, orders?.sections[0]?.text]) {
    expect(text).toContain('trace_id');
    expect(text).toContain('tenant');
  }
});

test('an AsyncAPI 2 channel shows its server and its messages in both directions', () => {
  const text = `
asyncapi: 2.6.0
servers: {main: {url: 'wss://chat.example.com/{stage}', protocol: wss, variables: {stage: {default: live}}, security: [{key: []}]}}
channels:
  rooms/{id}:
    parameters: {id: {schema: {type: string}}}
    publish: {summary: Says something, message: {name: say, payload: {properties: {text: {type: string}}}}}
    subscribe: {message: {oneOf: [{$ref: '#/components/messages/said'}, {name: left, payload: {properties: {who: {type: string}}}}]}}
components:
  messages: {said: {payload: {properties: {by: {type: string}}}}}
  securitySchemes: {key: {type: httpApiKey, name: key, in: query}}
`;
  const document = parseApiDocument(text, 'chat.yaml').document as ApiDocument;
  const page = fakePageRenderer();
  const rendered = renderChannel(document, document.channels[0] as ApiChannel, page, {
    display: 'interactive',
  });
  expect(page.toc.map((entry) => entry.text)).toEqual([
    'Authorizations',
    'Parameters',
    'Send',
    'say',
    'Receive',
    'said',
    'left',
  ]);
  expect(rendered.html.value).toContain('wss://chat.example.com/live');
  expect(rendered.html.value).toContain('"url":"wss://chat.example.com/{stage}"');
  for (const name of ['text', 'by', 'who', 'Says something'])
    expect(rendered.markdown).toContain(name);
});

test('an Avro payload shows its fields, and bindings show their protocol settings', () => {
  const text = `
asyncapi: 3.0.0
servers: {bus: {host: 'bus.example.com:9092', protocol: kafka}}
channels:
  orders:
    address: orders.created
    bindings: {kafka: {partitions: 12, topicConfiguration: {retention.ms: 604800}, bindingVersion: 0.5.0}}
    messages:
      created:
        bindings: {kafka: {key: {type: string, description: The shop}}}
        payload:
          schemaFormat: application/vnd.apache.avro;version=1.9.0
          schema:
            type: record
            name: Order
            doc: An order
            fields:
              - {name: id, type: {type: string, logicalType: uuid}, doc: Its id}
              - {name: note, type: ['null', string], default: null}
              - {name: state, type: {type: enum, name: State, symbols: [OPEN, PAID]}}
              - {name: lines, type: {type: array, items: {type: record, name: Line, fields: [{name: sku, type: string}, {name: more, type: ['null', Line]}]}}}
              - {name: labels, type: {type: map, values: long}}
operations: {out: {action: send, channel: {$ref: '#/channels/orders'}, bindings: {kafka: {groupId: {type: string, enum: [billing]}}}}}
`;
  const document = parseApiDocument(text, 'bus.yaml').document as ApiDocument;
  const rendered = renderChannel(document, document.channels[0] as ApiChannel, fakePageRenderer());
  for (const shown of [rendered.html.value, rendered.markdown])
    for (const words of [
      'uuid',
      'Its id',
      'note',
      'OPEN',
      'PAID',
      'sku',
      'labels',
      'int64',
      'partitions',
      '12',
      'retention.ms',
      'groupId',
      'billing',
      'The shop',
    ])
      expect(shown).toContain(words);
  expect(rendered.markdown).toMatch(/`id` \(`string<uuid>`, required\)/);
  expect(rendered.markdown).not.toContain('bindingVersion');
  const older = parseApiDocument(
    'asyncapi: 2.6.0\nchannels: {a: {subscribe: {message: {schemaFormat: application/vnd.apache.avro+json;version=1.9.0, payload: {type: record, name: R, fields: [{name: inside, type: [int, string]}]}}}}}',
    'old.yaml',
  ).document as ApiDocument;
  expect(
    renderChannel(older, older.channels[0] as ApiChannel, fakePageRenderer()).markdown,
  ).toContain('inside');
});

test('a message with a huge number of traits is rendered with its own name', () => {
  const traits = [
    ...Array.from({ length: 200_000 }, () => ({})),
    JSON.parse('{"__proto__": {"title": "no"}}'),
  ].reverse();
  const tree = { asyncapi: '3.0.0', channels: { a: { messages: { m: { traits, payload: {} } } } } };
  const document = parseApiDocument(JSON.stringify(tree), 'a.json').document as ApiDocument;
  const page = fakePageRenderer();
  renderChannel(document, document.channels[0] as ApiChannel, page);
  expect(page.toc.map((entry) => entry.text)).toContain('m');
});

test('a channel shows how to connect and the messages in each direction, from the view of a client', () => {
  const document = parseApiDocument(chat, 'chat.yaml').document as ApiDocument;
  const page = fakePageRenderer();
  const rendered = renderChannel(document, document.channels[0] as ApiChannel, page);
  expect(page.toc.map((entry) => entry.text)).toEqual([
    'Authorizations',
    'Parameters',
    'Send',
    'Say',
    'Receive',
    'Said',
  ]);
  expect(rendered.html.value).toContain('wss://chat.example.com');
  expect(rendered.html.value).toContain('id="say-text"');
  expect(rendered.markdown).toContain('`WSS /rooms/{room_id}`');
  expect(rendered.markdown).toContain('- `by` (`string`)');
  expect(rendered.sections[0]?.text).toContain('Says something');
  expect(page.aside.join()).toContain('Ada');
});

/** A channel whose messages each have one field; `more` is added to the description. */
function channelOf(
  count: number,
  more: object = {},
): { document: ApiDocument; channel: ApiChannel } {
  const messages = Array.from({ length: count }, (_, index) => [
    `m${index}`,
    {
      title: `Command ${index}.`,
      payload: { properties: { [`field_${index}`]: { type: 'string' } } },
      examples: [{ payload: `written ${index}.` }],
    },
  ]);
  const channels = { a: { messages: Object.fromEntries(messages) } };
  const document = parseApiDocument(
    JSON.stringify({ asyncapi: '3.0.0', channels, ...more }),
    'a.json',
  ).document as ApiDocument;
  return { document, channel: document.channels[0] as ApiChannel };
}

test('a channel shows all of its 130 messages and their written examples on the page, in Markdown and in search', () => {
  const servers = { main: { host: 'a.example.com', protocol: 'wss' } };
  const operations = { in: { action: 'receive', channel: { $ref: '#/channels/a' } } };
  const { document, channel } = channelOf(130, { servers, operations });
  const page = fakePageRenderer();
  const { html, markdown, sections } = renderChannel(document, channel, page, {
    display: 'interactive',
  });
  const inputs = /data-playground>(.*?)<\/script>/.exec(html.value)?.[1] as string;
  for (const shown of [html.value, markdown, sections.map(({ text }) => text).join()]) {
    expect(shown).toContain('Command 129.');
    expect(shown).toContain('field_129');
  }
  for (const shown of [page.aside.join(), inputs, markdown])
    expect(shown).toContain('written 129.');
  expect(sections.at(-1)).toMatchObject({
    anchor: 'command-129',
    headings: ['Send', 'Command 129.'],
  });
  expect(page.warnings).toEqual([]);
});

test('a channel with more than 1,000 messages shows the first 1,000 and warns its author', () => {
  const { document, channel } = channelOf(1_001);
  const page = fakePageRenderer();
  const { markdown } = renderChannel(document, channel, page);
  expect(markdown).toContain('### Command 999.');
  expect(markdown).not.toContain('### Command 1000.');
  expect(page.warnings).toEqual(['too-many-channel-parts']);
});

test('a message that a channel both sends and receives is in both sections, and readers can send it', () => {
  const servers = { main: { host: 'a.example.com', protocol: 'wss' } };
  const operations = {
    in: { action: 'receive', channel: { $ref: '#/channels/a' } },
    out: { action: 'send', channel: { $ref: '#/channels/a' } },
    again: { action: 'send', channel: { $ref: '#/channels/a' } },
  };
  const { document, channel } = channelOf(1, { servers, operations });
  const page = fakePageRenderer();
  const { html, markdown } = renderChannel(document, channel, page, { display: 'interactive' });
  expect(page.toc.map((entry) => entry.text)).toEqual([
    'Send',
    'Command 0.',
    'Receive',
    'Command 0.',
  ]);
  expect(markdown).toMatch(/## Send\s+### Command 0\.[\s\S]+## Receive\s+### Command 0\./);
  expect(html.value).toContain('"messages":[{"name":"Command 0.","text":"written 0."}]');
});

/** Expects words in every form of a channel's page. */
function expectShown(text: string, index: number, words: readonly string[]): void {
  const document = parseApiDocument(text, 'a.yaml').document as ApiDocument;
  const { html, markdown, sections } = renderChannel(
    document,
    document.channels[index] as ApiChannel,
    fakePageRenderer(),
  );
  for (const shown of [html.value, markdown, sections[0]?.text])
    for (const word of words) expect(shown?.split(word).length, word).toBe(2);
}

test('a channel shows every text about its operations, messages and parameters exactly once', () => {
  const text = `
asyncapi: 3.0.0
channels:
  a:
    description: Of channel
    parameters: {id: {description: Of parameter}}
    messages:
      m: {summary: Short message, description: Long message, correlationId: {location: $message.header#/corr, description: Of correlation}}
operations:
  in: {action: receive, channel: {$ref: '#/channels/a'}, title: Of title, summary: Short operation, description: Long operation}
  out:
    action: send
    channel: {$ref: '#/channels/a'}
    summary: Other operation
    traits: [{summary: Overridden, description: Of trait}]
    reply: {$ref: '#/components/replies/r'}
components: {replies: {r: {address: {location: $message.header#/replyTo, description: Of reply}}}}
`;
  const once = [
    'Of channel',
    'Of parameter',
    'Of title',
    'Short operation',
    'Long operation',
    'Other operation',
    'Of trait',
    'replyTo',
    'Of reply',
  ];
  expectShown(text, 0, once);
  const { document } = parseApiDocument(text, 'a.yaml') as { document: ApiDocument };
  const { markdown } = renderChannel(
    document,
    document.channels[0] as ApiChannel,
    fakePageRenderer(),
  );
  for (const word of [
    'Short message',
    'Long message',
    'Correlation ID: `$message.header#/corr`. Of correlation',
  ])
    expect(markdown).toContain(word);
});

test('an AsyncAPI 2 channel shows the texts of its operations and parameters, also beside a description and a schema', () => {
  const text = `
asyncapi: 2.6.0
channels:
  a:
    description: Of channel
    parameters: {id: {description: Of parameter, schema: {type: string}}}
    publish: {summary: Of publish, bindings: {mqtt: {qos: {type: integer, description: Of binding}}}, message: {payload: {type: string}}}
    subscribe: {summary: Of subscribe, description: Longer one, message: {payload: {type: string}}}
  b:
    publish: {summary: Of publish, message: {payload: {type: string}}}
    subscribe: {summary: Of subscribe, description: Longer one, message: {payload: {type: string}}}
`;
  expectShown(text, 0, [
    'Of channel',
    'Of parameter',
    'Of publish',
    'Of binding',
    'Of subscribe',
    'Longer one',
  ]);
  expectShown(text, 1, ['Of publish', 'Of subscribe', 'Longer one']);
});

test('a channel shows the servers that it has, with their texts, their variables, and the credentials of each', () => {
  const text = `
asyncapi: 3.0.0
servers:
  a: {host: a.example.com, protocol: wss, description: First server, security: [{$ref: '#/components/securitySchemes/k'}]}
  b:
    host: '{region}.example.com'
    protocol: wss
    description: Second server
    variables: {region: {default: eu, enum: [eu, us-east], description: Nearest one}, plain: {default: x}}
    security: [{$ref: '#/components/securitySchemes/k'}, {$ref: '#/components/securitySchemes/l'}]
channels: {both: {}, second: {servers: [{$ref: '#/servers/b'}]}, first: {servers: [{$ref: '#/servers/a'}]}}
components:
  securitySchemes:
    k: {type: httpApiKey, name: k, in: query, description: Key of all}
    l: {type: httpApiKey, name: l, in: query, description: Key of second}
`;
  const document = parseApiDocument(text, 'a.yaml').document as ApiDocument;
  const shown = document.channels.map((channel) =>
    renderChannel(document, channel, fakePageRenderer()),
  );
  const [both, second, first] = shown.flatMap(({ html, markdown }) => [[html.value, markdown]]) as [
    string[],
    string[],
    string[],
  ];
  for (const page of both)
    for (const word of [
      'First server',
      'Second server',
      'Nearest one',
      'us-east',
      'Key of all',
      'Key of second',
    ])
      expect(page.split(word).length, word).toBe(2);
  for (const page of second) expect(page).toContain('Second server');
  for (const page of first) {
    expect(page).toContain('First server');
    expect(page).not.toMatch(/Nearest one|Key of second/);
  }
  for (const [html, markdown] of [both, second, first])
    expect(html + (markdown as string)).not.toContain('plain');
  expect(shown[0]?.sections[0]?.text).toContain('Nearest one');
});

test('the page of a channel stays small if its messages and operations all refer to one huge text', () => {
  const huge = 'x'.repeat(200_000);
  const many = (value: object) =>
    Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`m${index}`, value]));
  const tree = {
    asyncapi: '3.0.0',
    channels: { a: { messages: many({ $ref: '#/components/messages/m' }) } },
    operations: many({
      action: 'send',
      channel: { $ref: '#/channels/a' },
      traits: [{ $ref: '#/components/operationTraits/t' }],
    }),
    components: {
      messages: { m: { title: huge, contentType: huge, description: huge, payload: {} } },
      operationTraits: { t: { description: huge } },
    },
  };
  const document = parseApiDocument(JSON.stringify(tree), 'a.json').document as ApiDocument;
  const { html, markdown } = renderChannel(
    document,
    document.channels[0] as ApiChannel,
    fakePageRenderer(),
  );
  expect(html.value.length + markdown.length).toBeLessThan(8_000_000);
});
