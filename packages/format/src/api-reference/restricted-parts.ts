import { groupsOf } from '../access/public-page.ts';
import { entriesOf, isObject, type JsonObject, listAt, objectAt, textAt } from '../json-value.ts';
import { DATA_KEYS, NAME_MAPS } from './join-files.ts';
import { follow, resolvePointer } from './schemas/references.ts';

const MAX_HOPS = 16;

/**
 * Removes what a description restricts to groups of readers: fields, parameters, alternatives and
 * whole schemas with
 * `x-mint.groups`, everything that refers to them, and the values that `x-mint-enum` lists. As with pages, any value of `groups`
 * restricts, because readers cannot sign in. Modifies `root`.
 * @returns how many parts were removed
 */
export function removeRestrictedParts(root: JsonObject): number {
  // Applied at the end: until then, references still point to restricted parts.
  const removals: (() => void)[] = [];
  const pages = holdersOfPages(root);
  visit(root, (holder, parts) => {
    for (const [name, part] of parts) {
      if (!pages.has(holder) && isRestricted(root, part)) removals.push(() => delete holder[name]);
      const hidden = Array.isArray(part) ? part.filter((item) => isRestricted(root, item)) : [];
      for (const item of hidden) removals.push(() => take(holder, name, item));
    }
    for (const value of restrictedValues(holder)) removals.push(() => removeValue(holder, value));
    const fields = objectAt(holder, 'properties');
    const names = listAt(holder, 'required').filter(
      (name) => typeof name === 'string' && isRestricted(root, fields?.[name]),
    );
    if (names.length > 0)
      holder.required = listAt(holder, 'required').filter((name) => !names.includes(name));
  });
  for (const remove of removals) remove();
  return removals.length;
}

/**
 * The maps of paths, and the paths with their operations: what is restricted there is a page, which
 * the site's model omits.
 */
function holdersOfPages(root: JsonObject): Set<object> {
  const holders = new Set<object>();
  for (const paths of [
    objectAt(root, 'paths'),
    objectAt(root, 'webhooks'),
    objectAt(objectAt(root, 'components'), 'pathItems'),
  ]) {
    if (!paths) continue;
    holders.add(paths);
    for (const item of Object.values(paths)) {
      const path = follow(root, item)?.value;
      const more = objectAt(path, 'additionalOperations');
      for (const holder of [path, more]) if (holder) holders.add(holder);
    }
  }
  return holders;
}

/** Returns whether a description restricts an operation, a part or a value to groups of readers. */
export function hasRestrictedParts(root: JsonObject): boolean {
  let hasRestriction = false;
  visit(root, (holder) => {
    hasRestriction ||= ownGroups(holder) !== undefined || isObject(holder['x-mint-enum']);
  });
  return hasRestriction;
}

function ownGroups(value: JsonObject): unknown {
  const mintExtension = objectAt(value, 'x-mint');
  return (
    mintExtension &&
    groupsOf(entriesOf(mintExtension), entriesOf(objectAt(mintExtension, 'metadata')))
  );
}

/** Returns whether a part, or what it refers to, has `x-mint.groups`. */
function isRestricted(root: JsonObject, part: unknown): boolean {
  let current = part;
  for (let hop = 0; hop < MAX_HOPS && isObject(current); hop++) {
    if (ownGroups(current) !== undefined) return true;
    const pointer = textAt(current, '$ref');
    if (pointer === undefined) return false;
    current = resolvePointer(root, pointer);
  }
  return false;
}

/** Values of an enumeration that `x-mint-enum` restricts. */
function restrictedValues(schema: JsonObject): unknown[] {
  const groups = objectAt(schema, 'x-mint-enum');
  return groups
    ? listAt(schema, 'enum').filter((value) => (groups[String(value)] ?? null) !== null)
    : [];
}

function removeValue(schema: Record<string, unknown>, value: unknown): void {
  take(schema, 'enum', value);
  for (const preset of ['default', 'example']) if (schema[preset] === value) delete schema[preset];
}

function take(holder: Record<string, unknown>, name: string, item: unknown): void {
  holder[name] = listAt(holder, name).filter((other) => other !== item);
}

/**
 * Calls `see` for every object that is not API data, outermost first, with its entries that are not
 * data either. Iterative, because files can nest very deeply.
 */
function visit(
  root: JsonObject,
  see: (holder: Record<string, unknown>, parts: [string, unknown][]) => void,
): void {
  const seen = new Set<object>();
  const open: { value: unknown; key: string }[] = [{ value: root, key: '' }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value, key } = place;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const isNames = NAME_MAPS.test(key);
    const parts = Object.entries(value).filter(([name]) => isNames || !DATA_KEYS.has(name));
    if (isObject(value)) see(value as Record<string, unknown>, parts);
    for (const [name, inner] of parts)
      open.push({ value: inner, key: Array.isArray(value) ? key : name });
  }
}
