import type { NavigationSource } from '../../navigation/navigation.ts';
import type { JsonValue } from '../json-document.ts';

const PATTERNS = ['pages', 'groups', 'tabs', 'anchors', 'dropdowns', 'products', 'versions', 'languages', 'menu'];

/**
 * `navigation`: checks only its outermost shape; `core/navigation` reads the tree. A bare list is read as groups or pages, as in
 * older files. Objects keep their identity, which maps them to positions in the file.
 * @returns undefined if nothing in it can contain a page
 */
export function navigationSetting(value: JsonValue | undefined): NavigationSource | undefined {
  if (Array.isArray(value)) return value.length > 0 ? { pages: value } : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const isUsable =
    PATTERNS.some((key) => Object.hasOwn(value, key)) || value.openapi !== undefined || value.asyncapi !== undefined;
  return isUsable ? value : undefined;
}
