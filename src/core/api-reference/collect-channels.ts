import type { ApiChannel } from './api-document.ts';
import { entriesOf, type JsonObject, objectAt, textAt } from './json-value.ts';
import { follow } from './references.ts';

const MAX_CHANNELS = 5_000;

/** Every channel of an AsyncAPI document, in its order. */
export function collectChannels(root: JsonObject): ApiChannel[] {
  const channels: ApiChannel[] = [];
  for (const [name, item] of entriesOf(objectAt(root, 'channels')).slice(0, MAX_CHANNELS)) {
    const raw = follow(root, item)?.value;
    if (raw === undefined) continue;
    const channel: ApiChannel = { name, raw };
    const title = textAt(raw, 'title');
    const description = textAt(raw, 'description') ?? textAt(raw, 'summary');
    const address = textAt(raw, 'address');
    if (title !== undefined) channel.title = title;
    if (description !== undefined) channel.description = description;
    if (address !== undefined) channel.address = address;
    channels.push(channel);
  }
  return channels;
}
