import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  textsAt,
  valueAt,
} from '../../json-value.ts';
import { oncePerObject } from '../../once.ts';
import { referenceName, resolvePointer } from './references.ts';

/**
 * A schema with its references resolved and its `allOf` expanded: objects that all apply, outermost
 * first. The first one that has a keyword decides it, so a description beside a `$ref` overrides
 * the one behind it.
 */
export interface LayeredSchema {
  layers: readonly JsonObject[];
  /**
   * Every keyword with the value of the first layer that defines it; `items` of several layers
   * apply together.
   */
  keywords: ReadonlyMap<string, unknown>;
  /** The object that the references at the top resolve to; identifies cycles. */
  target?: JsonObject;
  /** Name of the referenced component. */
  name?: string;
  /** A dangling reference, or one to another document. */
  broken?: string;
}

const MAX_LAYERS = 40;
const MAX_PROPERTIES = 3_001;

// The pages of one document show the same components many times.
const layersIn = oncePerObject((root: JsonObject) =>
  oncePerObject((schema: JsonObject): LayeredSchema => {
    const layeredSchema: Omit<LayeredSchema, 'keywords'> & { layers: JsonObject[] } = {
      layers: [],
    };
    add(schema, true);
    return { ...layeredSchema, keywords: keywordsOf(layeredSchema.layers) };

    function add(part: unknown, isTop: boolean): void {
      if (
        !isObject(part) ||
        layeredSchema.layers.length >= MAX_LAYERS ||
        layeredSchema.layers.includes(part)
      )
        return;
      layeredSchema.layers.push(part);
      if (isTop) layeredSchema.target = part;
      const pointer = textAt(part, '$ref') ?? textAt(part, '$dynamicRef');
      if (pointer !== undefined) {
        if (isTop && layeredSchema.name === undefined) layeredSchema.name = referenceName(pointer);
        const target = resolvePointer(root, pointer);
        if (target === undefined) layeredSchema.broken ??= pointer;
        add(target, isTop);
      }
      for (const inner of listAt(part, 'allOf')) add(inner, false);
      // `items` means nothing for an object. Who writes both describes the object's contents there.
      if (part.type === 'object' && !isObject(part.properties)) add(part.items, false);
    }
  }),
);

/**
 * Expands `schema`. Cycles inside `allOf` and chains of references terminate: no object becomes a
 * layer twice.
 */
export function schemaLayers(root: JsonObject, schema: unknown): LayeredSchema {
  return isObject(schema) ? layersIn(root)(schema) : { layers: [], keywords: new Map() };
}

const joined = new WeakMap<LayeredSchema, LayeredSchema>();

/** Returns a schema together with further layers of lower precedence. */
export function joinLayers(schema: LayeredSchema, more: readonly JsonObject[]): LayeredSchema {
  if (more.length === 0) return schema;
  const layers = [...schema.layers, ...more];
  const before = joined.get(schema);
  if (
    before?.layers.length === layers.length &&
    layers.every((layer, index) => layer === before.layers[index])
  )
    return before;
  const result = { ...schema, layers, keywords: keywordsOf(layers) };
  joined.set(schema, result);
  return result;
}

function keywordsOf(layers: readonly JsonObject[]): Map<string, unknown> {
  const keywords = new Map<string, unknown>();
  for (const layer of layers) {
    for (const keyword of Object.keys(layer)) {
      const value = layer[keyword];
      if (value === undefined || value === '') continue;
      // A page of results lists "objects" in its base, and says what they are where it is used.
      if (keyword === 'items' && keywords.has(keyword))
        keywords.set(keyword, bothOf(keywords.get(keyword), value));
      else if (!keywords.has(keyword)) keywords.set(keyword, value);
    }
  }
  return keywords;
}

