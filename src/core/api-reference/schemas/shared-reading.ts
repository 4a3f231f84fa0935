import type { JsonObject } from '../json-value.ts';
import type { SchemaReader } from './read-schema.ts';

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
 * Reads what the operations of one object have in common, which follow one another, once for their pages. The view is shared, so
 * it must not be changed.
 * @param reader one that has no marks of fields shown before
 * @param key identifies what is read, in this document
 */
export function readShared<View>(reader: SchemaReader, key: string, read: () => View): View {
  const known = last.get(reader.root);
  const isSame = known?.key === key && known.objectPages === reader.objectPages;
  if (isSame && LIMITS.every((limit, index) => reader[limit] > (known.taken[index] as number))) {
    for (const [index, limit] of LIMITS.entries()) reader[limit] -= known.taken[index] as number;
    return known.view as View;
  }
  const before = LIMITS.map((limit) => reader[limit]);
  const view = read();
  const taken = LIMITS.map((limit, index) => (before[index] as number) - reader[limit]);
  // What a limit has cut depends on the rest of the page.
  if (LIMITS.every((limit) => reader[limit] > 0)) last.set(reader.root, { key, objectPages: reader.objectPages, view, taken });
  return view;
}
