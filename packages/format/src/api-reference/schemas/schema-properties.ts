import { isObject, type JsonObject, textAt } from '../../json-value.ts';
import { oncePerObject } from '../../once.ts';
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

// Most pages of a document show schemas that others show too.
const propertiesIn = oncePerObject((root: JsonObject) =>
  oncePerObject((schema: LayeredSchema): readonly SchemaProperty[] => {
    const required = requiredNames(schema);
    const requires = dependentNames(schema);
    const read = ([name, property]: [string, unknown], isOwn: boolean): SchemaProperty => {
      const { keywords } = schemaLayers(root, property);
      return {
        name,
        schema: property,
        required: isOwn && required.has(name),
        requires: (isOwn && requires.get(name)) || '',
        isOwn,
        readOnly: keywords.get('readOnly') === true,
        writeOnly: keywords.get('writeOnly') === true,
      };
    };
    return [
      ...[...mergedProperties(schema)].map((entry) => read(entry, true)),
      ...[...conditionalProperties(root, schema)].map((entry) => read(entry, false)),
      ...patternProperties(schema),
    ];
  }),
);

/**
 * Returns the properties of a schema: its own, those that it has under conditions, and those
 * without a fixed name.
 */
export function schemaProperties(
  root: JsonObject,
  schema: LayeredSchema,
): readonly SchemaProperty[] {
  return propertiesIn(root)(schema);
}

/** Properties without fixed names: `additionalProperties` and `patternProperties`. */
function patternProperties(schema: LayeredSchema): SchemaProperty[] {
  const common = { required: false, requires: '', isOwn: false, readOnly: false, writeOnly: false };
  const patterns = schema.keywords.get('patternProperties');
  const properties = Object.entries(isObject(patterns) ? patterns : {})
    .slice(0, MAX_PATTERNS)
    .map(([pattern, schema]) => ({
      ...common,
      name: pattern.slice(0, MAX_PATTERN_LENGTH),
      schema,
    }));
  const rest = schema.keywords.get('additionalProperties');
  if (isObject(rest) && Object.keys(rest).length > 0)
    properties.push({
      ...common,
      name: textAt(rest, 'x-additionalPropertiesName') ?? '{key}',
      schema: rest,
    });
  return properties;
}
