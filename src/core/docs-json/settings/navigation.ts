import type { NavigationSource } from '../../navigation/navigation.ts';
import type { JsonValue } from '../json-document.ts';

const PATTERNS = ['pages', 'groups', 'tabs', 'anchors', 'dropdowns', 'products', 'versions', 'languages', 'menu'];

/**
 * `navigation`: only its outermost shape is checked here; `core/navigation` reads the tree. A bare list is taken for groups
 * or pages, as older files have it. Objects keep their identity, by which their places in the file are known.
 * @returns undefined where nothing in it can hold a page
 */
export function navigationSetting(value: JsonValue | undefined): NavigationSource | undefined {
  if (Array.isArray(value)) return value.length > 0 ? { pages: value } : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const isUsable =
    PATTERNS.some((key) => Object.hasOwn(value, key)) || value.openapi !== undefined || value.asyncapi !== undefined;
  return isUsable ? value : undefined;
}
