import { isObject, type JsonObject, listAt, valueAt } from '../../json-value.ts';
import { discriminatorOf, keywordText, type LayeredSchema, schemaLayers } from './schema-layers.ts';
import { isBare, type SchemaChoice, type SchemaView } from './schema-view.ts';

/** The result of reading the `oneOf` and `anyOf` of a schema. */
export interface ChoicesRead {
  groups: SchemaChoice[][];
  /** Types of alternatives that have nothing to show but their type. */
  simpleLabels: string[];
  /** `null` is one of the alternatives. */
  nullable: boolean;
  /** Layers of a single alternative, which is part of the schema rather than a choice. */
  merged: JsonObject[];
  mergedTargets: JsonObject[];
  notes: string[];
}

const MAX_CHOICES = 300;

/**
 * Reads the alternatives of a schema. `oneOf` and `anyOf` are treated alike: for a reader both mean
 * "one of these".
 */
export function readChoices<Open extends { targets: readonly object[] }>(
  root: JsonObject,
  schema: LayeredSchema,
  open: Open,
  read: (schema: unknown, open: Open) => SchemaView,
): ChoicesRead {
  const result: ChoicesRead = {
    groups: [],
    simpleLabels: [],
    nullable: false,
    merged: [],
    mergedTargets: [],
    notes: [],
  };
  for (const layer of schema.layers) {
    for (const keyword of ['oneOf', 'anyOf']) {
      const alternatives = listAt(layer, keyword);
      if (alternatives.some(isNull)) result.nullable = true;
      const real = alternatives.filter(
        (alternative) => !isNull(alternative) && !isRequirementOnly(alternative),
      );
      if (real.length === 1) addSingle(real[0]);
      else if (real.length > 1) addGroup(result, real.slice(0, MAX_CHOICES).map(readChoice));
      if (real.length > MAX_CHOICES)
        result.notes.push(`Showing ${MAX_CHOICES} of ${real.length} alternatives.`);
    }
  }
  return result;

  /**
   * A single alternative is a part of the schema itself, unless it is recursive or a choice again.
   */
  function addSingle(alternative: unknown): void {
    const { layers, keywords, target } = schemaLayers(root, alternative);
    if (
      target &&
      !open.targets.includes(target) &&
      !keywords.has('oneOf') &&
      !keywords.has('anyOf')
    ) {
      result.merged.push(...layers);
      result.mergedTargets.push(target);
      return;
    }
    const choice = readChoice(alternative, 0);
    const { fields, choices, notes, type } = choice.schema;
    if (fields.length > 0) {
      addGroup(result, [choice]);
      return;
    }
    result.groups.push(...choices);
    result.simpleLabels.push(type);
    result.notes.push(...notes);
  }

  function readChoice(alternative: unknown, index: number): SchemaChoice {
    const alternativeSchema = schemaLayers(root, alternative);
    const view = read(alternative, open);
    const discriminator = discriminatorOf(alternativeSchema, schema);
    const label =
      keywordText(alternativeSchema, 'title') ??
      (discriminator && `${discriminator.property}: ${discriminator.value}`) ??
      alternativeSchema.name;
    const isNameless = view.type === 'any' || view.type.startsWith('object');
    return { label: label ?? (isNameless ? `Option ${index + 1}` : view.type), schema: view };
  }
}

/** Alternatives with nothing to show but their type become part of the type's label. */
function addGroup(result: ChoicesRead, choices: SchemaChoice[]): void {
  if (choices.every((choice) => isBare(choice.schema)))
    result.simpleLabels.push(...choices.map((choice) => choice.schema.type));
  else result.groups.push(choices);
}

function isNull(alternative: unknown): boolean {
  return (
    isObject(alternative) &&
    (valueAt(alternative, 'type') === 'null' || valueAt(alternative, 'const') === null)
  );
}

/**
 * Returns whether a branch only lists required properties, which makes it no alternative to show.
 */
function isRequirementOnly(alternative: unknown): boolean {
  return (
    isObject(alternative) &&
    Object.keys(alternative).every((key) => key === 'required') &&
    'required' in alternative
  );
}
