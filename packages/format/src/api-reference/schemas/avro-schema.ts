import { isObject, type JsonObject, listAt, textAt, valueAt } from '../../json-value.ts';

const TYPES: Readonly<Record<string, JsonObject>> = {
  null: { type: 'null' },
  boolean: { type: 'boolean' },
  int: { type: 'integer', format: 'int32' },
  long: { type: 'integer', format: 'int64' },
  float: { type: 'number', format: 'float' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'binary' },
  string: { type: 'string' },
};

/** Formats of texts and numbers by Avro's logical types. */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'uuid',
  date: 'date',
  'time-millis': 'time',
  'time-micros': 'time',
  'timestamp-millis': 'date-time',
  'timestamp-micros': 'date-time',
  decimal: 'decimal',
  duration: 'duration',
};

const MAX_DEPTH = 20;
const MAX_TYPES = 2000;

/**
 * Returns an Avro schema (https://avro.apache.org/docs/1.12.0/specification/) as JSON Schema, as
 * far as pages show it.
 */
export function avroAsJsonSchema(avro: unknown): JsonObject {
  const named = new Map<string, unknown>();
  let left = MAX_TYPES;

  function convert(type: unknown, depth: number): JsonObject {
    if (--left < 0 || depth > MAX_DEPTH) return {};
    if (typeof type === 'string') {
      if (Object.hasOwn(TYPES, type)) return { ...TYPES[type] };
      const definition = named.get(type);
      // A type that contains itself ends at the maximum depth.
      return definition === undefined ? { title: type } : convert(definition, depth + 1);
    }
    if (Array.isArray(type)) return union(type, depth);
    if (!isObject(type)) return {};
    const name = textAt(type, 'name');
    const kind = valueAt(type, 'type');
    if (name !== undefined && ['record', 'error', 'enum', 'fixed'].includes(String(kind)))
      named.set(name, type);
    return { ...withDoc(type), ...shape(type, kind, depth) };
  }

  function shape(type: JsonObject, kind: unknown, depth: number): JsonObject {
    if (kind === 'array')
      return { type: 'array', items: convert(valueAt(type, 'items'), depth + 1) };
    if (kind === 'map')
      return { type: 'object', additionalProperties: convert(valueAt(type, 'values'), depth + 1) };
    if (kind === 'enum') return { type: 'string', enum: listAt(type, 'symbols') };
    if (kind === 'fixed') return { type: 'string', format: 'binary' };
    if (kind !== 'record' && kind !== 'error') {
      const format = FORMATS[textAt(type, 'logicalType') ?? ''];
      return { ...convert(kind, depth + 1), ...(format && { format }) };
    }
    const fields = listAt(type, 'fields').filter(isObject);
    const properties = fields.map((field): [string, JsonObject] => {
      const standard = valueAt(field, 'default');
      const schema = { ...convert(valueAt(field, 'type'), depth + 1), ...withDoc(field) };
      return [
        textAt(field, 'name') ?? '',
        standard === undefined ? schema : { ...schema, default: standard },
      ];
    });
    const required = fields
      .filter((field) => valueAt(field, 'default') === undefined)
      .map((field) => textAt(field, 'name'));
    return {
      type: 'object',
      title: textAt(type, 'name') ?? '',
      properties: Object.fromEntries(properties),
      required,
    };
  }

  /** `["null", "string"]` is a text that may be null. */
  function union(types: readonly unknown[], depth: number): JsonObject {
    const others = types.filter((type) => type !== 'null').map((type) => convert(type, depth + 1));
    const [only] = others;
    const isOptional = others.length < types.length;
    if (only && others.length === 1) {
      return isOptional && typeof only.type === 'string'
        ? { ...only, type: [only.type, 'null'] }
        : only;
    }
    return { oneOf: isOptional ? [...others, { type: 'null' }] : others };
  }

  return convert(avro, 0);
}

function withDoc(type: JsonObject): JsonObject {
  const description = textAt(type, 'doc');
  return description === undefined ? {} : { description };
}
