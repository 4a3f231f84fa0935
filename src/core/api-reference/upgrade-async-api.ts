import { entriesOf, isObject, type JsonObject, listAt, objectAt, textAt, valueAt } from './json-value.ts';

/** In version 2, clients publish what the server receives. */
const ACTIONS = [
  ['publish', 'receive'],
  ['subscribe', 'send'],
] as const;

/**
 * Returns an AsyncAPI 2 description in the form of version 3, as far as pages show it: servers, channels, their messages and
 * their directions (https://www.asyncapi.com/docs/migration/migrating-to-v3).
 */
export function upgradeAsyncApi(tree: JsonObject): JsonObject {
  const operations: [string, JsonObject][] = [];
  const channels = entriesOf(objectAt(tree, 'channels')).map(([name, channel]): [string, JsonObject] => {
    const messages: [string, unknown][] = [];
    const summaries: string[] = [];
    for (const [key, action] of ACTIONS) {
      const operation = objectAt(channel, key);
      if (!operation) continue;
      const summary = textAt(operation, 'description') ?? textAt(operation, 'summary');
      if (summary !== undefined) summaries.push(summary);
      const own = messagesOf(operation, key);
      messages.push(...own);
      const place = `#/channels/${escaped(name)}`;
      const references = own.map(([id]) => ({ $ref: `${place}/messages/${escaped(id)}` }));
      operations.push([`${key} ${name}`, { action, channel: { $ref: place }, messages: references }]);
    }
    const description = textAt(channel, 'description') ?? summaries.join('\n\n');
    const servers = listAt(channel, 'servers').filter((server) => typeof server === 'string');
    return [
      name,
      {
        ...(isObject(channel) ? channel : {}),
        address: name,
        ...(description !== '' && { description }),
        servers: servers.map((server) => ({ $ref: `#/servers/${escaped(server)}` })),
        messages: Object.fromEntries(messages),
      },
    ];
  });
  return {
    ...tree,
    servers: Object.fromEntries(entriesOf(objectAt(tree, 'servers')).map(([name, server]) => [name, upgradeServer(server)])),
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(operations),
  };
}

/** `url` became `host` and `pathname`; security requirements became references. */
function upgradeServer(server: unknown): unknown {
  if (!isObject(server)) return server;
  const { url: _, ...rest } = server;
  const [, host = '', pathname = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/]*)(.*)$/is.exec(textAt(server, 'url') ?? '') ?? [];
  const schemes = listAt(server, 'security').flatMap((requirement) => entriesOf(requirement).map(([name]) => name));
  return {
    ...rest,
    host,
    pathname,
    security: schemes.map((name) => ({ $ref: `#/components/securitySchemes/${escaped(name)}` })),
  };
}

/** The messages of an operation (one, or one of several), each with a name. */
function messagesOf(operation: JsonObject, key: string): [string, unknown][] {
  const message = valueAt(operation, 'message');
  if (message === undefined) return [];
  const alternatives = listAt(message, 'oneOf');
  const all = alternatives.length > 0 ? alternatives : [message];
  return all.map((one, index) => {
    const reference = textAt(one, '$ref')?.split('/').at(-1);
    return [`${key}-${textAt(one, 'name') ?? reference ?? index}`, one];
  });
}

/** A name as part of a JSON pointer (RFC 6901). */
function escaped(name: string): string {
  return encodeURI(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
