import { isObject, type JsonObject, textAt } from '../json-value.ts';
import {
  conditionalProperties,
  dependentNames,
  type LayeredSchema,
  mergedProperties,
  requiredNames,
  schemaLayers,
} from './schema-layers.ts';

/** A property of a schema, with what the schema says about it. */
export interface SchemaProperty {
  name: string;
  schema: unknown;
  required: boolean;
  /** Names of the properties that must be present with it, separated by commas. */
  requires: string;
  /** Whether the schema has it under `properties`: under this name, whatever values others have. */
  isOwn: boolean;
  readOnly: boolean;
  writeOnly: boolean;
}

const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 200;
const NO_PROPERTIES: readonly SchemaProperty[] = [];

// Most pages of a document show schemas that others show too.
const known = new WeakMap<LayeredSchema, readonly SchemaProperty[]>();

/** Returns the properties of a schema: its own, those that it has under conditions, and those without a fixed name. */
export function schemaProperties(root: JsonObject, schema: LayeredSchema): readonly SchemaProperty[] {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const required = requiredNames(schema);
  const requires = dependentNames(schema);
  const properties: SchemaProperty[] = [];
  const add = (name: string, property: unknown, isOwn: boolean) => {
    const { keywords } = schemaLayers(root, property);
    properties.push({
      name,
      schema: property,
      required: isOwn && required.has(name),
      requires: (isOwn && requires.get(name)) || '',
      isOwn,
      readOnly: keywords.get('readOnly') === true,
      writeOnly: keywords.get('writeOnly') === true,
    });
  };
  for (const [name, property] of mergedProperties(schema)) add(name, property, true);
  for (const [name, property] of conditionalProperties(root, schema)) add(name, property, false);
  properties.push(...patternProperties(schema));
  const result = properties.length > 0 ? properties : NO_PROPERTIES;
  known.set(schema, result);
  return result;
}

/** Properties without fixed names: `additionalProperties` and `patternProperties`. */
function patternProperties(schema: LayeredSchema): SchemaProperty[] {
  const common = { required: false, requires: '', isOwn: false, readOnly: false, writeOnly: false };
  const patterns = schema.keywords.get('patternProperties');
  const properties = Object.entries(isObject(patterns) ? patterns : {})
    .slice(0, MAX_PATTERNS)
    .map(([pattern, schema]) => ({ ...common, name: pattern.slice(0, MAX_PATTERN_LENGTH), schema }));
  const rest = schema.keywords.get('additionalProperties');
  if (isObject(rest) && Object.keys(rest).length > 0)
    properties.push({ ...common, name: textAt(rest, 'x-additionalPropertiesName') ?? '{key}', schema: rest });
  return properties;
}
