import type { PageResult } from '../pages/page-result.ts';

/** Compiled pages of an earlier build of a site, by their paths. Whether they are still right is the reader's to ask. */
export interface PageCache {
  find(pagePath: string): PageResult | undefined;
  keep(pagePath: string, result: PageResult): void;
}
