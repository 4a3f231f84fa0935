import { z } from 'zod';
import { bundleSettings } from '../src/config/bundle-settings.ts';
import { environment } from '../src/config.ts';
import { chartStructure, type JsonSchema, object } from './chart-structure.ts';

/** Settings that the chart sets itself, each from its own value. */
const OWNED =
  /^DOCENT_(?:PORT|HOST|DATA|PUBLIC_URL|SITES_DOMAIN|DRAIN_SECONDS|DATABASE|DATABASE_URL|BLOBS|BLOBS_FOLDER|S3_\w+|SECRET|LIMITER|REDIS_URL|BASE_PATH|BUNDLE_(?:URL|VERSION|SHA256|PUBLIC_KEY|SIGNATURE|CACHE|CONFIG|SIGNING_KEY))$/;
/** Settings whose values are secret: the chart reads them only from secrets. */
const SECRET = /(?:KEY|SECRET|PASSWORD|TOKEN)$/;

const shape = { ...environment.shape, ...bundleSettings };
const options = { unrepresentable: 'any', target: 'draft-7' } as const;
const written = propertiesOf(z.toJSONSchema(z.object(shape), { ...options, io: 'input' }));
const read = propertiesOf(z.toJSONSchema(z.object(shape), { ...options, io: 'output' }));

function propertiesOf(schema: unknown): Record<string, JsonSchema> {
  return (schema as { properties: Record<string, JsonSchema> }).properties;
}

/** Returns a setting as written in YAML: numbers and booleans as such, everything else as text. */
function valueSchema(name: string): JsonSchema {
  const { type, minimum, maximum } = read[name] ?? {};
  const { pattern, enum: choices } = written[name] ?? {};
  if (type === 'number' || type === 'integer')
    return { type: 'integer', ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  if (Array.isArray(choices) && choices.includes('true') && choices.includes('false')) return { type: 'boolean' };
  return { type: 'string', ...(choices !== undefined && { enum: choices }), ...(pattern !== undefined && { pattern }) };
}

/**
 * Returns the schema of the chart's values (JSON Schema draft-07, which every Helm reads): its structure, and in `config` and
 * `secretConfig` the settings of Docent by name and value.
 */
export function chartValuesSchema(): JsonSchema {
  const free = Object.keys(shape).filter((name) => !OWNED.test(name));
  const config = Object.fromEntries(free.filter((name) => !SECRET.test(name)).map((name) => [name, valueSchema(name)]));
  const reference = object({ name: { type: 'string', minLength: 1 }, key: { type: 'string', minLength: 1 } });
  const secretConfig = Object.fromEntries(free.map((name) => [name, { ...reference, required: ['name', 'key'] }]));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart of Docent',
    ...object({ ...chartStructure, config: object(config), secretConfig: object(secretConfig) }),
  };
}
