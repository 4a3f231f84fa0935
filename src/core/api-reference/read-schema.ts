import { derivedSchemas } from './derived-schemas.ts';
import { isObject, type JsonObject, showValue, textAt } from './json-value.ts';
import { plainView, type SchemaField, type SchemaView } from './markup/schema-view.ts';
import { readChoices } from './schema-choices.ts';
import { ownLabels, pillLabels, schemaFacts } from './schema-facts.ts';
import {
  conditionalProperties,
  joinLayers,
  keywordText,
  type LayeredSchema,
  mergedProperties,
  requiredNames,
  schemaLayers,
} from './schema-layers.ts';
import { constantLabel, isNullable, listLabel, onlyValue, scalarLabel, typeNames, unionLabel } from './schema-type.ts';

/** What is read of the schemas of one page. Shared by all of them, so that no page grows without bounds. */
export interface SchemaReader {
  root: JsonObject;
  /** Read-only properties are no part of a request, write-only ones none of a response. */
  use: 'request' | 'response' | 'both';
  /** Fields that the request, or the responses, show so far. */
  fieldsShown: number;
  /** Rendered fields that are left. */
  fieldsLeft: number;
  /** Enum values that are left. */
  valuesLeft: number;
  /** Schemas whose fields the page shows already, each with the fewest properties around it. */
  opened: Map<object, number>;
  /** Properties whose schemas are to be read when all of their level are listed. */
  waiting: { field: SchemaField; property: unknown; open: OpenSchemas }[];
  /** Schema objects that may still be looked at. */
  visitsLeft: number;
  /** Characters of descriptions that are left. */
  charactersLeft: number;
  /** Schemas that have pages of their own: name → site path. Deep inside a large page they are named with a link. */
  objectPages: ReadonlyMap<string, string>;
  /** Properties inside properties that are shown however many fields there are. */
  upperLevels: number;
  /** Below them, schemas that have pages of their own are shown until there are so many fields. */
  roomForDeep: number;
  /** Keywords whose values stand behind a field's name (`api.params.post`). */
  pills: readonly string[];
}

const MAX_FIELDS = 3_000;
const MIN_RESPONSE_FIELDS = 1_200;
/** What a page of an operation shows of its schemas by itself; see `SchemaReader`. */
export const UPPER_LEVELS = 3;
/** What errors carry is the same on every page; a large object in it has a page of its own. */
export const ERROR_LEVELS = 2;
export const ROOM_FOR_DEEP_FIELDS = 200;
/** From this level on, a schema that the page shows already is named and not shown again. */
const REPEAT_DEPTH = 2;

/** The reader goes on with the responses of the operation, which have fields whatever the request took. */
export function turnToResponses(reader: SchemaReader, use: SchemaReader['use']): void {
  reader.use = use;
  reader.fieldsLeft = Math.max(reader.fieldsLeft, MIN_RESPONSE_FIELDS);
  reader.opened = new Map();
  reader.fieldsShown = 0;
}

/** The page of a schema that is too much for this one: upper levels are always shown, deep ones while there is room. */
function pageElsewhere(reader: SchemaReader, name: string | undefined, level: number): string | undefined {
  if (name === undefined || level < reader.upperLevels) return undefined;
  return reader.fieldsShown < reader.roomForDeep ? undefined : reader.objectPages.get(name);
}

/** What a page may show before it says that the rest was left out. */
export function createSchemaReader(
  root: JsonObject,
  use: SchemaReader['use'] = 'both',
  options: Partial<Pick<SchemaReader, 'pills' | 'objectPages' | 'upperLevels' | 'roomForDeep'>> = {},
): SchemaReader {
  return {
    root,
    use,
    fieldsShown: 0,
    fieldsLeft: MAX_FIELDS,
    valuesLeft: 10_000,
    opened: new Map(),
    waiting: [],
    visitsLeft: 12_000,
    charactersLeft: 600_000,
    pills: [],
    objectPages: new Map(),
    upperLevels: UPPER_LEVELS,
    roomForDeep: ROOM_FOR_DEEP_FIELDS,
    ...options,
  };
}

const MAX_DEPTH = 10;
const MAX_VALUES = 2_000;
const TOO_MUCH = 'Further fields are not shown: the schema is too large for one page.';

/** The schemas that are being read around one: a cycle ends where one of them comes again. */
export interface OpenSchemas {
  targets: readonly object[];
  depth: number;
  /** Properties around it. */
  level: number;
}

const NOTHING_OPEN: OpenSchemas = { targets: [], depth: 0, level: 0 };

/**
 * Reads a schema for display. Never throws and never runs long: cycles are cut with a note, and the reader's limits are shared
 * by everything on the page. Goes level by level, so that what is left out is always the deepest.
 */
export function readSchema(reader: SchemaReader, schema: unknown): SchemaView {
  const view = readLevel(reader, schema, NOTHING_OPEN);
  for (const { field, property, open } of reader.waiting) field.schema = readLevel(reader, property, open);
  reader.waiting = [];
  return view;
}

