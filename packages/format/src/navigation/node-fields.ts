import { isObject, type JsonObject } from '../json-value.ts';
import { styledIcon } from '../styled-icon.ts';
import type { DirectoryStyle, Division, DivisionKind, Group } from './navigation.ts';

/**
 * The key that lists divisions of a kind, outermost kinds first, and the label key of such a
 * division.
 */
export const DIVISIONS: readonly { list: string; kind: DivisionKind; label: string }[] = [
  { list: 'languages', kind: 'language', label: 'language' },
  { list: 'versions', kind: 'version', label: 'version' },
  { list: 'products', kind: 'product', label: 'product' },
  { list: 'dropdowns', kind: 'dropdown', label: 'dropdown' },
  { list: 'anchors', kind: 'anchor', label: 'anchor' },
  { list: 'tabs', kind: 'tab', label: 'tab' },
  { list: 'menu', kind: 'menu', label: 'item' },
];

/**
 * Makes ids unique and selects the default among siblings: the marked one, otherwise the first
 * eligible one.
 */
export function finishSiblings(divisions: readonly Division[]): void {
  const taken = new Map<string, number>();
  for (const division of divisions) {
    const baseId = division.id;
    while (taken.has(division.id)) {
      const count = (taken.get(baseId) ?? 1) + 1;
      taken.set(baseId, count);
      division.id = `${baseId}-${count}`;
    }
    taken.set(division.id, 1);
  }
  const candidates = divisions.filter((sibling) => sibling.children.length > 0);
  const chosen =
    candidates.find((candidate) => candidate.default) ??
    candidates.find((candidate) => !candidate.hidden) ??
    candidates[0];
  for (const division of divisions) division.default = division === chosen;
}

/** The common fields of divisions and groups. */
export function sharedFields(
  item: JsonObject,
): Pick<Group, 'icon' | 'tag' | 'boost' | 'searchable'> {
  const icon = iconName(item);
  return {
    ...(icon === undefined ? {} : { icon }),
    ...(typeof item.tag === 'string' && item.tag !== '' ? { tag: item.tag } : {}),
    ...(typeof item.boost === 'number' && item.boost > 0 ? { boost: item.boost } : {}),
    ...(typeof item.searchable === 'boolean' ? { searchable: item.searchable } : {}),
  };
}

/** Returns the icon of a node; an explicit style becomes a prefix of the name: `regular:house`. */
function iconName(item: JsonObject): string | undefined {
  const { name, style } = isObject(item.icon) ? item.icon : { name: item.icon, style: undefined };
  if (typeof name !== 'string' || name === '') return undefined;
  const iconStyle = item.iconType ?? style;
  return styledIcon(name, typeof iconStyle === 'string' ? iconStyle : undefined);
}

/** Returns the `directory` that applies to the children of a node. */
export function directoryOf(
  item: JsonObject,
  inherited: DirectoryStyle | undefined,
): DirectoryStyle | undefined {
  if (item.directory === 'accordion' || item.directory === 'card') return item.directory;
  return item.directory === 'none' ? undefined : inherited;
}

/** Returns an id made from a label: letters and digits of any script, separated by hyphens. */
export function slugOf(label: string): string {
  return (
    label
      .toLowerCase()
      .replace(/[^\p{L}\p{N}.]+/gu, '-')
      .replace(/^-|-$/g, '') || 'item'
  );
}
