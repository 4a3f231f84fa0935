import { isObject, showValue, textsAt } from '../../json-value.ts';
import { keywordNumber, keywordText, type LayeredSchema } from './schema-layers.ts';
import { onlyValue } from './schema-type.ts';
import type { SchemaFact } from './schema-view.ts';

const MAX_EXAMPLES = 3;

/** Returns defaults, limits and short examples of a schema, the most useful first. */
export function schemaFacts(schema: LayeredSchema): SchemaFact[] {
  const facts: SchemaFact[] = [];
  const preset = schema.keywords.get('default');
  const isOpen = onlyValue(schema) === undefined;
  if (preset !== undefined && isOpen) facts.push({ label: 'Default', value: showValue(preset) });
  add(facts, 'Range', range(schema, 'minimum', 'maximum'));
  add(facts, 'Multiple of', keywordNumber(schema, 'multipleOf')?.toString());
  add(facts, 'Length', range(schema, 'minLength', 'maxLength'));
  add(facts, 'Items', range(schema, 'minItems', 'maxItems'));
  add(facts, 'Properties', range(schema, 'minProperties', 'maxProperties'));
  if (schema.keywords.get('uniqueItems') === true) facts.push({ label: 'Items', value: 'unique' });
  add(facts, 'Pattern', keywordText(schema, 'pattern')?.slice(0, 300));
  add(facts, 'Encoding', keywordText(schema, 'contentEncoding'));
  const examples = shortExamples(schema);
  if (examples.length > 0)
    facts.push({ label: examples.length > 1 ? 'Examples' : 'Example', value: examples.join(', ') });
  return facts;
}

function add(facts: SchemaFact[], label: string, value: string | undefined): void {
  if (value !== undefined) facts.push({ label, value });
}

/**
 * A range as `<= 5000`. It is ASCII on purpose: with one character above U+00FF, V8 stores the
 * whole page with two bytes for each character, and a page of many fields takes a quarter more
 * time.
 */
function range(schema: LayeredSchema, low: string, high: string): string | undefined {
  const lower = bound(schema, low, 'exclusiveMinimum', '>', '>=');
  const upper = bound(schema, high, 'exclusiveMaximum', '<', '<=');
  if (lower && upper && lower.isWeak && upper.isWeak)
    return lower.value === upper.value ? `${lower.value}` : `${lower.value} to ${upper.value}`;
  if (lower && upper) return `${lower.text} and ${upper.text}`;
  return lower?.text ?? upper?.text;
}

/** One end of a range. `exclusiveMinimum` is a number in OpenAPI 3.1 and a flag in 3.0. */
function bound(
  schema: LayeredSchema,
  keyword: string,
  exclusiveKeyword: string,
  strict: string,
  weak: string,
) {
  const isNumberLimit = keyword === 'minimum' || keyword === 'maximum';
  const exclusive = isNumberLimit ? schema.keywords.get(exclusiveKeyword) : undefined;
  if (typeof exclusive === 'number')
    return { value: exclusive, isWeak: false, text: `${strict} ${exclusive}` };
  const value = keywordNumber(schema, keyword);
  if (value === undefined) return undefined;
  const isWeak = exclusive !== true;
  return { value, isWeak, text: `${isWeak ? weak : strict} ${value}` };
}

/** Examples of values that fit on a line. Request and response examples cover objects. */
function shortExamples(schema: LayeredSchema): string[] {
  const single = schema.keywords.get('example');
  const several = schema.keywords.get('examples');
  const all = single !== undefined ? [single] : Array.isArray(several) ? several : [];
  // An example that repeats the default or the only allowed value adds nothing.
  const impliedValue = onlyValue(schema)?.[0] ?? schema.keywords.get('default');
  return all
    .filter((value) => value !== impliedValue)
    .filter(
      (value) =>
        value !== null &&
        (typeof value !== 'object' || (Array.isArray(value) && !value.some(isObject))),
    )
    .slice(0, MAX_EXAMPLES)
    .map((value) => showValue(value, 120));
}

/** Custom labels of the author (`x-mint.pre`, `x-mint.post`). */
export function ownLabels(schema: LayeredSchema, place: 'pre' | 'post'): string[] {
  return textsAt(schema.keywords.get('x-mint'), place).slice(0, 10);
}

/**
 * Returns the labels after a field's name for the keywords that the site configured: a text or a
 * number as it is, `true` as the keyword, a list as one pill for each value.
 */
export function pillLabels(
  keywords: readonly string[],
  read: (keyword: string) => unknown,
): string[] {
  return keywords.flatMap((keyword) => {
    const value = read(keyword);
    if (value === true) return [keyword];
    const values = Array.isArray(value) ? value : [value];
    return values
      .filter((item) => (typeof item === 'string' && item !== '') || typeof item === 'number')
      .slice(0, 10)
      .map((item) => showValue(item, 120));
  });
}
