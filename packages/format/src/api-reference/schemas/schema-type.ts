import { CUT, isObject, showValue } from '../../json-value.ts';
import { keywordText, type LayeredSchema } from './schema-layers.ts';

const NAMES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/**
 * Returns the types that a schema allows, without `null`; inferred from its keywords if it names
 * none.
 */
export function typeNames(schema: LayeredSchema): string[] {
  const declared = schema.keywords.get('type');
  if (typeof declared === 'string' && NAMES.has(declared)) return [declared];
  const list = (Array.isArray(declared) ? declared : [declared]).filter((name): name is string =>
    NAMES.has(String(name)),
  );
  if (list.length > 0)
    return [...new Set(list)].filter((name) => name !== 'null' || list.length === 1);
  const inferred = inferType(schema);
  return inferred === undefined ? [] : [inferred];
}

function inferType(schema: LayeredSchema): string | undefined {
  const { keywords } = schema;
  if (isObject(keywords.get('properties')) || isObject(keywords.get('additionalProperties')))
    return 'object';
  if (keywords.has('items') || keywords.has('prefixItems')) return 'array';
  const constant = schema.keywords.get('const') ?? firstOf(schema.keywords.get('enum'));
  if (typeof constant === 'string' || typeof constant === 'boolean') return typeof constant;
  if (typeof constant === 'number') return Number.isInteger(constant) ? 'integer' : 'number';
  return undefined;
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

/** Returns whether `null` is allowed: `nullable` of 3.0, a type of 3.1, or an enum with it. */
export function isNullable(schema: LayeredSchema): boolean {
  if (schema.keywords.get('nullable') === true) return true;
  const declared = schema.keywords.get('type');
  if (Array.isArray(declared) && declared.length > 1 && declared.includes('null')) return true;
  const values = schema.keywords.get('enum');
  return Array.isArray(values) && values.length > 1 && values.includes(null);
}

/** `string<uuid>`, `enum<string>`, `file` …: a type that is neither an object nor a list. */
export function scalarLabel(name: string, schema: LayeredSchema): string {
  if (schema.keywords.get('enum') !== undefined) return `enum<${name}>`;
  const format = keywordText(schema, 'format');
  if (name === 'string' && isBinary(schema, format)) return 'file';
  return format === undefined ? name : `${name}<${format.slice(0, 40)}>`;
}

function isBinary(schema: LayeredSchema, format: string | undefined): boolean {
  if (format === 'binary') return true;
  const media = keywordText(schema, 'contentMediaType');
  return media !== undefined && !/json|xml|^text\//.test(media);
}

/** Returns a union of labels without duplicates: `string | integer`. */
export function unionLabel(labels: readonly string[]): string {
  if (labels.length === 1) return labels[0] as string;
  const distinct = [...new Set(labels.flatMap((label) => label.split(' | ')))];
  const shortLabel = distinct.slice(0, 6).join(' | ');
  return distinct.length > 6 ? `${shortLabel} | ${CUT}` : shortLabel;
}

/** Returns the type of a list: `string[]`; unions get parentheses. */
export function listLabel(itemLabel: string): string {
  return itemLabel.includes(' | ') ? `(${itemLabel})[]` : `${itemLabel}[]`;
}

/**
 * Returns the only value that a schema allows: its `const`, or an enum of one. In a list, so that
 * `null` counts as a value.
 */
export function onlyValue(schema: LayeredSchema): [unknown] | undefined {
  const values = schema.keywords.get('enum');
  if (schema.keywords.has('const')) return [schema.keywords.get('const')];
  return Array.isArray(values) && values.length === 1 ? [values[0]] : undefined;
}

/** Returns a constant as a type: `"active"`. */
export function constantLabel(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(showValue(value, 80)) : showValue(value, 80);
}
