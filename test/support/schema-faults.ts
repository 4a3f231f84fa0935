import type { JsonSchema } from '../../packages/format/src/docs-json/settings/annotations.ts';

/**
 * Returns the paths of a value that a JSON Schema (draft 2020-12) rejects, for the keywords that
 * the schema of docs.json uses. An unknown keyword is an error in the test.
 */
export function schemaFaults(
  value: unknown,
  schema: JsonSchema,
  root = schema,
  path = '',
): string[] {
  const faults: string[] = [];
  for (const keyword of Object.keys(schema)) {
    const check = Object.hasOwn(CHECKS, keyword) ? CHECKS[keyword] : undefined;
    if (!check)
      throw new Error(`The schema uses "${keyword}", which this validator does not know.`);
    faults.push(...check({ value, schema, root, path }));
  }
  return faults;
}

interface Check {
  value: unknown;
  schema: JsonSchema;
  root: JsonSchema;
  path: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
const nothing = () => [];
const when = (isFault: boolean, { path }: Check, keyword: string) =>
  isFault ? [`${path}: ${keyword}`] : [];

const CHECKS: Record<string, (check: Check) => string[]> = {
  $schema: nothing,
  $id: nothing,
  id: nothing,
  $defs: nothing,
  title: nothing,
  description: nothing,
  default: nothing,
  propertyNames: (check) => {
    const names = check.schema.propertyNames;
    return isObject(check.value) && names
      ? Object.keys(check.value).flatMap((name) =>
          schemaFaults(name, names, check.root, `${check.path}/${name}`),
        )
      : [];
  },
  $ref: (check) => {
    const target = check.root.$defs?.[check.schema.$ref?.replace('#/$defs/', '') ?? ''];
    if (!target) throw new Error(`There is no ${check.schema.$ref}.`);
    return schemaFaults(check.value, target, check.root, check.path);
  },
  type: (check) =>
    when(
      ![check.schema.type].flat().includes(typeOf(check.value)),
      check,
      `type ${check.schema.type}`,
    ),
  enum: (check) => when(!check.schema.enum?.includes(check.value), check, 'enum'),
  const: (check) => when(check.schema.const !== check.value, check, 'const'),
  pattern: (check) =>
    when(
      typeof check.value === 'string' &&
        !new RegExp(check.schema.pattern ?? '', 'u').test(check.value),
      check,
      'pattern',
    ),
  minLength: (check) =>
    when(
      typeof check.value === 'string' && check.value.length < (check.schema.minLength ?? 0),
      check,
      'minLength',
    ),
  minimum: (check) =>
    when(
      typeof check.value === 'number' && check.value < (check.schema.minimum ?? 0),
      check,
      'minimum',
    ),
  maximum: (check) =>
    when(
      typeof check.value === 'number' && check.value > (check.schema.maximum ?? 0),
      check,
      'maximum',
    ),
  anyOf: (check) => {
    const branches = (check.schema.anyOf ?? []).map((part) =>
      schemaFaults(check.value, part, check.root, check.path),
    );
    const best = branches.reduce((a, b) => (b.length < a.length ? b : a), branches[0] ?? []);
    return best;
  },
  properties: (check) => {
    const { value, schema, root, path } = check;
    if (!isObject(value)) return [];
    return Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
      Object.hasOwn(value, key) ? schemaFaults(value[key], part, root, `${path}/${key}`) : [],
    );
  },
  required: (check) => {
    const { value } = check;
    return isObject(value)
      ? (check.schema.required ?? [])
          .filter((key) => !Object.hasOwn(value, key))
          .map((key) => `${check.path}/${key}: required`)
      : [];
  },
  additionalProperties: (check) => {
    const { value, schema, root, path } = check;
    if (!isObject(value)) return [];
    const extra = Object.keys(value).filter((key) => !Object.hasOwn(schema.properties ?? {}, key));
    const { additionalProperties: part } = schema;
    if (part === false) return extra.map((key) => `${path}/${key}: unknown`);
    return typeof part === 'object'
      ? extra.flatMap((key) => schemaFaults(value[key], part, root, `${path}/${key}`))
      : [];
  },
  items: (check) => {
    const { value, schema, root, path } = check;
    return Array.isArray(value) && schema.items
      ? value.flatMap((item, index) =>
          schemaFaults(item, schema.items as JsonSchema, root, `${path}/${index}`),
        )
      : [];
  },
};
