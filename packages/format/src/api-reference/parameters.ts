import {
  entriesOf,
  flagAt,
  type JsonObject,
  listAt,
  objectAt,
  showValue,
  textAt,
  valueAt,
} from '../json-value.ts';
import type { ApiOperation } from './api-document.ts';
import { readAuthorizations } from './authorizations.ts';
import { type InputPlace, inputPlaces } from './request-inputs.ts';
import { readSchema, type SchemaReader, takeText } from './schemas/read-schema.ts';
import { follow } from './schemas/references.ts';
import { pillLabels } from './schemas/schema-facts.ts';
import { mergedProperties, requiredNames, schemaLayers } from './schemas/schema-layers.ts';
import type { SchemaField } from './schemas/schema-view.ts';

export interface ParameterGroup {
  place: InputPlace;
  fields: SchemaField[];
}

const MAX_PARAMETERS = 3_000;

/**
 * Returns the parameter objects of an operation: those of its path first, each overridden by the
 * operation's own of that name.
 *
 * OpenAPI ignores header parameters named Accept, Content-Type and Authorization. Authors declare
 * them all the same, often as the only place that names a version or a token, so they count;
 * Authorization does not where a security scheme sends that header.
 */
export function parameterObjects(root: JsonObject, operation: ApiOperation): JsonObject[] {
  const parametersByKey = new Map<string, JsonObject>();
  const { alternatives } = readAuthorizations(root, operation.raw, operation.webhook);
  const isSecured = alternatives
    .flat()
    .some((credential) => isHeader(credential.place, credential.name, 'authorization'));
  for (const holder of [operation.pathItem, operation.raw]) {
    for (const item of listAt(holder, 'parameters').slice(0, MAX_PARAMETERS)) {
      const parameter = follow(root, item)?.value;
      const name = textAt(parameter, 'name');
      const place = textAt(parameter, 'in');
      if (parameter === undefined || name === undefined || flagAt(parameter, 'x-hidden')) continue;
      if (isSecured && isHeader(place, name, 'authorization')) continue;
      for (const part of place === 'querystring' ? queryParts(root, parameter) : [parameter])
        parametersByKey.set(`${textAt(part, 'in')} ${textAt(part, 'name')}`, part);
    }
  }
  return [...parametersByKey.values()];
}

/**
 * Returns the parameters that a caller fills in: all but Content-Type, which the body of the
 * request decides.
 */
export function requestParameters(root: JsonObject, operation: ApiOperation): JsonObject[] {
  return parameterObjects(root, operation).filter(
    (parameter) =>
      !isHeader(textAt(parameter, 'in'), textAt(parameter, 'name') ?? '', 'content-type'),
  );
}

function isHeader(place: string | undefined, name: string, header: string): boolean {
  return place === 'header' && name.toLowerCase() === header;
}

/**
 * The whole query string as one parameter (OpenAPI 3.2): each property of its schema is a query
 * parameter.
 */
function queryParts(root: JsonObject, parameter: JsonObject): JsonObject[] {
  const layers = schemaLayers(root, parameterSchema(parameter));
  const required = requiredNames(layers);
  const parts = [...mergedProperties(layers)].slice(0, MAX_PARAMETERS);
  if (parts.length === 0) return [{ ...parameter, in: 'query' }];
  return parts.map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema,
  }));
}

/** Returns the parameters of an operation by location; only locations that have any. */
export function readParameters(reader: SchemaReader, operation: ApiOperation): ParameterGroup[] {
  const parameters = parameterObjects(reader.root, operation);
  const groups = inputPlaces.map((place) => ({
    place,
    fields: parameters
      .filter((parameter) => valueAt(parameter, 'in') === place)
      .map((parameter) => readParameter(reader, parameter)),
  }));
  return groups.filter((group) => group.fields.length > 0);
}

function readParameter(reader: SchemaReader, parameter: JsonObject): SchemaField {
  return readDescribed(reader, textAt(parameter, 'name') ?? '', parameter);
}

/**
 * Returns the view of a parameter or a response header: its schema with its own description,
 * deprecation and example.
 */
export function readDescribed(reader: SchemaReader, name: string, holder: JsonObject): SchemaField {
  reader.fieldsLeft--;
  const schema = readSchema(reader, parameterSchema(holder));
  const description = textAt(holder, 'description');
  if (description !== undefined) schema.description = takeText(reader, description);
  if (flagAt(holder, 'deprecated')) schema.deprecated = true;
  const labels = pillLabels(reader.pills, (keyword) =>
    Object.hasOwn(holder, keyword) ? holder[keyword] : undefined,
  );
  schema.labelsAfter.push(...labels.filter((label) => !schema.labelsAfter.includes(label)));
  const example = parameterExample(reader.root, holder);
  if (example !== undefined && !schema.facts.some((fact) => fact.label.startsWith('Example'))) {
    schema.facts.push({ label: 'Example', value: showValue(example, 120) });
  }
  return { name, required: flagAt(holder, 'required') || valueAt(holder, 'in') === 'path', schema };
}

/**
 * The schema of a parameter: its own, or that of its one content type. Also accepts a stray `type`
 * beside them.
 */
export function parameterSchema(holder: JsonObject): unknown {
  const content = entriesOf(valueAt(holder, 'content'))[0]?.[1];
  return (
    valueAt(holder, 'schema') ??
    valueAt(content, 'schema') ??
    (valueAt(holder, 'type') === undefined ? {} : holder)
  );
}

/** The parameter's own example. */
export function parameterExample(root: JsonObject, holder: JsonObject): unknown {
  const example = valueAt(holder, 'example');
  if (example !== undefined) return example;
  const named = entriesOf(objectAt(holder, 'examples'))[0]?.[1];
  const followed = follow(root, named)?.value;
  return valueAt(followed, 'value') ?? valueAt(followed, 'dataValue');
}
