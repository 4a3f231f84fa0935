import type { SiteConfig } from '../../docs-json/site-config.ts';
import { entriesOf, objectAt, textAt, textsAt, valueAt } from '../../json-value.ts';
import type { ApiChannel, ApiDocument } from '../api-document.ts';
import { channelRoute } from '../api-document.ts';
import { type ChannelView, MAX_CHANNEL_PARTS } from '../read-channel.ts';
import type { InputPlace, ParameterInput, RequestInputs } from '../request-inputs.ts';
import type { CodeSample } from '../samples/code-samples.ts';
import { follow } from '../schemas/references.ts';
import { serverInputs, serverObjects } from '../servers.ts';
import { credentialInput, withSettings } from './read-inputs.ts';
import { createShapeReader, readShape, type ShapeReader } from './read-shape.ts';

const MAX_MESSAGE_CHARACTERS = 6_000;

/**
 * Returns the inputs for connecting to a channel by WebSocket; undefined if none of its servers
 * supports that protocol. Never throws; bounded for any description.
 * @param samples examples of the messages that the reader sends
 */
export function readChannelInputs(
  document: ApiDocument,
  channel: ApiChannel,
  view: ChannelView,
  samples: readonly CodeSample[],
  api: Parameters<typeof withSettings>[1] = {},
): RequestInputs | undefined {
  const { root } = document;
  const servers = serverInputs(
    root,
    serverObjects(root, channel.raw, root).filter((server) =>
      /^wss?$/i.test(textAt(server, 'protocol') ?? ''),
    ),
  );
  if (servers.length === 0) return undefined;
  const reader = createShapeReader(root);
  const binding = objectAt(objectAt(channel.raw, 'bindings'), 'ws');
  const inputs: RequestInputs = {
    method: 'WSS',
    route: channelRoute(channel),
    servers,
    security: view.credentials.map((credential) => [credentialInput(credential)]),
    parameters: [
      ...addressParameters(reader, channel),
      ...boundParameters(reader, binding, 'query'),
      ...boundParameters(reader, binding, 'header'),
    ],
    bodies: [],
    messages: samples
      .filter(({ code }) => code.length <= MAX_MESSAGE_CHARACTERS)
      .map(({ label, code }) => ({ name: label, text: code })),
  };
  return withSettings(inputs, api satisfies Partial<SiteConfig['api']>);
}

/**
 * Parameters of the address are texts with a default and allowed values (AsyncAPI 3, "Parameter
 * Object").
 */
function addressParameters(reader: ShapeReader, channel: ApiChannel): ParameterInput[] {
  return entriesOf(objectAt(channel.raw, 'parameters'))
    .slice(0, MAX_CHANNEL_PARTS)
    .map(([name, item]) => {
      const parameter = follow(reader.root, item)?.value;
      const values = textsAt(parameter, 'enum');
      const schema = valueAt(parameter, 'schema') ?? {
        type: 'string',
        ...(values.length > 0 && { enum: values }),
        ...(textAt(parameter, 'default') !== undefined && {
          default: textAt(parameter, 'default'),
        }),
        examples: textsAt(parameter, 'examples'),
      };
      return { name, place: 'path', required: true, shape: readShape(reader, schema) };
    });
}

/** Inputs that the WebSocket binding requires to open a connection (AsyncAPI bindings, `ws`). */
function boundParameters(
  reader: ShapeReader,
  binding: unknown,
  place: InputPlace & ('query' | 'header'),
): ParameterInput[] {
  const schema = follow(
    reader.root,
    valueAt(binding, place === 'query' ? 'query' : 'headers'),
  )?.value;
  const required = new Set(textsAt(schema, 'required'));
  return entriesOf(objectAt(schema, 'properties'))
    .slice(0, MAX_CHANNEL_PARTS)
    .map(([name, property]) => ({
      name,
      place,
      ...(required.has(name) && { required: true as const }),
      shape: readShape(reader, property),
    }));
}
