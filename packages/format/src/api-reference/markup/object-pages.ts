import {
  entriesOf,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from '../../json-value.ts';
import type { ApiDocument } from '../api-document.ts';
import { fileSlug, freePath } from '../api-pages.ts';
import { contentOf } from '../media-examples.ts';
import { responseObjects, responsesKey } from '../operation-contents.ts';
import { ROOM_FOR_DEEP_FIELDS, UPPER_LEVELS } from '../schemas/read-schema.ts';
import { follow, referenceName, resolvePointer } from '../schemas/references.ts';
import { mergedProperties, schemaLayers } from '../schemas/schema-layers.ts';

/** The page of a schema that is nested too deeply in large operations to be shown on theirs. */
export interface ObjectPage {
  /** Under `components.schemas`. */
  name: string;
  /** Page path. */
  path: string;
  title: string;
}

/** A named schema inside another one, with the number of properties around it there. */
interface Inside {
  name: string;
  target: JsonObject;
  levels: number;
}

const MAX_NODES = 2_000;

/**
 * Returns the schemas that get pages of their own, ordered by name: those below the upper levels of
 * an operation with too many fields for its page. Otherwise the pages of a large API would be
 * megabytes, most of it repeated from page to page.
 * @param directory folder of the pages generated from the document
 * @param taken paths of other pages; the new paths are added
 */
export function objectPages(
  document: ApiDocument,
  directory: string,
  taken = new Set<string>(),
): ObjectPage[] {
  const { root } = document;
  const componentSchemas = objectAt(objectAt(root, 'components'), 'schemas');
  const insides = new Map<object, readonly Inside[]>();
  const insideOf = (schema: JsonObject): readonly Inside[] => {
    const innerSchemas = insides.get(schema) ?? namedInside(root, schema);
    insides.set(schema, innerSchemas);
    return innerSchemas;
  };
  const deep = new Set<string>();
  const reached = new Set<string>();
  for (const { raw, pathItem } of document.operations) {
    const responses = responsesKey(raw);
    const isReached = responses !== undefined && reached.has(responses);
    if (responses !== undefined) reached.add(responses);
    // The request and the responses have separate budgets.
    const request = [
      ...listAt(raw, 'parameters'),
      ...listAt(pathItem, 'parameters'),
      valueAt(raw, 'requestBody'),
    ];
    const answers = isReached ? [] : responseObjects(root, raw).map(([, response]) => response);
    for (const schemas of [schemasOf(root, request), schemasOf(root, answers)]) {
      const schemasByName = reach(schemas, insideOf);
      let fields = 0;
      for (const { target } of schemasByName.values())
        fields += mergedProperties(schemaLayers(root, target)).size;
      if (fields < ROOM_FOR_DEEP_FIELDS) continue;
      for (const [name, { levels }] of schemasByName) if (levels >= UPPER_LEVELS) deep.add(name);
    }
  }
  return [...deep]
    .filter(
      (name) =>
        isObject(valueAt(componentSchemas, name)) &&
        mergedProperties(schemaLayers(root, valueAt(componentSchemas, name))).size > 0,
    )
    .sort()
    .map((name) => ({
      name,
      path: freePath(`${directory}/objects/${fileSlug(name)}`, taken),
      title: textAt(valueAt(componentSchemas, name), 'title') ?? name,
    }));
}

/**
 * Collects every named schema within the given ones, at any depth, with the largest relevant number
 * of properties around it.
 */
function reach(start: readonly JsonObject[], insideOf: (schema: JsonObject) => readonly Inside[]) {
  const schemasByName = new Map<string, { target: JsonObject; levels: number }>();
  const waiting = start.map((target) => ({ target, levels: 0 }));
  for (const { target, levels } of waiting) {
    for (const inner of insideOf(target)) {
      const deeper = Math.min(levels + inner.levels, UPPER_LEVELS);
      const entry = schemasByName.get(inner.name);
      if (entry && entry.levels >= deeper) continue;
      schemasByName.set(inner.name, { target: inner.target, levels: deeper });
      waiting.push({ target: inner.target, levels: deeper });
    }
  }
  return schemasByName;
}

/** Schemas of parameters, bodies and responses. */
function schemasOf(root: JsonObject, holders: readonly unknown[]): JsonObject[] {
  return holders.flatMap((reference) => {
    const holder = follow(root, reference)?.value;
    const media = contentOf(root, holder).flatMap(([, one]) => [
      valueAt(one, 'schema'),
      valueAt(one, 'itemSchema'),
    ]);
    return [valueAt(holder, 'schema'), ...media].filter(isObject);
  });
}

/** The references of a schema, each with the number of the schema's own properties around it. */
function namedInside(root: JsonObject, schema: JsonObject): Inside[] {
  const references: Inside[] = [];
  const waiting: { part: unknown; levels: number }[] = [{ part: schema, levels: 0 }];
  for (const { part, levels } of waiting) {
    if (!isObject(part) || waiting.length > MAX_NODES) continue;
    const pointer = textAt(part, '$ref');
    const target = pointer === undefined ? undefined : resolvePointer(root, pointer);
    if (pointer !== undefined && isObject(target))
      references.push({ name: referenceName(pointer), target, levels });
    for (const key of ['allOf', 'oneOf', 'anyOf', 'prefixItems'])
      for (const inner of listAt(part, key)) waiting.push({ part: inner, levels });
    for (const key of ['items', 'if', 'then', 'else'])
      waiting.push({ part: valueAt(part, key), levels });
    for (const [, inner] of entriesOf(valueAt(part, 'dependentSchemas')))
      waiting.push({ part: inner, levels });
    for (const key of ['properties', 'patternProperties'])
      for (const [, inner] of entriesOf(valueAt(part, key)))
        waiting.push({ part: inner, levels: levels + 1 });
    waiting.push({ part: valueAt(part, 'additionalProperties'), levels: levels + 1 });
  }
  return references;
}
