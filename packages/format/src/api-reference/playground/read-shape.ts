import { isObject, type JsonObject } from '../../json-value.ts';
import type { FieldInput, InputShape } from '../request-inputs.ts';
import {
  alternativesOf,
  discriminatorOf,
  keywordText,
  type LayeredSchema,
  mergedProperties,
  requiredNames,
  schemaLayers,
} from '../schemas/schema-layers.ts';
import { isNullable, onlyValue, scalarLabel, typeNames } from '../schemas/schema-type.ts';

/** The budget of one operation's form, shared by all its schemas. */
export interface ShapeReader {
  root: JsonObject;
  fieldsLeft: number;
}

const MAX_DEPTH = 5;
const MAX_VALUES = 100;
const MAX_VARIANTS = 12;
const MAX_EXAMPLE_CHARACTERS = 120;

/** The limit after which further fields are entered as JSON. */
export function createShapeReader(root: JsonObject): ShapeReader {
  return { root, fieldsLeft: 250 };
}

/**
 * Reads a schema for a form. Never throws; what is too deep, too large or recursive becomes a JSON
 * field.
 * @param open the enclosing schemas
 */
export function readShape(
  reader: ShapeReader,
  schema: unknown,
  open: readonly object[] = [],
): InputShape {
  const layered = schemaLayers(reader.root, schema);
  const { target } = layered;
  if (target === undefined) return { kind: 'json' };
  const inside = [...open, target];
  const shape =
    open.includes(target) || open.length > MAX_DEPTH
      ? rawShape(layered)
      : readProper(reader, layered, inside);
  const example = shortExample(layered);
  const preset = layered.keywords.get('default');
  if (shape.kind === 'object' || shape.kind === 'file') return shape;
  if (example !== undefined) shape.example = example;
  if (isShortOrList(preset)) shape.default = preset;
  return shape;
}

/** Without nested fields; scalars have none. */
function rawShape(schema: LayeredSchema): InputShape {
  const [type] = typeNames(schema);
  return type === undefined || type === 'object' || type === 'array'
    ? { kind: 'json' }
    : scalarShape(schema, type);
}

function readProper(
  reader: ShapeReader,
  schema: LayeredSchema,
  open: readonly object[],
): InputShape {
  const only = onlyValue(schema);
  if (only) return { ...scalarShape(schema, typeNames(schema)[0] ?? 'string'), constant: only[0] };
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return variantsShape(reader, schema, alternatives, open);
  const types = typeNames(schema);
  const [type] = types;
  if (type === undefined || types.length > 1)
    return { kind: schema.keywords.has('enum') ? 'choice' : 'json', ...choiceOf(schema) };
  if (type === 'object') return objectShape(reader, schema, open);
  if (type === 'array') return listShape(reader, schema, open);
  return scalarShape(schema, type);
}

function scalarShape(schema: LayeredSchema, type: string): InputShape {
  const label = scalarLabel(type, schema);
  if (label === 'file') return { kind: 'file', type: label };
  if (schema.keywords.has('enum')) return { kind: 'choice', type, ...choiceOf(schema) };
  if (type === 'integer' || type === 'number' || type === 'boolean')
    return { kind: type, type: label };
  if (type === 'null') return { kind: 'json', type };
  const long =
    Number(schema.keywords.get('maxLength')) > 300 ||
    /markdown|html|multiline/.test(keywordText(schema, 'format') ?? '');
  return long ? { kind: 'text', type: label, isLong: true } : { kind: 'text', type: label };
}

function choiceOf(schema: LayeredSchema): { values?: InputShape['values'] } {
  const values = schema.keywords.get('enum');
  if (!Array.isArray(values)) return {};
  const scalars = values
    .slice(0, MAX_VALUES)
    .filter((value) => value === null || typeof value !== 'object');
  return { values: isNullable(schema) && !scalars.includes(null) ? [...scalars, null] : scalars };
}

function objectShape(
  reader: ShapeReader,
  schema: LayeredSchema,
  open: readonly object[],
): InputShape {
  const fields = readFields(reader, schema, open);
  const rest = schema.keywords.get('additionalProperties');
  if (isObject(rest) && Object.keys(rest).length > 0) {
    return { kind: 'object', fields, rest: readShape(reader, rest, open) };
  }
  // An object without a definition accepts anything.
  if (fields.length === 0) return { kind: 'json', type: 'object' };
  return { kind: 'object', fields };
}

function readFields(
  reader: ShapeReader,
  schema: LayeredSchema,
  open: readonly object[],
): FieldInput[] {
  const required = requiredNames(schema);
  const fields: FieldInput[] = [];
  for (const [name, property] of mergedProperties(schema)) {
    if (schemaLayers(reader.root, property).keywords.get('readOnly') === true) continue;
    if (--reader.fieldsLeft < 0) break;
    const shape = readShape(reader, property, open);
    fields.push(required.has(name) ? { name, required: true, shape } : { name, shape });
  }
  return fields;
}

function listShape(
  reader: ShapeReader,
  schema: LayeredSchema,
  open: readonly object[],
): InputShape {
  const items = schema.keywords.get('items');
  if (!isObject(items) || schema.keywords.has('prefixItems'))
    return { kind: 'json', type: 'array' };
  return { kind: 'list', item: readShape(reader, items, open) };
}

function variantsShape(
  reader: ShapeReader,
  schema: LayeredSchema,
  alternatives: readonly unknown[],
  open: readonly object[],
): InputShape {
  const common = mergedProperties(schema).size > 0 ? readFields(reader, schema, open) : [];
  const variants = alternatives.slice(0, MAX_VARIANTS).map((alternative, index) => {
    const shape = withFields(readShape(reader, alternative, open), common);
    const alternativeSchema = schemaLayers(reader.root, alternative);
    return {
      label:
        keywordText(alternativeSchema, 'title') ??
        discriminatorOf(alternativeSchema, schema)?.value ??
        alternativeSchema.name ??
        shape.type ??
        `${index + 1}`,
      shape,
    };
  });
  const [only] = variants;
  return only && variants.length === 1 ? only.shape : { kind: 'variants', variants };
}

/** The fields beside a choice belong to each of its alternatives. */
function withFields(shape: InputShape, common: readonly FieldInput[]): InputShape {
  if (common.length === 0 || shape.kind !== 'object') return shape;
  const fieldNames = new Set(shape.fields?.map((field) => field.name));
  return {
    ...shape,
    fields: [...common.filter((field) => !fieldNames.has(field.name)), ...(shape.fields ?? [])],
  };
}

function shortExample(schema: LayeredSchema): unknown {
  const several = schema.keywords.get('examples');
  const value = schema.keywords.get('example') ?? (Array.isArray(several) ? several[0] : undefined);
  return isShortOrList(value) ? value : undefined;
}

function isShortOrList(value: unknown): boolean {
  return isShort(value) || (Array.isArray(value) && value.length <= 5 && value.every(isShort));
}

function isShort(value: unknown): boolean {
  return (
    (typeof value === 'string' && value !== '' && value.length <= MAX_EXAMPLE_CHARACTERS) ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  );
}
