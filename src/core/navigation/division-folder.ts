import type { Division } from './navigation.ts';
import { pagesBelow } from './slices.ts';

/** Returns the common folder of a division's pages, with a trailing slash; empty if there is none. */
export function folderOf(division: Division): string {
  let common: string[] | undefined;
  for (const path of pagesBelow(division.children, () => true)) {
    const folders = path.split('/').slice(0, -1);
    common = common === undefined ? folders : commonStart(common, folders);
    if (common.length === 0) break;
  }
  return common && common.length > 0 ? `${common.join('/')}/` : '';
}

function commonStart(a: readonly string[], b: readonly string[]): string[] {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
