import type { SiteConfig } from '../../docs-json/site-config.ts';
import type { ApiChannel, ApiDocument } from '../api-document.ts';
import { channelRoute } from '../api-document.ts';
import { entriesOf, type JsonObject, objectAt, textAt, textsAt, valueAt } from '../json-value.ts';
import { type ChannelView, MAX_CHANNEL_PARTS, serversOf } from '../read-channel.ts';
import { follow } from '../references.ts';
import type { CodeSample } from '../samples/code-samples.ts';
import { credentialInput, readVariable, withSettings } from './read-inputs.ts';
import { createShapeReader, readShape, type ShapeReader } from './read-shape.ts';
import type { InputPlace, ParameterInput, RequestInputs, ServerInput } from './request-inputs.ts';

const MAX_MESSAGE_CHARACTERS = 6_000;

/**
 * Returns the inputs for connecting to a channel by WebSocket; undefined if none of its servers supports that protocol. Never
 * throws; bounded for any description.
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
  const servers = readSocketServers(root, channel);
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

function readSocketServers(root: JsonObject, channel: ApiChannel): ServerInput[] {
  return serversOf(root, channel).flatMap((server): ServerInput[] => {
    const protocol = textAt(server, 'protocol')?.toLowerCase();
    const host = textAt(server, 'host');
    if (host === undefined || (protocol !== 'ws' && protocol !== 'wss')) return [];
    const url = `${protocol}://${host}${textAt(server, 'pathname') ?? ''}`.replace(/(?<!\/)\/+$/, '');
    const description = textAt(server, 'description')?.slice(0, 80);
    const variables = entriesOf(objectAt(server, 'variables'))
      .slice(0, MAX_CHANNEL_PARTS)
      .filter(([name]) => url.includes(`{${name}}`))
      .map(([name, variable]) => readVariable(name, follow(root, variable)?.value));
    return [{ url, ...(description && { description }), ...(variables.length > 0 && { variables }) }];
  });
}

/** Parameters of the address are texts with a default and allowed values (AsyncAPI 3, "Parameter Object"). */
function addressParameters(reader: ShapeReader, channel: ApiChannel): ParameterInput[] {
  return entriesOf(objectAt(channel.raw, 'parameters'))
    .slice(0, MAX_CHANNEL_PARTS)
    .map(([name, item]) => {
      const parameter = follow(reader.root, item)?.value;
      const values = textsAt(parameter, 'enum');
      const schema = valueAt(parameter, 'schema') ?? {
        type: 'string',
        ...(values.length > 0 && { enum: values }),
        ...(textAt(parameter, 'default') !== undefined && { default: textAt(parameter, 'default') }),
        examples: textsAt(parameter, 'examples'),
      };
      return { name, place: 'path', required: true, shape: readShape(reader, schema) };
    });
}

/** Inputs that the WebSocket binding requires to open a connection (AsyncAPI bindings, `ws`). */
function boundParameters(reader: ShapeReader, binding: unknown, place: InputPlace & ('query' | 'header')): ParameterInput[] {
  const schema = follow(reader.root, valueAt(binding, place === 'query' ? 'query' : 'headers'))?.value;
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
