import { nearestName } from '../nearest-name.ts';
import type { JsonValue } from './json-document.ts';
import type { JsonSchema } from './json-schema.ts';

/** Something in the configuration that is allowed but has no effect. */
export type SettingRemark =
  | { kind: 'unknown'; path: PropertyKey[]; nearest?: string; known: readonly string[] }
  /** With a remedy if the author can make it work. */
  | { kind: 'no-effect'; path: PropertyKey[]; instead: string; remedy?: string };

/** Shape errors are reported elsewhere; this limit bounds the work for absurd input. */
const DEEPEST = 100;

/** Names that tools may add anywhere: `$schema`, `$ref`, `$comment`, `x-…`. */
const FOREIGN = /^(?:\$|x-)/;

/**
 * Finds unknown names and settings without effect. Ignores values of the wrong type.
 * @param root the schema that contains `#/$defs`
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
    // A reference to several files yields nested lists, which count as one list.
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

  /** Returns the schema itself and its alternatives, references followed. */
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
  // A disabled setting has no effect anyway.
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
