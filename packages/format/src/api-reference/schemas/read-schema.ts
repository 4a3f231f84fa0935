import { englishOf } from '../../content/page/words.ts';
import { CUT, isObject, type JsonObject, showValue } from '../../json-value.ts';
import { oncePerObject } from '../../once.ts';
import { derivedSchemas } from './derived-schemas.ts';
import { readChoices } from './schema-choices.ts';
import { ownLabels, pillLabels, schemaFacts } from './schema-facts.ts';
import {
  joinLayers,
  keywordText,
  type LayeredSchema,
  mergedProperties,
  schemaLayers,
} from './schema-layers.ts';
import { type SchemaProperty, schemaProperties } from './schema-properties.ts';
import {
  constantLabel,
  isNullable,
  listLabel,
  onlyValue,
  scalarLabel,
  typeNames,
  unionLabel,
} from './schema-type.ts';
import { plainView, type SchemaField, type SchemaView } from './schema-view.ts';

/** The budget that all schemas of a page share, so that no page grows without bounds. */
export interface SchemaReader {
  root: JsonObject;
  /** Read-only properties are not part of a request, write-only ones not of a response. */
  use: 'request' | 'response' | 'both';
  /** Number of fields shown so far for the request or the responses. */
  fieldsShown: number;
  /** Remaining rendered fields. */
  fieldsLeft: number;
  /** Remaining enum values. */
  valuesLeft: number;
  /** Schemas whose fields the page already shows, each with the fewest properties around it. */
  opened: Map<object, number>;
  /** Schemas on their own pages whose field names this page already lists. */
  listed: Set<object>;
  /** Properties whose schemas are read once all of their level are listed. */
  waiting: { field: SchemaField; property: unknown; open: OpenSchemas; requires: string }[];
  /** Remaining schema objects that may be visited. */
  visitsLeft: number;
  /** Remaining characters of descriptions. */
  charactersLeft: number;
  /**
   * Schemas that have their own pages: name → site path. Deep inside a large page, they are shown
   * as a link.
   */
  objectPages: ReadonlyMap<string, string>;
  /** Levels of nested properties that are always shown, however many fields there are. */
  upperLevels: number;
  /** Below these levels, schemas with their own pages are shown until this number of fields. */
  roomForDeep: number;
  /** Keywords whose values are shown after a field's name (`api.params.post`). */
  pills: readonly string[];
}

const MAX_FIELDS = 3_000;
const MIN_RESPONSE_FIELDS = 1_200;
/** How an operation's page limits its schemas; see `SchemaReader`. */
export const UPPER_LEVELS = 2;
export const ROOM_FOR_DEEP_FIELDS = 200;
/** From this level on, a schema that the page already shows is named and not repeated. */
const REPEAT_DEPTH = 2;

/** Switches to the responses of the operation, which have their own field budget. */
export function turnToResponses(reader: SchemaReader, use: SchemaReader['use']): void {
  reader.use = use;
  reader.fieldsLeft = Math.max(reader.fieldsLeft, MIN_RESPONSE_FIELDS);
  reader.opened = new Map();
  reader.listed = new Set();
  reader.fieldsShown = 0;
}

/**
 * The page of a schema that does not fit this one: upper levels are always shown, deep ones while
 * there is room.
 */
function pageElsewhere(
  reader: SchemaReader,
  name: string | undefined,
  level: number,
): string | undefined {
  if (name === undefined || level < reader.upperLevels) return undefined;
  return reader.fieldsShown < reader.roomForDeep ? undefined : reader.objectPages.get(name);
}

/** One object, so that readers without object pages can be seen to be alike. */
const NO_PAGES: ReadonlyMap<string, string> = new Map();

