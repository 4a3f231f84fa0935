import { boundedCopy, isObject, type JsonObject } from '../json-value.ts';
import { oncePerObject } from '../once.ts';
import {
  alternativesOf,
  keywordText,
  type LayeredSchema,
  mergedProperties,
  requiredNames,
  schemaLayers,
} from './schemas/schema-layers.ts';
import { typeNames } from './schemas/schema-type.ts';

interface ExampleMaker {
  root: JsonObject;
  use: 'request' | 'response';
  nodesLeft: number;
  /** Leave out optional properties. */
  requiredOnly: boolean;
}

const MAX_DEPTH = 7;
const MAX_PROPERTIES = 80;

const madeOf = oncePerObject((_: object) => new Map<string, unknown>());

/**
 * Returns an example of a schema: the author's own if present, otherwise one built from defaults,
 * allowed values and types. Deterministic and bounded; cycles are cut where they repeat.
 * @param requiredOnly whether objects get only their required properties
 * @returns undefined if the schema gives no information; the same value for the same schema, so it
 *   must not be changed
 */
export function exampleValue(
  root: JsonObject,
  schema: unknown,
  use: 'request' | 'response',
  requiredOnly = false,
): unknown {
  const key = `${use} ${requiredOnly}`;
  const examples = madeOf(identityOf(root, schema));
  if (!examples.has(key))
    examples.set(key, make({ root, use, nodesLeft: 300, requiredOnly }, schema, []));
  return examples.get(key);
}

/** Operations refer to the same objects, each with a reference of its own. */
function identityOf(root: JsonObject, schema: unknown): object {
  const { layers } = schemaLayers(root, schema);
  const [own = {}, referred = own] = layers;
  return Object.keys(own).length === 1 && Object.hasOwn(own, '$ref') ? referred : own;
}

function make(maker: ExampleMaker, schema: unknown, open: readonly object[]): unknown {
  if (maker.nodesLeft-- <= 0 || open.length > MAX_DEPTH) return undefined;
  const layered = schemaLayers(maker.root, schema);
  const { target } = layered;
  if (target === undefined || open.includes(target)) return undefined;
  const example = givenExample(layered);
  if (example !== undefined) return boundedCopy(example);
  const inside = [...open, target];
  const [choice] = alternativesOf(layered);
  if (choice !== undefined) return makeChoice(maker, layered, choice, inside);
  return makeTyped(maker, layered, inside);
}

function givenExample(schema: LayeredSchema): unknown {
  const several = schema.keywords.get('examples');
  const first = Array.isArray(several) ? several[0] : undefined;
  const values = schema.keywords.get('enum');
  return (
    schema.keywords.get('example') ??
    first ??
    schema.keywords.get('const') ??
    schema.keywords.get('default') ??
    (Array.isArray(values) ? values[0] : undefined)
  );
}

/** One alternative together with the properties beside the choice. */
function makeChoice(
  maker: ExampleMaker,
  schema: LayeredSchema,
  choice: unknown,
  open: readonly object[],
): unknown {
  const chosen = make(maker, choice, open);
  const beside = mergedProperties(schema).size > 0 ? makeObject(maker, schema, open) : undefined;
  return isObject(chosen) && beside !== undefined
    ? Object.assign(Object.create(null), beside, chosen)
    : (chosen ?? beside);
}

function makeTyped(maker: ExampleMaker, schema: LayeredSchema, open: readonly object[]): unknown {
  const [type] = typeNames(schema);
  if (type === 'object') return makeObject(maker, schema, open);
  if (type === 'array') return makeList(maker, schema, open);
  if (type === 'integer' || type === 'number') return makeNumber(schema);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return type === 'string' ? makeText(schema) : undefined;
}

function makeObject(
  maker: ExampleMaker,
  schema: LayeredSchema,
  open: readonly object[],
): JsonObject {
  // No prototype, so that a property named `__proto__` is an ordinary one.
  const example: Record<string, unknown> = Object.create(null);
  const required = requiredNames(schema);
  let propertiesLeft = MAX_PROPERTIES;
  for (const [name, property] of mergedProperties(schema)) {
    if (--propertiesLeft < 0) break;
    const { keywords } = schemaLayers(maker.root, property);
    if (keywords.get(maker.use === 'request' ? 'readOnly' : 'writeOnly') === true) continue;
    if ((maker.requiredOnly || keywords.get('deprecated') === true) && !required.has(name))
      continue;
    const value = make(maker, property, open);
    if (value !== undefined) example[name] = value;
  }
  const rest = schema.keywords.get('additionalProperties');
  if (!maker.requiredOnly && isObject(rest) && Object.keys(rest).length > 0) {
    const value = make(maker, rest, open);
    if (value !== undefined) example.key = value;
  }
  return example;
}

function makeList(maker: ExampleMaker, schema: LayeredSchema, open: readonly object[]): unknown[] {
  const tuple = schema.keywords.get('prefixItems');
  const parts = Array.isArray(tuple) ? tuple.slice(0, 10) : [schema.keywords.get('items')];
  return parts.map((part) => make(maker, part, open)).filter((value) => value !== undefined);
}

function makeNumber(schema: LayeredSchema): number {
  const low = schema.keywords.get('minimum') ?? schema.keywords.get('exclusiveMinimum');
  const high = schema.keywords.get('maximum') ?? schema.keywords.get('exclusiveMaximum');
  if (typeof low === 'number' && low > 1) return Number.isInteger(low) ? low + 1 : low;
  if (typeof high === 'number' && high < 1) return high;
  return 1;
}

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['date-time', '2026-01-15T09:30:00Z'],
  ['date', '2026-01-15'],
  ['time', '09:30:00Z'],
  ['duration', 'PT1H'],
  ['uuid', '3f2b8c1e-7d4a-4c1b-9e0f-5a6b7c8d9e01'],
  ['uuid4', '3f2b8c1e-7d4a-4c1b-9e0f-5a6b7c8d9e01'],
  ['email', 'name@example.com'],
  ['uri', 'https://example.com'],
  ['url', 'https://example.com'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['byte', 'aGVsbG8='],
  ['password', '<password>'],
]);

function makeText(schema: LayeredSchema): string {
  return TEXTS.get(keywordText(schema, 'format') ?? '') ?? '<string>';
}
