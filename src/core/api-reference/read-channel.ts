import type { ApiChannel, ApiDocument } from './api-document.ts';
import { type Credential, listedCredentials } from './authorizations.ts';
import { boundedCopy, entriesOf, isObject, type JsonObject, listAt, objectAt, textAt, valueAt } from './json-value.ts';
import type { SchemaField, SchemaView } from './markup/schema-view.ts';
import { follow } from './references.ts';
import { createSchemaReader, readSchema, type SchemaReader } from './schemas/read-schema.ts';

/** A message that travels over a channel. */
export interface MessageView {
  name: string;
  description?: string;
  /** From the view of the client: `send` is what the reader sends. */
  direction?: 'send' | 'receive';
  contentType?: string;
  payload?: SchemaView;
  headers?: SchemaView;
  example?: unknown;
  /** The payload's schema as written, for a generated example. */
  payloadSchema?: unknown;
}

export interface ChannelView {
  parameters: SchemaField[];
  credentials: Credential[];
  messages: MessageView[];
}

const MAX_MESSAGES = 60;
const MAX_TRAITS = 20;

/** Reads a channel: its parameters, how to authenticate, and its messages. Never throws. */
export function readChannel(document: ApiDocument, channel: ApiChannel): ChannelView {
  const { root } = document;
  const reader = createSchemaReader(root);
  const directions = messageDirections(root, channel);
  const messages: MessageView[] = [];
  for (const [key, item] of entriesOf(objectAt(channel.raw, 'messages')).slice(0, MAX_MESSAGES)) {
    const message = follow(root, item)?.value;
    if (message) messages.push(readMessage(reader, key, withTraits(root, message), directions.get(message)));
  }
  return { parameters: readParameters(reader, channel), credentials: readCredentials(root), messages };
}

/** A message with what it has in common with others; its own fields win (AsyncAPI 3, "Message Trait Object"). */
function withTraits(root: JsonObject, message: JsonObject): JsonObject {
  const traits = listAt(message, 'traits').slice(0, MAX_TRAITS);
  const all = [...traits.map((trait) => follow(root, trait)?.value ?? {}), message];
  return Object.fromEntries(all.flatMap((one) => Object.entries(one)));
}

function readMessage(reader: SchemaReader, key: string, message: JsonObject, direction: MessageView['direction']): MessageView {
  const view: MessageView = { name: textAt(message, 'title') ?? textAt(message, 'name') ?? key };
  const description = textAt(message, 'description') ?? textAt(message, 'summary');
  if (description !== undefined) view.description = description;
  if (direction !== undefined) view.direction = direction;
  const contentType = textAt(message, 'contentType');
  if (contentType !== undefined) view.contentType = contentType;
  const payload = schemaOf(reader.root, valueAt(message, 'payload'));
  if (payload !== undefined) {
    view.payload = readSchema(reader, payload);
    view.payloadSchema = payload;
  }
  const headers = schemaOf(reader.root, valueAt(message, 'headers'));
  if (headers !== undefined) view.headers = readSchema(reader, headers);
  const example = valueAt(listAt(message, 'examples')[0], 'payload');
  if (example !== undefined) view.example = boundedCopy(example);
  return view;
}

/** A payload is a schema, or wraps one together with its format. */
function schemaOf(root: JsonObject, payload: unknown): unknown {
  if (!isObject(payload)) return undefined;
  const inner = follow(root, payload)?.value;
  return inner !== undefined && valueAt(inner, 'schemaFormat') !== undefined ? (valueAt(inner, 'schema') ?? {}) : payload;
}

/**
 * Returns the messages that the reader sends. The document describes the server: what the server receives, a client sends. An
 * operation without messages means all of its channel.
 */
function messageDirections(root: JsonObject, channel: ApiChannel): Map<object, 'send' | 'receive'> {
  const directions = new Map<object, 'send' | 'receive'>();
  for (const [, item] of entriesOf(objectAt(root, 'operations'))) {
    const operation = follow(root, item)?.value;
    if (follow(root, valueAt(operation, 'channel'))?.value !== channel.raw) continue;
    const direction = textAt(operation, 'action') === 'receive' ? 'send' : 'receive';
    const named = listAt(operation, 'messages');
    const messages = named.length > 0 ? named : entriesOf(objectAt(channel.raw, 'messages')).map(([, message]) => message);
    for (const reference of messages.slice(0, MAX_MESSAGES)) {
      const message = follow(root, reference)?.value;
      if (message) directions.set(message, direction);
    }
  }
  return directions;
}

/** Channel parameters are texts with a default, allowed values and examples; they are read as the equivalent schema. */
function readParameters(reader: SchemaReader, channel: ApiChannel): SchemaField[] {
  const fields: SchemaField[] = [];
  for (const [name, item] of entriesOf(objectAt(channel.raw, 'parameters')).slice(0, MAX_MESSAGES)) {
    const parameter = follow(reader.root, item)?.value;
    if (parameter === undefined) continue;
    const schema = valueAt(parameter, 'schema') ?? { type: 'string', ...parameter };
    fields.push({ name, required: true, schema: readSchema(reader, schema) });
  }
  return fields;
}

function readCredentials(root: JsonObject): Credential[] {
  for (const [, server] of entriesOf(objectAt(root, 'servers'))) {
    const found = follow(root, server)?.value;
    const credentials = found ? listedCredentials(root, found) : [];
    if (credentials.length > 0) return credentials;
  }
  return [];
}