/** Limits of a page, after which it says that the rest was left out. */
export function createSchemaReader(
  root: JsonObject,
  use: SchemaReader['use'] = 'both',
  options: Partial<
    Pick<SchemaReader, 'pills' | 'objectPages' | 'upperLevels' | 'roomForDeep'>
  > = {},
): SchemaReader {
  return {
    root,
    use,
    fieldsShown: 0,
    fieldsLeft: MAX_FIELDS,
    valuesLeft: 10_000,
    opened: new Map(),
    listed: new Set(),
    waiting: [],
    visitsLeft: 12_000,
    charactersLeft: 600_000,
    pills: [],
    objectPages: NO_PAGES,
    upperLevels: UPPER_LEVELS,
    roomForDeep: ROOM_FOR_DEEP_FIELDS,
    ...options,
  };
}

const LIMITS = ['fieldsLeft', 'valuesLeft', 'visitsLeft', 'charactersLeft'] as const;

interface Reading {
  key: string;
  objectPages: SchemaReader['objectPages'];
  view: unknown;
  /** What it took from each limit of its page. */
  taken: number[];
}

const last = new WeakMap<JsonObject, Reading>();

/**
 * Reads what the operations of one object have in common, which follow one another, once for their
 * pages. The view is shared, so it must not be changed.
 * @param reader one that has no marks of fields shown before
 * @param key identifies what is read, in this document
 */
export function readShared<View>(reader: SchemaReader, key: string, read: () => View): View {
  const lastReading = last.get(reader.root);
  const isSame = lastReading?.key === key && lastReading.objectPages === reader.objectPages;
  if (
    isSame &&
    LIMITS.every((limit, index) => reader[limit] > (lastReading.taken[index] as number))
  ) {
    for (const [index, limit] of LIMITS.entries())
      reader[limit] -= lastReading.taken[index] as number;
    return lastReading.view as View;
  }
  const before = LIMITS.map((limit) => reader[limit]);
  const view = read();
  const taken = LIMITS.map((limit, index) => (before[index] as number) - reader[limit]);
  // What a limit has cut depends on the rest of the page.
  if (LIMITS.every((limit) => reader[limit] > 0))
    last.set(reader.root, { key, objectPages: reader.objectPages, view, taken });
  return view;
}

/** Maximum properties around a schema. */
const MAX_LEVELS = 10;
/** The same with the lists and alternatives between them. */
const MAX_DEPTH = 30;
const MAX_VALUES = 2_000;
const DEEPER_LEVELS = englishOf('deeperLevels');
const TOO_MUCH = 'Further fields are not shown: the schema is too large for one page.';

/** The enclosing schemas that are being read: a cycle ends where one of them repeats. */
export interface OpenSchemas {
  targets: readonly object[];
  depth: number;
  /** Number of properties around it. */
  level: number;
}

const NOTHING_OPEN: OpenSchemas = { targets: [], depth: 0, level: 0 };

/**
 * Reads a schema for display. Never throws and always ends quickly: cycles are cut with a note, and
 * everything on the page shares the reader's limits. Proceeds level by level, so that the deepest
 * parts are left out first.
 */
export function readSchema(reader: SchemaReader, schema: unknown): SchemaView {
  const view = readLevel(reader, schema, NOTHING_OPEN);
  for (const { field, property, open, requires } of reader.waiting) {
    field.schema =
      (requires === '' && takeScalar(reader, property, open)) || readLevel(reader, property, open);
    if (requires !== '') field.schema.facts.push({ label: 'Requires', value: requires });
  }
  reader.waiting = [];
  return view;
}

const scalars = new WeakMap<object, SchemaView | 'other'>();

/**
 * Returns the view of a schema that has nothing in it and no name, as most properties: one for all
 * pages that show it. Undefined for other schemas, and where the limits of the page may cut it.
 */
function takeScalar(
  reader: SchemaReader,
  schema: unknown,
  open: OpenSchemas,
): SchemaView | undefined {
  if (!isObject(schema) || reader.pills.length > 0 || isTooDeep(open)) return undefined;
  let view = scalars.get(schema);
  if (view === undefined) {
    const isScalar = isNamelessScalar(reader.root, schemaLayers(reader.root, schema));
    view = isScalar ? readLevel(createSchemaReader(reader.root), schema, NOTHING_OPEN) : 'other';
    scalars.set(schema, view);
  }
  if (view === 'other') return undefined;
  const { description = '', values } = view;
  if (
    reader.visitsLeft <= 0 ||
    description.length > reader.charactersLeft ||
    values.length > reader.valuesLeft
  )
    return undefined;
  reader.visitsLeft--;
  reader.charactersLeft -= description.length;
  reader.valuesLeft -= values.length;
  return view;
}