/** A schema but for what is inside its properties. */
function readLevel(reader: SchemaReader, schema: unknown, open: OpenSchemas): SchemaView {
  if (reader.visitsLeft-- <= 0) return plainView('any', TOO_MUCH);
  if (!isObject(schema)) return plainView('any');
  const layered = schemaLayers(reader.root, schema);
  const { target = schema, name, broken } = layered;
  if (open.targets.includes(target)) {
    return plainView(name ?? 'object', name === undefined ? 'Recursive.' : `Recursive: ${name} again, as above.`);
  }
  const inner: OpenSchemas = { ...open, targets: [...open.targets, target], depth: open.depth + 1 };
  const isRepeated = open.depth >= REPEAT_DEPTH && name !== undefined && (reader.opened.get(target) ?? Infinity) <= open.level;
  const path = isRepeated ? undefined : pageElsewhere(reader, name, open.level);
  const isShut = isRepeated || open.depth >= MAX_DEPTH || path !== undefined;
  if (!isShut && !reader.opened.has(target)) reader.opened.set(target, open.level);
  const note = isRepeated ? `The fields of ${name} are shown above.` : 'Deeper levels are not shown.';
  const view = isShut ? readOutside(reader, layered, note, path) : readInside(reader, layered, inner);
  if (broken !== undefined) view.notes.push(`The reference ${showValue(broken, 120)} leads nowhere.`);
  return view;
}

/** A schema without what is inside it; with the page that shows that, where there is one. */
function readOutside(reader: SchemaReader, schema: LayeredSchema, note: string, path: string | undefined): SchemaView {
  const view = describe(reader, schema);
  view.type = labelOf(schema, []);
  const fieldCount = mergedProperties(schema).size;
  if (path !== undefined && fieldCount > 0) view.elsewhere = { name: schema.name ?? '', path, fieldCount };
  else if (view.type.startsWith('object') || view.type.endsWith('[]')) view.notes.push(note);
  return view;
}

function readInside(reader: SchemaReader, schema: LayeredSchema, open: OpenSchemas): SchemaView {
  const hasChoices = schema.keywords.has('oneOf') || schema.keywords.has('anyOf');
  const derived = hasChoices ? [] : derivedSchemas(reader.root, schema);
  if (!hasChoices && derived.length === 0) return readProper(reader, schema, open, []);
  const all = derived.length > 0 ? joinLayers(schema, [{ anyOf: derived }]) : schema;
  const choices = readChoices(reader.root, all, open, (part, around) => readLevel(reader, part, around));
  const own = joinLayers(schema, choices.merged);
  const inside: OpenSchemas = { ...open, targets: [...open.targets, ...choices.mergedTargets] };
  const choiceLabels = choices.groups.flatMap((group) => group.map((choice) => choice.schema.type));
  const view = readProper(reader, own, inside, [...choices.simpleLabels, ...choiceLabels]);
  view.notes.unshift(...choices.notes);
  view.choices.push(...choices.groups);
  if (choices.nullable) view.type = unionLabel([view.type, 'null']);
  return view;
}

/** A schema but for its alternatives, whose types are given. */
function readProper(reader: SchemaReader, schema: LayeredSchema, open: OpenSchemas, choiceLabels: readonly string[]): SchemaView {
  const view = describe(reader, schema);
  const item = typeNames(schema).includes('array') ? readItems(reader, schema, open) : undefined;
  // What a text holds, once it is decoded (`contentSchema`), stands inside it as items stand inside a list.
  const decoded = item ? undefined : schema.keywords.get('contentSchema');
  const inner = item ?? (isObject(decoded) ? readLevel(reader, decoded, open) : undefined);
  if (inner) takeOverItem(view, inner);
  view.type = labelOf(schema, choiceLabels, item?.type);
  if (isNullable(schema)) view.type = unionLabel([view.type, 'null']);
  view.fields.push(...readFields(reader, schema, open, view));
  return view;
}

function describe(reader: SchemaReader, schema: LayeredSchema): SchemaView {
  const view = plainView('any');
  const description = keywordText(schema, 'description');
  if (description !== undefined) view.description = takeText(reader, description);
  view.deprecated = schema.keywords.get('deprecated') === true;
  view.readOnly = schema.keywords.get('readOnly') === true;
  view.writeOnly = schema.keywords.get('writeOnly') === true;
  view.facts = schemaFacts(schema);
  view.labelsBefore = ownLabels(schema, 'pre');
  view.labelsAfter = [...ownLabels(schema, 'post'), ...pillLabels(reader.pills, (keyword) => schema.keywords.get(keyword))];
  const values = schema.keywords.get('enum');
  if (Array.isArray(values) && values.length > 1) {
    const shown = values.filter((value) => value !== null);
    const count = Math.max(0, Math.min(shown.length, MAX_VALUES, reader.valuesLeft));
    reader.valuesLeft -= count;
    view.values = shown.slice(0, count).map((value) => showValue(value, 120));
    view.moreValueCount = shown.length - count;
  }
  return view;
}

