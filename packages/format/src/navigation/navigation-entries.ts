import { parseLeniently } from '../docs-json/parse-leniently.ts';
import { openApiSources } from '../docs-json/settings/schema-parts.ts';
import type { OpenApiSource } from '../docs-json/site-config.ts';
import { isObject } from '../json-value.ts';
import { nearestName } from '../nearest-name.ts';
import type { NavigationNode } from './navigation.ts';
import type { Spot } from './navigation-context.ts';

/** Returns the page paths in a part of the menu. */
export function pathsOf(nodes: readonly NavigationNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'page') return [node.path];
    const root = node.kind === 'group' && node.root !== undefined ? [node.root] : [];
    return [...root, ...pathsOf(node.children)];
  });
}

/**
 * Returns the descriptions that `openapi` or `asyncapi` of a node names as `{source, directory}`.
 */
export function sourcesWithFolder(setting: unknown): OpenApiSource[] {
  const objects = (Array.isArray(setting) ? setting : [setting]).filter(isObject);
  // Where the setting was read, its faults were reported.
  return parseLeniently(openApiSources, objects, () => undefined) ?? [];
}

/** Why an entry of a list of pages cannot be used. */
export function entryProblem(item: unknown, key: string): string {
  if (!isObject(item)) return `an entry of "${key}" must be a page path or an object with "group"`;
  const meant = Object.keys(item).find((name) => nearestName(name, ['group']) !== undefined);
  return meant === undefined
    ? 'a group needs a name: "group": "…"'
    : `a group has its name in "group", not in "${meant.slice(0, 60)}"`;
}

export function flattenList(list: readonly unknown[], path: string): [unknown, Spot][] {
  return list.flatMap((item, index): [unknown, Spot][] => {
    const spot: Spot = { container: list, key: index, path: `${path}[${index}]` };
    return Array.isArray(item) ? flattenList(item, spot.path) : [[item, spot]];
  });
}
