import { nearestName } from '../nearest-name.ts';
import type { JsonValue } from './json-document.ts';
import type { JsonSchema } from './json-schema.ts';

/** Something in the configuration that is allowed to stand there and does nothing. */
export type SettingRemark =
  | { kind: 'unknown'; path: PropertyKey[]; nearest?: string; known: readonly string[] }
  | { kind: 'no-effect'; path: PropertyKey[]; instead: string };

/** Faults of the shape are reported elsewhere; this bounds the walk through absurd input. */
const DEEPEST = 100;

/** Names that tools put anywhere: `$schema`, `$ref`, `$comment`, `x-…`. */
const FOREIGN = /^(?:\$|x-)/;

/**
 * Finds names that the schema does not know, and settings that have no effect. Values of the wrong kind are passed over.
 * @param root the schema that `#/$defs` are looked up in
 */
export function examineSettings(value: JsonValue, schema: JsonSchema, root: JsonSchema): SettingRemark[] {
  const remarks: SettingRemark[] = [];
  new Examiner(root, remarks).examine(value, [schema], [], 0);
  return remarks;
}

class Examiner {
  readonly #root: JsonSchema;
  readonly #remarks: SettingRemark[];

  constructor(root: JsonSchema, remarks: SettingRemark[]) {
    this.#root = root;
    this.#remarks = remarks;
  }

  examine(value: JsonValue, schemas: readonly JsonSchema[], path: PropertyKey[], depth: number): void {
    const branches = schemas.flatMap((schema) => this.#branches(schema));
    const instead = branches.map((branch) => effectOf(branch, value)).find((text) => text !== undefined);
    if (instead !== undefined) {
      this.#remarks.push({ kind: 'no-effect', path, instead });
      return;
    }
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
    if (Array.isArray(value)) this.#examineItems(value, branches, path, depth);
    else this.#examineMembers(value, branches, path, depth);
  }

  #examineItems(list: JsonValue[], branches: readonly JsonSchema[], path: PropertyKey[], depth: number): void {
    const items = branches.map((branch) => branch.items).filter((item) => item !== undefined);
    // A list inside a list is what a reference makes of several files; it counts as one list.
    for (const [index, item] of list.entries()) {
      this.examine(item, Array.isArray(item) ? branches : items, [...path, index], depth + 1);
    }
  }

  #examineMembers(
    object: { [key: string]: JsonValue },
    branches: readonly JsonSchema[],
    path: PropertyKey[],
    depth: number,
  ): void {
    const shapes = branches.filter((branch) => branch.properties !== undefined);
    const open = branches.map((branch) => branch.additionalProperties).filter((part) => typeof part === 'object');
    if (shapes.length === 0 && open.length === 0) return;
    const known = [...new Set(shapes.flatMap((shape) => Object.keys(shape.properties ?? {})))];
    for (const [key, member] of Object.entries(object)) {
      const parts = shapes.map((shape) => propertyOf(shape, key)).filter((part) => part !== undefined);
      if (parts.length > 0 || open.length > 0) this.examine(member, parts.length > 0 ? parts : open, [...path, key], depth + 1);
      else if (!FOREIGN.test(key)) this.#remarks.push(unknownRemark([...path, key], key, known));
    }
  }

  /** The schema itself and the alternatives in it, references followed. */
  #branches(schema: JsonSchema): JsonSchema[] {
    const name = schema.$ref?.replace('#/$defs/', '');
    const defs = this.#root.$defs ?? {};
    const target = name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
    const parts = [...(schema.anyOf ?? []), ...(target ? [target] : [])];
    return [schema, ...parts.flatMap((part) => this.#branches(part))];
  }
}

function effectOf(schema: JsonSchema, value: JsonValue): string | undefined {
  const effect = schema['x-no-effect'];
  // What is switched off has no effect anywhere.
  if (effect === undefined || value === false || value === null) return undefined;
  if (typeof effect === 'string') return effect;
  return typeof value === 'string' && Object.hasOwn(effect, value) ? effect[value] : undefined;
}

function propertyOf(schema: JsonSchema, key: string): JsonSchema | undefined {
  return schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
}

function unknownRemark(path: PropertyKey[], key: string, known: readonly string[]): SettingRemark {
  const nearest = nearestName(key, known);
  return { kind: 'unknown', path, known, ...(nearest === undefined ? {} : { nearest }) };
}
