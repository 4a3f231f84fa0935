import { isObject, type JsonObject, listAt, valueAt } from '../json-value.ts';
import type { ApiDocument } from './api-document.ts';
import { follow } from './schemas/references.ts';

/** What pages show of messages and operations. */
const SHOWN = [
  'action',
  'name',
  'title',
  'summary',
  'description',
  'contentType',
  'schemaFormat',
  'headers',
  'payload',
  'correlationId',
  'examples',
  'bindings',
  'reply',
];
const MAX_TRAITS = 20;
const MAX_DEPTH = 12;
const MAX_MERGED_KEYS = 50_000;

/**
 * Returns a function that merges messages and operations with their traits by JSON Merge Patch (RFC
 * 7396). In AsyncAPI 2, traits override what they are applied to; since AsyncAPI 3, they do not
 * ("Traits Merge Mechanism"). Bounded for each function, after which values replace each other as a
 * whole.
 */
export function createTraitMerger({
  root,
  formatVersion,
}: ApiDocument): (target: JsonObject) => JsonObject {
  let keysLeft = MAX_MERGED_KEYS;
  return (target) => {
    const traits = listAt(target, 'traits').slice(0, MAX_TRAITS);
    if (traits.length === 0) return target;
    const resolved = traits.map((trait) => follow(root, trait)?.value);
    const layers = formatVersion.startsWith('2') ? [target, ...resolved] : [...resolved, target];
    const merged = (key: string) =>
      layers.reduce<unknown>((value, layer) => patched(value, valueAt(layer, key)), undefined);
    return Object.fromEntries(SHOWN.map((key) => [key, merged(key)]));
  };

  function patched(target: unknown, patch: unknown, depth = 0): unknown {
    if (patch === undefined) return target;
    const [before, changes] = [target, patch].map((value) =>
      isObject(value) ? follow(root, value)?.value : undefined,
    );
    if (!before || !changes || before === changes || depth > MAX_DEPTH || keysLeft < 0)
      return patch;
    const merged = new Map(Object.entries(before));
    const all = Object.entries(changes);
    keysLeft -= merged.size + all.length;
    for (const [key, value] of all) {
      if (value === null) merged.delete(key);
      else merged.set(key, patched(merged.get(key), value, depth + 1));
    }
    return Object.fromEntries(merged);
  }
}
