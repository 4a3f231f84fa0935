/**
 * An object of a parsed JSON or YAML tree. Read it only with the functions of this file, because
 * its keys are untrusted.
 */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether `value` is an object that is not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the own property `key`; undefined for anything but an object, and for inherited names
 * (`__proto__`, `toString`).
 */
export function valueAt(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Returns the property as text. Numbers count (YAML parses `version: 1.0` as one); empty text does
 * not.
 */
export function textAt(value: unknown, key: string): string | undefined {
  const member = valueAt(value, key);
  if (typeof member === 'number') return String(member);
  return typeof member === 'string' && member.trim() !== '' ? member : undefined;
}

export function flagAt(value: unknown, key: string): boolean {
  return valueAt(value, key) === true;
}

export function objectAt(value: unknown, key: string): JsonObject | undefined {
  const member = valueAt(value, key);
  return isObject(member) ? member : undefined;
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const member = valueAt(value, key);
  return Array.isArray(member) ? member : [];
}

/** Returns the texts of a list; a single text counts as a list of one. */
export function textsAt(value: unknown, key: string): string[] {
  const member = valueAt(value, key);
  const list = Array.isArray(member) ? member : [member];
  return list.filter((item): item is string => typeof item === 'string' && item !== '');
}

/** Returns the own entries of an object; none for anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/**
 * Where something was left out. ASCII, because a page with one character above U+00FF needs twice
 * the memory (see `range`).
 */
export const CUT = '...';

/**
 * Returns a copy that is safe to serialize: no cycles (YAML aliases can create them), at most 12
 * levels, about `maxNodes` values and 20,000 characters. Values beyond the limits become `CUT`.
 */
export function boundedCopy(value: unknown, maxNodes = 400): unknown {
  let nodesLeft = maxNodes;
  let charactersLeft = 20_000;
  return copy(value, 12);

  function copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') {
      const allowed = Math.max(0, charactersLeft);
      charactersLeft -= value.length;
      return value.length > allowed ? value.slice(0, allowed) + CUT : value;
    }
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0) return CUT;
    const isList = Array.isArray(value);
    // No prototype, so that a key named `__proto__` is an ordinary key.
    const out: Record<string | number, unknown> = isList ? [] : Object.create(null);
    for (const [key, item] of isList ? value.entries() : Object.entries(value)) {
      if (--nodesLeft < 0) {
        out[isList ? key : CUT] = CUT;
        break;
      }
      out[key] = copy(item, depth - 1);
    }
    return out;
  }
}

/**
 * Returns a value on one line for readers: text as it is, everything else as JSON; cut at
 * `maxLength` characters.
 */
export function showValue(value: unknown, maxLength = 160): string {
  const text =
    typeof value === 'string' ? value : (JSON.stringify(boundedCopy(value, 60)) ?? String(value));
  return text.length > maxLength ? text.slice(0, maxLength) + CUT : text;
}
