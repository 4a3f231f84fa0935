import { isObject, type JsonObject, textAt, valueAt } from '../../json-value.ts';
import { decodeAddress } from '../../links.ts';

/** The target of a reference: the object, and its name in the document. */
export interface Referenced {
  value: JsonObject;
  /** Last part of the last pointer that was followed (`User` of `#/components/schemas/User`). */
  name?: string;
}

const MAX_HOPS = 16;

/**
 * Resolves an internal JSON pointer (RFC 6901 in a URI fragment).
 * @returns undefined for pointers into other documents and for dangling ones
 */
export function resolvePointer(root: unknown, pointer: string): unknown {
  if (pointer === '#') return root;
  if (!pointer.startsWith('#/')) return undefined;
  let value = root;
  for (const part of pointer.slice(2).split('/')) {
    const key = unescapePart(part);
    value = Array.isArray(value)
      ? /^\d{1,7}$/.test(key)
        ? value[Number(key)]
        : undefined
      : valueAt(value, key);
    if (value === undefined) return undefined;
  }
  return value;
}

/**
 * Returns the object that `value` is after following every `$ref` at its top; undefined if that is
 * not an object.
 */
export function follow(root: unknown, value: unknown): Referenced | undefined {
  let current = value;
  let name: string | undefined;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (!isObject(current)) return undefined;
    const pointer = textAt(current, '$ref');
    if (pointer === undefined) return { value: current, name };
    name = referenceName(pointer);
    current = resolvePointer(root, pointer);
  }
  return undefined;
}

/** Last part of a pointer, for labels. */
export function referenceName(pointer: string): string {
  return unescapePart(
    pointer.slice(Math.max(pointer.lastIndexOf('/'), pointer.lastIndexOf('#')) + 1),
  );
}

function unescapePart(part: string): string {
  return decodeAddress(part).replaceAll('~1', '/').replaceAll('~0', '~');
}
