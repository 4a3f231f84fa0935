import type { PageResult } from '../pages/page-result.ts';

/** Compiled pages of an earlier build of a site, by path. The caller checks whether they are still valid. */
export interface PageCache {
  find(pagePath: string): PageResult | undefined;
  keep(pagePath: string, result: PageResult): void;
}
