import type { BuiltPage } from '../site-build.ts';
import type { ExportOptions } from './export-options.ts';

/**
 * The pages that a bundle holds, in the order of the build: those that the options ask for and that have an address of their
 * own. Pages of no version or language go in with every one.
 * @param options paths may be written as readers see them (`/guides/start`) or as docs.json names them
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