const CONTAINING = ['oneOf', 'anyOf', 'items', 'prefixItems', 'contentSchema'];

function isNamelessScalar(root: JsonObject, schema: LayeredSchema): boolean {
  if (
    schema.name !== undefined ||
    schema.broken !== undefined ||
    CONTAINING.some((keyword) => schema.keywords.has(keyword))
  )
    return false;
  return (
    !typeNames(schema).some((type) => type === 'object' || type === 'array') &&
    schemaProperties(root, schema).length === 0
  );
}

function isTooDeep({ level, depth }: OpenSchemas): boolean {
  return level >= MAX_LEVELS || depth >= MAX_DEPTH;
}

/** A schema without the contents of its properties. */
function readLevel(reader: SchemaReader, schema: unknown, open: OpenSchemas): SchemaView {
  if (reader.visitsLeft-- <= 0) return plainView('any', TOO_MUCH);
  if (schema === false) return plainView('never', 'No value is allowed.');
  if (!isObject(schema)) return plainView('any');
  const layered = schemaLayers(reader.root, schema);
  const { target = schema, name, broken } = layered;
  if (open.targets.includes(target)) {
    return plainView(
      name ?? 'object',
      name === undefined ? 'Recursive.' : `Recursive: ${name} again, as above.`,
    );
  }
  const inner: OpenSchemas = { ...open, targets: [...open.targets, target], depth: open.depth + 1 };
  const isRepeated =
    open.depth >= REPEAT_DEPTH &&
    name !== undefined &&
    (reader.opened.get(target) ?? Infinity) <= open.level;
  const path = isRepeated ? undefined : pageElsewhere(reader, name, open.level);
  const isShut = isRepeated || isTooDeep(open) || path !== undefined;
  if (!isShut && !reader.opened.has(target)) reader.opened.set(target, open.level);
  const note = isRepeated ? `The fields of ${name} are shown above.` : DEEPER_LEVELS;
  const view = isShut
    ? readOutside(reader, layered, note, path)
    : readInside(reader, layered, inner);
  if (broken !== undefined)
    view.notes.push(`The reference ${showValue(broken, 120)} cannot be resolved.`);
  return view;
}

/**
 * A schema without its contents, with its field names and the page that describes them if there is
 * one.
 */
function readOutside(
  reader: SchemaReader,
  schema: LayeredSchema,
  note: string,
  path: string | undefined,
): SchemaView {
  const view = describe(reader, schema);
  view.type = labelOf(schema, []);
  const fieldCount = mergedProperties(schema).size;
  if (path !== undefined && fieldCount > 0) {
    const identity = schema.target ?? schema;
    const names = reader.listed.has(identity)
      ? ''
      : takeText(reader, [...namesIn(reader.root, reader.use, schema, 0)].join(', '));
    reader.listed.add(identity);
    view.elsewhere = { name: schema.name ?? '', path, fieldCount, names };
  } else if (view.type.startsWith('object') || view.type.endsWith('[]')) view.notes.push(note);
  return view;
}

const MAX_LISTED_ALTERNATIVES = 50;

/** Names of the fields of a schema, with their allowed values: `status (active | closed)`. */
function namesIn(
  root: JsonObject,
  use: SchemaReader['use'],
  schema: LayeredSchema,
  depth: number,
): Set<string> {
  const names = new Set<string>();
  for (const property of schemaProperties(root, schema)) {
    if (!property.isOwn || !isUsed(property, use)) continue;
    const values = allowedValues(root, property.schema);
    names.add(values.length > 0 ? `${property.name} (${values.join(' | ')})` : property.name);
  }
  const alternatives = ['oneOf', 'anyOf'].flatMap((keyword) => schema.keywords.get(keyword) ?? []);
  for (const part of depth < 2 ? alternatives.slice(0, MAX_LISTED_ALTERNATIVES) : [])
    for (const name of namesIn(root, use, schemaLayers(root, part), depth + 1)) names.add(name);
  return names;
}

