import { entriesOf, type JsonObject, listAt, objectAt, textAt, valueAt } from '../../json-value.ts';
import { oncePerObject } from '../../once.ts';
import type { LayeredSchema } from './schema-layers.ts';

/**
 * Returns the schemas that a base stands for: a base has a discriminator and no alternatives of its
 * own, and others name it in their `allOf` (OpenAPI Specification, "Discriminator Object"). Returns
 * references, in the order of the document.
 */
export function derivedSchemas(
  root: JsonObject,
  { target, name, keywords }: LayeredSchema,
): JsonObject[] {
  // A schema that inherits its discriminator is not a base.
  if (name === undefined || valueAt(target, 'discriminator') === undefined) return [];
  const mapped = entriesOf(valueAt(keywords.get('discriminator'), 'mapping')).flatMap(
    ([, place]) => {
      if (typeof place !== 'string') return [];
      if (place.startsWith('#/')) return [{ $ref: place }];
      return /^[\w.-]+$/.test(place) && !/\.(?:ya?ml|json)$/i.test(place)
        ? [{ $ref: `#/components/schemas/${place}` }]
        : [];
    },
  );
  const references = [...mapped, ...(byBase(root).get(`#/components/schemas/${name}`) ?? [])];
  const ownReference = `#/components/schemas/${name}`;
  return [
    ...new Map(
      references
        .filter(({ $ref }) => $ref !== ownReference)
        .map((reference) => [reference.$ref, reference]),
    ).values(),
  ];
}

/** Returns the component schemas of a document, grouped by the references in their `allOf`. */
const byBase = oncePerObject((root: JsonObject): Map<string, JsonObject[]> => {
  const schemasByBase = new Map<string, JsonObject[]>();
  for (const [name, schema] of entriesOf(objectAt(objectAt(root, 'components'), 'schemas'))) {
    for (const part of listAt(schema, 'allOf')) {
      const base = textAt(part, '$ref');
      if (base === undefined) continue;
      const derived = schemasByBase.get(base) ?? [];
      derived.push({
        $ref: `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      });
      schemasByBase.set(base, derived);
    }
  }
  return schemasByBase;
});
