import {
  entriesOf,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from '../json-value.ts';
import { referenceName } from './schemas/references.ts';

/** In version 2, clients publish what the server receives. */
const ACTIONS = [
  ['publish', 'receive'],
  ['subscribe', 'send'],
] as const;

/**
 * Returns an AsyncAPI 2 description in the form of version 3, as far as pages show it: servers,
 * channels, their messages and their directions
 * (https://www.asyncapi.com/docs/migration/migrating-to-v3).
 */
export function upgradeAsyncApi(tree: JsonObject): JsonObject {
  const operations: [string, JsonObject][] = [];
  const channels = entriesOf(objectAt(tree, 'channels')).map(
    ([name, channel]): [string, JsonObject] => {
      const messages = new Map<string, unknown>();
      const ownDescription = textAt(channel, 'description');
      const summaries: string[] = [];
      const tags: unknown[] = [];
      for (const [key, action] of ACTIONS) {
        const operation = objectAt(channel, key);
        if (!operation) continue;
        // A channel without a description has those of its operations.
        const described = ['description', 'summary'].find(
          (name) => textAt(operation, name) !== undefined,
        );
        const moved = ownDescription === undefined ? described : undefined;
        if (moved !== undefined) summaries.push(textAt(operation, moved) as string);
        tags.push(...listAt(operation, 'tags'));
        const place = `#/channels/${escaped(name)}`;
        const references = messagesOf(operation).map((message) => {
          const messageName = nameOf(message) ?? key;
          const id = messages.has(messageName)
            ? `${messageName} (${messages.size + 1})`
            : messageName;
          messages.set(id, message);
          return { $ref: `${place}/messages/${escaped(id)}` };
        });
        const kept = entriesOf(operation).filter(([name]) => name !== 'message' && name !== moved);
        const upgraded = {
          ...Object.fromEntries(kept),
          action,
          channel: { $ref: place },
          messages: references,
        };
        operations.push([`${key} ${name}`, upgraded]);
      }
      const description = ownDescription ?? summaries.join('\n\n');
      const servers = listAt(channel, 'servers').filter((server) => typeof server === 'string');
      return [
        name,
        {
          ...(tags.length > 0 && { tags }),
          ...(isObject(channel) ? channel : {}),
          address: name,
          ...(description !== '' && { description }),
          servers: servers.map((server) => ({ $ref: `#/servers/${escaped(server)}` })),
          messages: Object.fromEntries(messages),
        },
      ];
    },
  );
  return {
    ...tree,
    servers: Object.fromEntries(
      entriesOf(objectAt(tree, 'servers')).map(([name, server]) => [name, upgradeServer(server)]),
    ),
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(operations),
  };
}

/** `url` became `host` and `pathname`; security requirements became references. */
function upgradeServer(server: unknown): unknown {
  if (!isObject(server)) return server;
  const { url: _, ...rest } = server;
  const [, host = '', pathname = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/]*)(.*)$/is.exec(textAt(server, 'url') ?? '') ?? [];
  const schemes = listAt(server, 'security').flatMap((requirement) =>
    entriesOf(requirement).map(([name]) => name),
  );
  return {
    ...rest,
    host,
    pathname,
    security: schemes.map((name) => ({ $ref: `#/components/securitySchemes/${escaped(name)}` })),
  };
}

/** One message, or one of several. */
function messagesOf(operation: JsonObject): readonly unknown[] {
  const message = valueAt(operation, 'message');
  const alternatives = listAt(message, 'oneOf');
  return alternatives.length > 0 || message === undefined ? alternatives : [message];
}

/** Its own name, or that of the component that it refers to. */
function nameOf(message: unknown): string | undefined {
  const reference = textAt(message, '$ref');
  return textAt(message, 'name') ?? (reference && referenceName(reference));
}

/** A name as part of a JSON pointer (RFC 6901). */
function escaped(name: string): string {
  return encodeURI(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