/** Returns a keyword as text; numbers and blank texts do not count. */
export function keywordText(schema: LayeredSchema, keyword: string): string | undefined {
  const value = schema.keywords.get(keyword);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function keywordNumber(schema: LayeredSchema, keyword: string): number | undefined {
  const value = schema.keywords.get(keyword);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns the names that any layer lists under `required`. */
export const requiredNames = oncePerObject((schema: LayeredSchema): ReadonlySet<string> => {
  const names = schema.layers.flatMap((layer) => listAt(layer, 'required'));
  return new Set(names.filter((name) => typeof name === 'string'));
});

const MAX_DEPENDENT_NAMES = 20;

/**
 * Returns for each property the names of those that must be present with it (`dependentRequired`,
 * `dependencies`).
 */
export function dependentNames(schema: LayeredSchema): Map<string, string> {
  const namesByProperty = new Map<string, string>();
  for (const layer of schema.layers) {
    for (const keyword of ['dependentRequired', 'dependencies']) {
      for (const name of Object.keys(objectAt(layer, keyword) ?? {})) {
        const names = textsAt(objectAt(layer, keyword), name)
          .slice(0, MAX_DEPENDENT_NAMES)
          .join(', ');
        if (names !== '') namesByProperty.set(name, names);
      }
    }
  }
  return namesByProperty;
}

/** Returns the properties of all layers; a property of several layers combines their schemas. */
export const mergedProperties = oncePerObject(
  (schema: LayeredSchema): ReadonlyMap<string, unknown> => {
    const properties = new Map<string, unknown>();
    for (const layer of schema.layers) addProperties(properties, valueAt(layer, 'properties'));
    return properties;
  },
);

function addProperties(properties: Map<string, unknown>, layerProperties: unknown): void {
  if (!isObject(layerProperties)) return;
  for (const name in layerProperties) {
    if (!Object.hasOwn(layerProperties, name)) continue;
    const before = properties.get(name);
    if (before === undefined && properties.size >= MAX_PROPERTIES) return;
    properties.set(
      name,
      before === undefined ? layerProperties[name] : bothOf(before, layerProperties[name]),
    );
  }
}

const pairOf = oncePerObject((first: JsonObject) =>
  oncePerObject((second: JsonObject) => ({ allOf: [first, second] })),
);

/**
 * Returns a schema to which both apply: the same object for the same two, so that a schema that
 * contains itself is recognized.
 */
function bothOf(first: unknown, second: unknown): unknown {
  if (first === second) return first;
  if (first === false || second === false) return false;
  return isObject(first) && isObject(second) ? pairOf(first)(second) : { allOf: [first, second] };
}

const MAX_CONDITIONS = 200;

/**
 * Returns properties that a schema has only if others have certain values (`if`, `then`, `else`,
 * `dependentSchemas` of JSON Schema), unless it has its own of that name.
 */
export function conditionalProperties(
  root: JsonObject,
  schema: LayeredSchema,
): ReadonlyMap<string, unknown> {
  const ownProperties = mergedProperties(schema);
  const properties = new Map<string, unknown>();
  const conditions = schema.layers.flatMap(conditionsOf);
  const seen = new Set(conditions);
  let left = MAX_CONDITIONS;
  for (const condition of conditions) {
    if (left-- === 0) break;
    const layered = schemaLayers(root, condition);
    for (const [name, property] of mergedProperties(layered)) {
      if (!ownProperties.has(name) && !properties.has(name) && properties.size < MAX_PROPERTIES)
        properties.set(name, property);
    }
    for (const inner of layered.layers.flatMap(conditionsOf)) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      conditions.push(inner);
    }
  }
  return properties;
}

function conditionsOf(layer: JsonObject): unknown[] {
  const dependent = valueAt(layer, 'dependentSchemas');
  const schemas = [valueAt(layer, 'if'), valueAt(layer, 'then'), valueAt(layer, 'else')];
  return [...schemas, ...(isObject(dependent) ? Object.values(dependent) : [])].filter(isObject);
}

/**
 * Returns the alternatives of a schema that an example or a form has. A branch that only lists
 * required properties is none, and neither is `null`, which an empty field stands for.
 */
export function alternativesOf(schema: LayeredSchema): unknown[] {
  return schema.layers
    .flatMap((layer) => [...listAt(layer, 'oneOf'), ...listAt(layer, 'anyOf')])
    .filter(
      (part) =>
        isObject(part) &&
        part.type !== 'null' &&
        Object.keys(part).some((key) => key !== 'required'),
    );
}

/** Returns the discriminator of a schema with the value that stands for one of its alternatives. */
export function discriminatorOf(
  alternative: LayeredSchema,
  schema: LayeredSchema,
): { property: string; value: string } | undefined {
  const property = textAt(schema.keywords.get('discriminator'), 'propertyName');
  const propertySchema =
    property === undefined ? undefined : valueAt(alternative.keywords.get('properties'), property);
  const value = valueAt(propertySchema, 'const') ?? listAt(propertySchema, 'enum')[0];
  return property !== undefined && typeof value === 'string' ? { property, value } : undefined;
}
