import {
  boundedCopy,
  entriesOf,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from '../json-value.ts';
import type { ApiChannel, ApiDocument } from './api-document.ts';
import { type Credential, listedCredentials } from './authorizations.ts';
import { createTraitMerger } from './merge-traits.ts';
import { readDescribed } from './parameters.ts';
import { avroAsJsonSchema } from './schemas/avro-schema.ts';
import {
  createSchemaReader,
  readSchema,
  type SchemaReader,
  takeText,
} from './schemas/read-schema.ts';
import { follow } from './schemas/references.ts';
import { codeSpan } from './schemas/schema-markdown.ts';
import type { SchemaField, SchemaView } from './schemas/schema-view.ts';
import { serverObjects } from './servers.ts';

/** From the view of the client: `send` is what the reader sends. */
export type Direction = 'send' | 'receive';

/**
 * A message that travels over a channel. One that travels in both directions is listed for each.
 */
export interface MessageView {
  name: string;
  description?: string;
  direction?: Direction;
  contentType?: string;
  payload?: SchemaView;
  headers?: SchemaView;
  bindings: SchemaField[];
  example?: unknown;
  /** The payload's schema as written, for a generated example. */
  payloadSchema?: unknown;
}

export interface ChannelView {
  parameters: SchemaField[];
  /** What is particular to a protocol: of the channel and of its operations. */
  bindings: SchemaField[];
  credentials: Credential[];
  serverVariables: SchemaField[];
  /** What its operations say about a direction, in Markdown. */
  introductions: { direction: Direction; text: string }[];
  messages: MessageView[];
}

/** Messages and parameters that a channel shows. */
export const MAX_CHANNEL_PARTS = 1_000;
const MAX_NAME_CHARACTERS = 300;

/** Reads a channel: its parameters, how to authenticate, and its messages. Never throws. */
export function readChannel(document: ApiDocument, channel: ApiChannel): ChannelView {
  const { root } = document;
  const reader = createSchemaReader(root);
  const servers = serverObjects(root, channel.raw, root);
  const mergeTraits = createTraitMerger(document);
  const operations = operationsOf(root, channel);
  const directions = messageDirections(root, channel, operations);
  const messages: MessageView[] = [];
  for (const [key, item] of entriesOf(objectAt(channel.raw, 'messages')).slice(
    0,
    MAX_CHANNEL_PARTS,
  )) {
    const message = follow(root, item)?.value;
    if (message === undefined) continue;
    const view = readMessage(reader, key, mergeTraits(message));
    const ownDirections = directions.get(message);
    if (ownDirections === undefined) messages.push(view);
    else for (const direction of ownDirections) messages.push({ ...view, direction });
  }
  const merged = operations.map(mergeTraits);
  const introductions = merged.flatMap((operation) => {
    const text = introduction(root, operation);
    return text === undefined
      ? []
      : [{ direction: directionOf(operation), text: takeText(reader, text) }];
  });
  const bindings = [channel.raw, ...merged].flatMap((holder) => readBindings(reader, holder));
  return {
    parameters: readParameters(reader, channel),
    bindings,
    credentials: readCredentials(root, servers),
    serverVariables: readServerVariables(reader, servers),
    introductions,
    messages,
  };
}

function readMessage(reader: SchemaReader, key: string, message: JsonObject): MessageView {
  const name = (textAt(message, 'title') ?? textAt(message, 'name') ?? key).slice(
    0,
    MAX_NAME_CHARACTERS,
  );
  const bindings = readBindings(reader, message);
  const correlation = located(
    'Correlation ID',
    follow(reader.root, valueAt(message, 'correlationId'))?.value,
  );
  const description = joinTexts(
    textAt(message, 'summary'),
    textAt(message, 'description'),
    correlation,
  );
  const payload = schemaOf(
    reader.root,
    valueAt(message, 'payload'),
    textAt(message, 'schemaFormat'),
  );
  const headers = schemaOf(reader.root, valueAt(message, 'headers'));
  return {
    name,
    description: description && takeText(reader, description),
    contentType: textAt(message, 'contentType')?.slice(0, MAX_NAME_CHARACTERS),
    payload: payload === undefined ? undefined : readSchema(reader, payload),
    headers: headers === undefined ? undefined : readSchema(reader, headers),
    bindings,
    example: boundedCopy(valueAt(listAt(message, 'examples')[0], 'payload')),
    payloadSchema: payload,
  };
}

/**
 * A payload is a schema, or wraps one together with its format.
 * @param outerFormat where the message names the format, as in AsyncAPI 2
 */
function schemaOf(root: JsonObject, payload: unknown, outerFormat?: string): unknown {
  const inner = isObject(payload) ? follow(root, payload)?.value : payload;
  const format = textAt(inner, 'schemaFormat');
  const schema = format === undefined ? payload : (valueAt(inner, 'schema') ?? {});
  if (/avro/i.test(format ?? outerFormat ?? ''))
    return avroAsJsonSchema(format === undefined ? inner : schema);
  return isObject(payload) ? schema : undefined;
}

/** The document describes the server: what the server receives, a client sends. */
function directionOf(operation: JsonObject): Direction {
  return textAt(operation, 'action') === 'receive' ? 'send' : 'receive';
}

function introduction(root: JsonObject, operation: JsonObject): string | undefined {
  const title = textAt(operation, 'title');
  const reply = follow(root, valueAt(operation, 'reply'))?.value;
  return joinTexts(
    title && `**${title.trim()}**`,
    textAt(operation, 'summary'),
    textAt(operation, 'description'),
    located('Reply address', follow(root, valueAt(reply, 'address'))?.value),
  );
}

/** Where a value is in a message at run time: a runtime expression, and its meaning. */
function located(label: string, place: unknown): string | undefined {
  const location = textAt(place, 'location');
  const description = textAt(place, 'description');
  if (location === undefined) return description && `${label}: ${description}`;
  return `${label}: ${codeSpan(location)}${description ? `. ${description}` : ''}`;
}

/** Paragraphs, each once. */
function joinTexts(...texts: (string | undefined)[]): string | undefined {
  const parts = texts.filter((text) => text !== undefined).map((text) => text.trim());
  return parts.length === 0 ? undefined : [...new Set(parts)].join('\n\n');
}

/**
 * Returns the directions of each message. An operation without messages means all of its channel.
 */
function messageDirections(
  root: JsonObject,
  channel: ApiChannel,
  operations: readonly JsonObject[],
): Map<object, Set<Direction>> {
  const directions = new Map<object, Set<Direction>>();
  for (const operation of operations) {
    const direction = directionOf(operation);
    const named = listAt(operation, 'messages');
    const messages =
      named.length > 0
        ? named
        : entriesOf(objectAt(channel.raw, 'messages')).map(([, message]) => message);
    for (const reference of messages.slice(0, MAX_CHANNEL_PARTS)) {
      const message = follow(root, reference)?.value;
      if (message) directions.set(message, (directions.get(message) ?? new Set()).add(direction));
    }
  }
  return directions;
}

function operationsOf(root: JsonObject, channel: ApiChannel): JsonObject[] {
  return entriesOf(objectAt(root, 'operations'))
    .map(([, item]) => follow(root, item)?.value)
    .filter((operation) => operation !== undefined)
    .filter((operation) => follow(root, valueAt(operation, 'channel'))?.value === channel.raw)
    .slice(0, MAX_CHANNEL_PARTS);
}

/** Bindings as fields, one for each protocol. */
function readBindings(reader: SchemaReader, place: unknown): SchemaField[] {
  const bindings = follow(reader.root, valueAt(place, 'bindings'))?.value;
  return entriesOf(bindings).map(([name, item]) => {
    const binding = follow(reader.root, item)?.value ?? item;
    return { name, required: false, schema: readSchema(reader, bindingSchema(binding, 0)) };
  });
}

const MAX_BINDING_DEPTH = 4;

/** A schema for a binding: its values are schemas, values, or objects of them. */
function bindingSchema(value: unknown, depth: number): unknown {
  if (!isObject(value) || textAt(value, 'type') !== undefined)
    return isObject(value) ? value : { const: value };
  if (depth > MAX_BINDING_DEPTH) return {};
  const parts = entriesOf(value).filter(([name]) => name !== 'bindingVersion');
  const properties = parts.map(([name, part]) => [name, bindingSchema(part, depth + 1)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function readParameters(reader: SchemaReader, channel: ApiChannel): SchemaField[] {
  return entriesOf(objectAt(channel.raw, 'parameters'))
    .slice(0, MAX_CHANNEL_PARTS)
    .flatMap(([name, item]) => {
      const parameter = follow(reader.root, item)?.value;
      return parameter ? [{ ...readText(reader, name, parameter), required: true }] : [];
    });
}

/**
 * Parameters and server variables are texts with a default, allowed values and examples, read as
 * the equivalent schema; parameters of AsyncAPI 2 have a schema.
 */
function readText(reader: SchemaReader, name: string, holder: JsonObject): SchemaField {
  return readDescribed(reader, name, {
    ...holder,
    schema: valueAt(holder, 'schema') ?? { type: 'string', ...holder },
  });
}

/** Ways to authenticate with the servers of a channel, each once. */
function readCredentials(root: JsonObject, servers: readonly JsonObject[]): Credential[] {
  const all = servers.flatMap((server) => listedCredentials(root, server));
  return [...new Map(all.map((credential) => [JSON.stringify(credential), credential])).values()];
}

/**
 * Variables of the servers' addresses that have more to say than their default, which the addresses
 * show.
 */
function readServerVariables(reader: SchemaReader, servers: readonly JsonObject[]): SchemaField[] {
  const fields = new Map<string, SchemaField>();
  for (const [name, item] of servers
    .flatMap((server) => entriesOf(objectAt(server, 'variables')))
    .slice(0, MAX_CHANNEL_PARTS)) {
    const variable = follow(reader.root, item)?.value;
    if (
      variable === undefined ||
      !['description', 'enum', 'examples'].some((key) => Object.hasOwn(variable, key))
    )
      continue;
    const field = readText(reader, name, variable);
    fields.set(JSON.stringify(field), field);
  }
  return [...fields.values()];
}
