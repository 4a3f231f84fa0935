import type { BuiltPage } from '../build/site-build.ts';
import { DocentError, type FieldError } from '../errors.ts';
import { withoutSlashes } from '../links.ts';
import type { ExportOptions } from './export-options.ts';

/**
 * Resolves the page that a caller names as `/guides/start`, `guides/start`, `guides/start/` or
 * `guides/start.md`.
 */
function findPage(pages: readonly BuiltPage[], text: string): BuiltPage | undefined {
  const path = withoutSlashes(text).replace(/\.(?:html|mdx?)$/, '');
  return pages.find((page) => page.path === path || page.href === `/${path}`);
}

/** Whether a page has another label than the wanted one; a page without a label belongs to all. */
export function isOther(label: string | undefined, requestedLabel: string | undefined): boolean {
  return requestedLabel !== undefined && label !== undefined && label !== requestedLabel;
}

/** Resolves a version or language of the site, or returns a fault that lists the available ones. */
function requireLabel(
  pages: readonly BuiltPage[],
  kind: 'version' | 'language',
  label: string,
): void {
  const labels = [
    ...new Set(pages.map((page) => page[kind]).filter((pageLabel) => pageLabel !== undefined)),
  ];
  if (labels.includes(label)) return;
  const has = labels.length === 0 ? `it has no ${kind}s` : `it has ${labels.join(', ')}`;
  throw new DocentError('invalid_request', `The site has no ${kind} "${label}"; ${has}.`, {
    errors: [{ path: `/${kind}`, message: `The site has no such ${kind}; ${has}.` }],
  });
}

/**
 * Checks the pages, the version and the language of an export request against a build.
 * @returns the pages' paths as in the build, without duplicates; `null` for all pages
 * @throws DocentError `invalid_request` for an unknown version or language, `invalid_paths` naming
 *   each wrong path
 */
export function selectPages(
  pages: readonly BuiltPage[],
  options: Pick<ExportOptions, 'version' | 'language' | 'paths'>,
): string[] | null {
  const { version, language, paths } = options;
  if (version !== undefined) requireLabel(pages, 'version', version);
  if (language !== undefined) requireLabel(pages, 'language', language);
  if (paths === undefined) return null;
  const chosen = new Set<string>();
  const errors: FieldError[] = [];
  const refuse = (index: number, message: string) =>
    errors.push({ path: `/paths/${index}`, message });
  for (const [index, path] of paths.entries()) {
    const page = findPage(pages, path);
    if (!page) refuse(index, `"${path}" is not a page of the site.`);
    else if (isOther(page.version, version))
      refuse(index, `"${path}" belongs to the version "${page.version}".`);
    else if (isOther(page.language, language))
      refuse(index, `"${path}" belongs to the language "${page.language}".`);
    else chosen.add(page.path);
  }
  if (errors.length > 0) {
    const named = errors.map((error) => error.message).join(' ');
    throw new DocentError(
      'invalid_paths',
      `${named} Write pages as in docs.json, for example "guides/start".`,
      { errors },
    );
  }
  return [...chosen];
}

/**
 * Returns the pages of a bundle, in build order: those that the options select and that have their
 * own path. Pages of no version or language are always included.
 * @param options paths may be public (`/guides/start`) or as in docs.json
 */
export function exportedPages(
  pages: readonly BuiltPage[],
  { version, language, paths }: Pick<ExportOptions, 'version' | 'language' | 'paths'>,
): BuiltPage[] {
  const requestedPaths = paths && new Set(paths.map((path) => path.replace(/^\/+/, '')));
  const seen = new Set<string>();
  return pages.filter((page) => {
    if (page.externalUrl || seen.has(page.href)) return false;
    if (isOther(page.version, version) || isOther(page.language, language)) return false;
    if (requestedPaths && !requestedPaths.has(page.path) && !requestedPaths.has(page.href.slice(1)))
      return false;
    seen.add(page.href);
    return true;
  });
}
