import { z } from 'zod';
import { allSettings } from './all-settings.ts';
import { about } from './annotations.ts';
import { navigationSchema } from './navigation-schema.ts';
import { openApiSources } from './schema-parts.ts';

/** The subset of JSON Schema (draft 2020-12) that the schema of docs.json uses. */
export interface JsonSchema {
  $schema?: string;
  $id?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  title?: string;
  description?: string;
  default?: unknown;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  'x-also'?: JsonSchema;
  'x-no-effect'?: string | Record<string, string>;
}

let known: JsonSchema | undefined;

/** Returns the schema of docs.json, generated from the checks that read it. `x-no-effect` explains a setting that has no effect. */
export function docsSchema(): JsonSchema {
  known ??= withShortForms(z.toJSONSchema(docsObject(), { io: 'input', unrepresentable: 'any' }) as JsonSchema);
  return known;
}

/**
 * Returns the schema for editors, JSON Schema draft 2020-12.
 * @param id address at which it is published
 */
export function editorSchema(id?: string): JsonSchema {
  const { $schema, ...rest } = forEditors(docsSchema());
  return { ...($schema === undefined ? {} : { $schema }), ...(id === undefined ? {} : { $id: id }), title: 'docs.json', ...rest };
}

function docsObject(): z.ZodType {
  const settings = Object.entries(allSettings).map(([name, { schema, ...setting }]) => [
    name,
    'required' in setting ? schema : (schema as z.ZodType).optional(),
  ]);
  return z.object({
    $schema: about(z.string(), 'The URL of this schema, for editors.').optional(),
    ...Object.fromEntries(settings),
    openapi: about(openApiSources, 'A deprecated location of "api.openapi".').optional(),
    asyncapi: about(openApiSources, 'A deprecated location of "api.asyncapi".').optional(),
    navigation: navigationSchema,
  });
}

/** Adds the short forms of a setting beside the long one. */
function withShortForms(schema: JsonSchema): JsonSchema {
  const { 'x-also': also, ...rest } = mapParts(schema, withShortForms);
  if (also === undefined) return rest;
  const { description, default: preset, 'x-no-effect': effect, ...long } = rest;
  return {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
    ...(effect === undefined ? {} : { 'x-no-effect': effect }),
    anyOf: [...(also.anyOf ?? [also]), long],
  };
}

const REFERENCE: JsonSchema = {
  description: 'A JSON file to include here.',
  type: 'object',
  properties: { $ref: { type: 'string', description: 'The path of the file, relative to this one.' } },
  required: ['$ref'],
};

/**
 * Adds to the descriptions what settings without effect mean, that unknown names are mistakes, and that any object or list can be
 * in a file of its own.
 */
function forEditors(schema: JsonSchema): JsonSchema {
  const { 'x-no-effect': effect, ...rest } = mapParts(schema, forEditors);
  if (typeof effect === 'string') {
    rest.description = [rest.description, `Has no effect here: ${effect}.`].filter(Boolean).join(' ');
  }
  if (rest.properties !== undefined) {
    rest.properties = { ...rest.properties, ...REFERENCE.properties };
    rest.additionalProperties = false;
    if (rest.required !== undefined) rest.anyOf = [{ required: ['$ref'] }, { required: rest.required }];
    delete rest.required;
  }
  if (rest.type !== 'array') return rest;
  const { description, default: preset, ...list } = rest;
  return {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
    anyOf: [REFERENCE, list],
  };
}

function mapParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const mapped = { ...schema };
  const record = (parts: Record<string, JsonSchema>) =>
    Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, change(part)]));
  if (schema.properties) mapped.properties = record(schema.properties);
  if (schema.$defs) mapped.$defs = record(schema.$defs);
  if (schema.anyOf) mapped.anyOf = schema.anyOf.map(change);
  if (schema.items) mapped.items = change(schema.items);
  if (typeof schema.additionalProperties === 'object') mapped.additionalProperties = change(schema.additionalProperties);
  return mapped;
}
