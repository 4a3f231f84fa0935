import { DocentError, type FieldError } from '../errors.ts';
import type { BuiltPage } from '../site-build.ts';

/** The page that a caller means by `/guides/start`, `guides/start`, `guides/start/` or `guides/start.md`. */
function findPage(pages: readonly BuiltPage[], text: string): BuiltPage | undefined {
  const path = text.replace(/^\/+|\/+$/g, '').replace(/\.(?:html|mdx?)$/, '');
  return pages.find((page) => page.path === path || page.href === `/${path}`);
}

/**
 * Checks the pages and the version that an export asks for against a build.
 * @returns the pages' paths as the build names them, each once; `null` for all pages
 * @throws DocentError `invalid_request` for an unknown version, `invalid_paths` naming each wrong path
 */
export function selectPages(
  pages: readonly BuiltPage[],
  wanted: { version?: string; paths?: readonly string[] },
): string[] | null {
  const { version, paths } = wanted;
  const versions = [...new Set(pages.map((page) => page.version).filter((label) => label !== undefined))];
  if (version !== undefined && !versions.includes(version)) {
    const known = versions.length === 0 ? 'it has no versions' : `it has ${versions.join(', ')}`;
    throw new DocentError('invalid_request', `The site has no version "${version}"; ${known}.`, {
      errors: [{ path: '/version', message: `The site has no such version; ${known}.` }],
    });
  }
  if (paths === undefined) return null;
  const chosen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, path] of paths.entries()) {
    const page = findPage(pages, path);
    if (!page) errors.push({ path: `/paths/${index}`, message: `"${path}" is not a page of the site.` });
    else if (version !== undefined && page.version !== undefined && page.version !== version) {
      errors.push({ path: `/paths/${index}`, message: `"${path}" belongs to the version "${page.version}".` });
    } else chosen.add(page.path);
  }
  if (errors.length > 0) {
    const named = errors.map((error) => error.message).join(' ');
    throw new DocentError('invalid_paths', `${named} Name pages as docs.json does, for example "guides/start".`, { errors });
  }
  return [...chosen];
}
