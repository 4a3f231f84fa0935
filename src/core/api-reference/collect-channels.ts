import type { ApiChannel } from './api-document.ts';
import { entriesOf, type JsonObject, listAt, objectAt, textAt } from './json-value.ts';
import { follow } from './references.ts';
import { MAX_SERVERS, readServers } from './servers.ts';

const MAX_CHANNELS = 5_000;

/** Every channel of an AsyncAPI document, in its order. */
export function collectChannels(root: JsonObject): ApiChannel[] {
  const channels: ApiChannel[] = [];
  const shared = readServers(root);
  for (const [name, item] of entriesOf(objectAt(root, 'channels')).slice(0, MAX_CHANNELS)) {
    const raw = follow(root, item)?.value;
    if (raw === undefined) continue;
    const own = listAt(raw, 'servers').slice(0, MAX_SERVERS);
    const servers = own.length > 0 ? readServers({ servers: own.map((server) => follow(root, server)?.value) }) : shared;
    const channel: ApiChannel = { name, servers, raw };
    const title = textAt(raw, 'title');
    const description = textAt(raw, 'description') ?? textAt(raw, 'summary');
    const address = textAt(raw, 'address');
    const tag = textAt(follow(root, listAt(raw, 'tags')[0])?.value, 'name');
    if (tag !== undefined) channel.tag = tag;
    if (title !== undefined) channel.title = title;
    if (description !== undefined) channel.description = description;
    if (address !== undefined) channel.address = address;
    channels.push(channel);
  }
  return channels;
}

/** `WSS`, `KAFKA` …: shown in place of the method for a channel. */
export function channelProtocol({ servers }: ApiChannel): string {
  return servers[0]?.url.match(/^([a-z][a-z0-9+.-]{0,15}):/i)?.[1]?.toUpperCase() ?? 'CHANNEL';
}

/**
 * Returns what follows the address of the server: a path, which descriptions also write without its slash, or for a protocol whose
 * addresses are not URLs the name of a topic or queue.
 */
export function channelRoute(channel: ApiChannel): string {
  const route = channel.address ?? channel.name;
  const isPath = /^(?:WSS?|HTTPS?)$/.test(channelProtocol(channel));
  return isPath && !route.startsWith('/') ? `/${route}` : route;
}