/** Returns the values of an enumeration, or of the items of a list. */
function allowedValues(root: JsonObject, property: unknown): string[] {
  const { keywords } = schemaLayers(root, property);
  const values =
    keywords.get('enum') ?? schemaLayers(root, keywords.get('items')).keywords.get('enum');
  if (!Array.isArray(values) || values.length < 2) return [];
  return values
    .filter((value) => value !== null)
    .slice(0, MAX_VALUES)
    .map((value) => showValue(value, 120));
}

function readInside(reader: SchemaReader, schema: LayeredSchema, open: OpenSchemas): SchemaView {
  const hasChoices = schema.keywords.has('oneOf') || schema.keywords.has('anyOf');
  const derived = hasChoices ? [] : derivedSchemas(reader.root, schema);
  if (!hasChoices && derived.length === 0) return readProper(reader, schema, open, []);
  const all = derived.length > 0 ? joinLayers(schema, [{ anyOf: derived }]) : schema;
  const choices = readChoices(reader.root, all, open, (part, around) =>
    readLevel(reader, part, around),
  );
  const mergedSchema = joinLayers(schema, choices.merged);
  const inside: OpenSchemas = { ...open, targets: [...open.targets, ...choices.mergedTargets] };
  const choiceLabels = choices.groups.flatMap((group) => group.map((choice) => choice.schema.type));
  const view = readProper(reader, mergedSchema, inside, [...choices.simpleLabels, ...choiceLabels]);
  view.notes.unshift(...choices.notes);
  view.choices.push(...choices.groups);
  if (choices.nullable) view.type = unionLabel([view.type, 'null']);
  return view;
}

/** A schema without its alternatives, whose types are given. */
function readProper(
  reader: SchemaReader,
  schema: LayeredSchema,
  open: OpenSchemas,
  choiceLabels: readonly string[],
): SchemaView {
  const view = describe(reader, schema);
  const item = typeNames(schema).includes('array') ? readItems(reader, schema, open) : undefined;
  // The decoded contents of a text (`contentSchema`) are nested in it as items are nested in a
  // list.
  const decoded = item ? undefined : schema.keywords.get('contentSchema');
  const inner = item ?? (isObject(decoded) ? readLevel(reader, decoded, open) : undefined);
  if (inner) takeOverItem(view, inner);
  view.type = labelOf(schema, choiceLabels, item?.type);
  if (isNullable(schema)) view.type = unionLabel([view.type, 'null']);
  view.fields.push(...readFields(reader, schema, open, view));
  return view;
}

function describe(reader: SchemaReader, schema: LayeredSchema): SchemaView {
  const sharedView = descriptionOf(schema);
  const view: SchemaView = {
    ...sharedView,
    facts: [...sharedView.facts],
    fields: [],
    choices: [],
    notes: [],
  };
  if (view.description !== undefined) view.description = takeText(reader, view.description);
  view.labelsAfter = [
    ...sharedView.labelsAfter,
    ...pillLabels(reader.pills, (keyword) => schema.keywords.get(keyword)),
  ];
  const count = Math.max(0, Math.min(sharedView.values.length, reader.valuesLeft));
  reader.valuesLeft -= count;
  if (count < sharedView.values.length) view.values = sharedView.values.slice(0, count);
  view.moreValueCount += sharedView.values.length - count;
  return view;
}

/**
 * What a schema says about its value on every page that shows it. The view is shared, so it must
 * not be changed.
 */
