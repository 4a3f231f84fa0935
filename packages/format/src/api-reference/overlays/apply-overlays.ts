import type { Diagnostic } from '../../diagnostics.ts';
import { errorMessage } from '../../error-message.ts';
import { isObject, type JsonObject, listAt, textAt } from '../../json-value.ts';
import { parseTree } from '../parse-tree.ts';
import { type PathMatch, PathSearch, parsePath } from './json-path.ts';

/** A description may have at most this many actions in one overlay. */
const MAX_ACTIONS = 2000;
/** Maximum steps of all searches of one overlay. */
const MAX_STEPS = 5_000_000;
/** Maximum characters that one overlay adds. */
const MAX_ADDED = 25_000_000;

/** An overlay of a description: a file of the site or its URL. */
export interface Overlay {
  file: string;
  /** Undefined if it cannot be read. */
  text: string | undefined;
  /**
   * Whether `docs.json` names it; otherwise it names the description, and is left out if it fails.
   */
  isNamed: boolean;
}

/**
 * Applies overlays (OpenAPI Overlay Specification 1.0 and 1.1) to a description, in order.
 * @returns the description as JSON; undefined if it cannot be read, or if an overlay that is named
 *   fails: the overlay may remove
 * what readers must not see
 */
export function applyOverlays(
  text: string,
  file: string,
  overlays: readonly Overlay[],
): { text: string | undefined; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  let currentText = text;
  for (const overlay of overlays) {
    try {
      currentText = applyOverlay(currentText, file, overlay);
    } catch (error) {
      const reason =
        error instanceof RangeError ? 'it is nested too deeply' : errorMessage(error).slice(0, 300);
      diagnostics.push(failed(overlay, file, reason));
      if (overlay.isNamed) return { text: undefined, diagnostics };
    }
  }
  return { text: currentText, diagnostics };
}

function applyOverlay(text: string, file: string, overlay: Overlay): string {
  if (overlay.text === undefined) throw new Error('it cannot be read');
  const problems: Diagnostic[] = [];
  const root = parseTree(text, file, problems);
  const actions = root && parseTree(overlay.text, overlay.file, problems);
  if (!root || !actions) throw new Error(problems[0]?.message ?? 'it is not an object');
  runActions(root, actions);
  return JSON.stringify(root);
}

function failed({ file, isNamed }: Overlay, description: string, reason: string): Diagnostic {
  const cause = reason.replace(/\.$/, '');
  return {
    severity: isNamed ? 'error' : 'warning',
    code: 'overlay-failed',
    message: `The overlay cannot be applied to ${description}, which is shown ${isNamed ? 'not at all' : 'without it'}: ${cause}.`,
    remedy: 'Correct the overlay, or remove it from docs.json.',
    file,
  };
}

/**
 * Runs the actions of an overlay on the tree of a description. @throws Error if one of them cannot
 * be run
 */
function runActions(root: JsonObject, overlay: JsonObject): void {
  const version = textAt(overlay, 'overlay') ?? '';
  if (!/^1(?:\.[01](?:\.\d+)?)?$/.test(version))
    throw new Error(
      `the version ${version || '(none)'} of the Overlay Specification is not supported; 1.0 and 1.1 are`,
    );
  const actions = listAt(overlay, 'actions');
  if (actions.length > MAX_ACTIONS)
    throw new Error(`it has ${actions.length} actions, at most ${MAX_ACTIONS} are supported`);
  const search = new PathSearch(root, MAX_STEPS);
  let charactersLeft = MAX_ADDED;
  for (const [index, action] of actions.entries()) {
    try {
      const target = textAt(action, 'target');
      if (!isObject(action) || target === undefined) throw new Error('it has no "target"');
      const matches = search.find(parsePath(target));
      if (action.remove === true) {
        remove(matches);
        continue;
      }
      const copied = textAt(action, 'copy');
      const value = copied === undefined ? action.update : search.find(parsePath(copied))[0]?.value;
      if (value === undefined)
        throw new Error(
          copied === undefined ? 'it has no "update"' : `"${copied}" matches nothing`,
        );
      const json = JSON.stringify(value);
      charactersLeft -= json.length * matches.length;
      if (charactersLeft < 0) throw new Error('it adds too much');
      for (const match of matches) update(root, match, JSON.parse(json) as unknown);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      throw new Error(`action ${index + 1}: ${errorMessage(error)}`);
    }
  }
}

/** Removes from the last to the first, so that positions in lists stay valid. */
function remove(matches: readonly PathMatch[]): void {
  const byParent = Map.groupBy(matches, ({ parent }) => parent);
  for (const [parent, parts] of byParent) {
    if (parent === undefined) throw new Error('the whole description cannot be removed');
    const keys = new Set(parts.map(({ key }) => key));
    if (Array.isArray(parent))
      parent.splice(0, parent.length, ...parent.filter((_, index) => !keys.has(index)));
    else for (const key of keys) delete (parent as Record<string, unknown>)[key];
  }
}

function update(root: JsonObject, { value, parent, key }: PathMatch, patch: unknown): void {
  const merged = merge(value, patch);
  if (parent !== undefined) (parent as Record<string | number, unknown>)[key] = merged;
  else if (merged !== root)
    throw new Error('the whole description can only be updated with an object');
}

/**
 * Objects are merged, lists continued, other values replaced. A list as target takes one value, or
 * the items of a list.
 */
function merge(target: unknown, patch: unknown): unknown {
  if (Array.isArray(target)) {
    for (const item of Array.isArray(patch) ? patch : [patch]) target.push(item);
    return target;
  }
  if (!isObject(target) || !isObject(patch)) return patch;
  const into = target as Record<string, unknown>;
  for (const [key, value] of Object.entries(patch)) {
    if (key === '__proto__') continue;
    into[key] = Object.hasOwn(into, key) ? merge(into[key], value) : value;
  }
  return into;
}