/** Takes a description out of the page's allowance; cut where that is used up. */
export function takeText(reader: SchemaReader, text: string): string {
  const allowed = Math.max(0, reader.charactersLeft);
  reader.charactersLeft -= text.length;
  return text.length > allowed ? `${text.slice(0, allowed)}…` : text;
}

/** A list shows what its items have, so that the reader need not open one level more. */
function takeOverItem(view: SchemaView, item: SchemaView): void {
  view.fields = item.fields;
  view.choices = item.choices;
  view.notes.push(...item.notes);
  if (item.elsewhere) view.elsewhere = item.elsewhere;
  if (view.values.length === 0) {
    view.values = item.values;
    view.moreValueCount = item.moreValueCount;
  }
  if (view.description === undefined && item.description !== undefined) view.description = item.description;
  view.facts.push(...item.facts.map(({ label, value }) => ({ label: `Item ${label.toLowerCase()}`, value })));
}

function readItems(reader: SchemaReader, schema: LayeredSchema, open: OpenSchemas): SchemaView {
  const tuple = schema.keywords.get('prefixItems');
  if (!Array.isArray(tuple)) return readLevel(reader, schema.keywords.get('items'), open);
  const places = tuple.slice(0, 100).map((part) => readLevel(reader, part, open));
  const view = plainView(unionLabel(places.map((place) => place.type)));
  view.fields = places.map((schema, index) => ({ name: String(index), required: true, schema }));
  return view;
}

function labelOf(schema: LayeredSchema, choiceLabels: readonly string[], itemLabel?: string): string {
  const only = onlyValue(schema);
  if (only) return constantLabel(only[0]);
  const labels = typeNames(schema).map((name) => {
    if (name === 'array') return listLabel(itemLabel ?? 'any');
    return name === 'object' ? 'object' : scalarLabel(name, schema);
  });
  if (choiceLabels.length > 0 && (labels.length === 0 || labels.every((label) => label === 'object'))) {
    return unionLabel([...labels, ...choiceLabels]);
  }
  return labels.length > 0 ? unionLabel(labels) : 'any';
}

function readFields(reader: SchemaReader, schema: LayeredSchema, open: OpenSchemas, view: SchemaView): SchemaField[] {
  if (reader.fieldsLeft <= 0) {
    if (isObject(schema.keywords.get('properties')) && !view.notes.includes(TOO_MUCH)) view.notes.push(TOO_MUCH);
    return [];
  }
  const required = requiredNames(schema);
  const fields: SchemaField[] = [];
  for (const [name, property] of mergedProperties(schema)) {
    if (!isUsed(reader, property)) continue;
    if (reader.fieldsLeft <= 0) {
      if (!view.notes.includes(TOO_MUCH)) view.notes.push(TOO_MUCH);
      break;
    }
    fields.push(listField(reader, name, property, open, required.has(name)));
  }
  for (const [name, property] of conditionalProperties(reader.root, schema)) {
    if (reader.fieldsLeft > 0 && isUsed(reader, property)) fields.push(listField(reader, name, property, open));
  }
  fields.push(...readPatternFields(reader, schema, open));
  return fields;
}

/** A property that takes its place; what it holds is read in its turn. */
function listField(reader: SchemaReader, name: string, property: unknown, open: OpenSchemas, required = false): SchemaField {
  reader.fieldsLeft--;
  reader.fieldsShown++;
  const field: SchemaField = { name, required, schema: plainView('any') };
  reader.waiting.push({ field, property, open: { ...open, level: open.level + 1 } });
  return field;
}

function isUsed(reader: SchemaReader, property: unknown): boolean {
  if (reader.use === 'both') return true;
  const { keywords } = schemaLayers(reader.root, property);
  return keywords.get(reader.use === 'request' ? 'readOnly' : 'writeOnly') !== true;
}

/** Properties whose names the schema does not know: `additionalProperties` and `patternProperties`. */
function readPatternFields(reader: SchemaReader, schema: LayeredSchema, open: OpenSchemas): SchemaField[] {
  const fields: SchemaField[] = [];
  const add = (name: string, schema: unknown) => {
    if (reader.fieldsLeft > 0) fields.push(listField(reader, name, schema, open));
  };
  const patterns = schema.keywords.get('patternProperties');
  if (isObject(patterns))
    for (const [pattern, schema] of Object.entries(patterns).slice(0, 100)) add(pattern.slice(0, 200), schema);
  const rest = schema.keywords.get('additionalProperties');
  if (isObject(rest) && Object.keys(rest).length > 0) add(textAt(rest, 'x-additionalPropertiesName') ?? '{key}', rest);
  return fields;
}