const descriptionOf = oncePerObject((schema: LayeredSchema): SchemaView => {
  const view = plainView('any');
  const description = keywordText(schema, 'description');
  if (description !== undefined) view.description = description;
  view.deprecated = schema.keywords.get('deprecated') === true;
  view.readOnly = schema.keywords.get('readOnly') === true;
  view.writeOnly = schema.keywords.get('writeOnly') === true;
  view.facts = schemaFacts(schema);
  view.labelsBefore = ownLabels(schema, 'pre');
  view.labelsAfter = ownLabels(schema, 'post');
  const values = schema.keywords.get('enum');
  if (Array.isArray(values) && values.length > 1) {
    const all = values.filter((value) => value !== null);
    view.values = all.slice(0, MAX_VALUES).map((value) => showValue(value, 120));
    view.moreValueCount = all.length - view.values.length;
  }
  return view;
});

/** Takes a description from the page's budget; cuts it once the budget is exhausted. */
export function takeText(reader: SchemaReader, text: string): string {
  const allowed = Math.max(0, reader.charactersLeft);
  reader.charactersLeft -= text.length;
  return text.length > allowed ? text.slice(0, allowed) + CUT : text;
}

/** A list shows the fields of its items, so that the reader has one level less to open. */
function takeOverItem(view: SchemaView, item: SchemaView): void {
  view.fields = item.fields;
  view.choices = item.choices;
  view.notes.push(...item.notes);
  if (item.elsewhere) view.elsewhere = item.elsewhere;
  if (view.values.length === 0) {
    view.values = item.values;
    view.moreValueCount = item.moreValueCount;
  }
  if (view.description === undefined && item.description !== undefined)
    view.description = item.description;
  // Of a list of lists, the innermost items are meant.
  const facts = item.facts.map(({ label, value }) => ({
    label: `Item ${label.replace(/^Item /, '').toLowerCase()}`,
    value,
  }));
  view.facts.push(...facts);
}

function readItems(reader: SchemaReader, schema: LayeredSchema, open: OpenSchemas): SchemaView {
  const tuple = schema.keywords.get('prefixItems');
  if (!Array.isArray(tuple)) return readLevel(reader, schema.keywords.get('items'), open);
  const places = tuple.slice(0, 100).map((part) => readLevel(reader, part, open));
  const view = plainView(unionLabel(places.map((place) => place.type)));
  view.fields = places.map((schema, index) => ({ name: String(index), required: true, schema }));
  return view;
}

function labelOf(
  schema: LayeredSchema,
  choiceLabels: readonly string[],
  itemLabel?: string,
): string {
  const only = onlyValue(schema);
  if (only) return constantLabel(only[0]);
  const labels = typeNames(schema).map((name) => {
    if (name === 'array') return listLabel(itemLabel ?? 'any');
    return name === 'object' ? 'object' : scalarLabel(name, schema);
  });
  if (
    choiceLabels.length > 0 &&
    (labels.length === 0 || labels.every((label) => label === 'object'))
  ) {
    return unionLabel([...labels, ...choiceLabels]);
  }
  return labels.length > 0 ? unionLabel(labels) : 'any';
}

const UNREAD = plainView('any');

function readFields(
  reader: SchemaReader,
  schema: LayeredSchema,
  open: OpenSchemas,
  view: SchemaView,
): SchemaField[] {
  const fields: SchemaField[] = [];
  const inside = { ...open, level: open.level + 1 };
  for (const property of schemaProperties(reader.root, schema)) {
    if (!isUsed(property, reader.use)) continue;
    if (reader.fieldsLeft <= 0) {
      if (property.isOwn && !view.notes.includes(TOO_MUCH)) view.notes.push(TOO_MUCH);
      break;
    }
    reader.fieldsLeft--;
    reader.fieldsShown++;
    const { name, required, requires } = property;
    const field: SchemaField = { name, required, schema: UNREAD };
    // Its contents are read later, level by level.
    reader.waiting.push({ field, property: property.schema, open: inside, requires });
    fields.push(field);
  }
  return fields;
}

function isUsed({ readOnly, writeOnly }: SchemaProperty, use: SchemaReader['use']): boolean {
  return use === 'both' || !(use === 'request' ? readOnly : writeOnly);
}
