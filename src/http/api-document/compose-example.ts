import { isObject, SCHEMAS, type Schema } from './document-model.ts';

/**
 * Composes an example of a schema from the examples, constants and defaults that it and its parts declare. Omits optional parts
 * that declare none.
 * @returns undefined if a required part declares nothing to build an example from
 */
export function composeExample(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('example' in schema) return schema.example;
  if (schema.$ref !== undefined) return composeExample(schemas[schema.$ref.slice(SCHEMAS.length)] ?? {}, schemas);
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (choices) return firstDefined((choices as Schema[]).map((choice) => composeExample(choice, schemas)));
  if (Array.isArray(schema.allOf)) return composeAll(schema.allOf as Schema[], schemas);
  if (schema.type === 'null' || (Array.isArray(schema.type) && schema.type.includes('null'))) return null;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') {
    const item = isObject(schema.items) ? composeExample(schema.items, schemas) : undefined;
    return item === undefined ? [] : [item];
  }
  if (schema.type === 'object' && isObject(schema.properties)) return composeObject(schema, schema.properties, schemas);
  return undefined;
}

function composeObject(schema: Schema, properties: Record<string, unknown>, schemas: Record<string, Schema>): unknown {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const example: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = composeExample(property as Schema, schemas);
    if (value !== undefined) example[name] = value;
    else if (required.has(name)) return undefined;
  }
  return example;
}

function composeAll(parts: Schema[], schemas: Record<string, Schema>): unknown {
  const examples = parts.map((part) => composeExample(part, schemas));
  return examples.every(isObject) ? Object.assign({}, ...examples) : firstDefined(examples);
}

/** Of several alternatives, the first that is not `null` is the most useful. */
function firstDefined(examples: unknown[]): unknown {
  return examples.find((example) => example !== undefined && example !== null) ?? examples.find((example) => example === null);
}
