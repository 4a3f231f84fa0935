import type { BuiltPage } from '../site-build.ts';
import type { ExportOptions } from './export-options.ts';

/**
 * Returns the pages of a bundle, in build order: those that the options select and that have their own path. Pages of no version
 * or language are always included.
 * @param options paths may be public (`/guides/start`) or as in docs.json
 */
export function exportedPages(
  pages: readonly BuiltPage[],
  { version, language, paths }: Pick<ExportOptions, 'version' | 'language' | 'paths'>,
): BuiltPage[] {
  const wanted = paths && new Set(paths.map((path) => path.replace(/^\/+/, '')));
  const seen = new Set<string>();
  return pages.filter((page) => {
    if (page.externalUrl || seen.has(page.href)) return false;
    if (version !== undefined && page.version !== undefined && page.version !== version) return false;
    if (language !== undefined && page.language !== undefined && page.language !== language) return false;
    if (wanted && !wanted.has(page.path) && !wanted.has(page.href.slice(1))) return false;
    seen.add(page.href);
    return true;
  });
}
