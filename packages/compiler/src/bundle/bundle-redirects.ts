import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { hostingFiles } from '@docent/format/exports/hosting-files.ts';
import { createRedirects } from '@docent/format/site-files/redirects.ts';
import { renderRedirect } from '@docent/theme/render-redirect.ts';
import { decoded } from '../pages/file-users.ts';
import { isOmitted, pageFile, type SiteAddresses } from '../site/site-addresses.ts';

/** The properties of the bundle that redirects depend on. */
export interface RedirectTarget {
  rules: SiteConfig['redirects'];
  /** Path at which the bundle is served, `''` or `/docs`. */
  basePath: string;
  /** `Content-Security-Policy` of the pages of the bundle. */
  pagePolicy: string;
  addresses: SiteAddresses;
  /** Returns whether the bundle has another file at this path (no leading slash). */
  isTaken: (path: string) => boolean;
}

/**
 * Writes the redirects of a site as files, because no server answers for a bundle: a page for each
 * rule without wildcards, and rules for the usual web servers and hosts.
 */
export function* redirectFiles({
  rules,
  basePath,
  pagePolicy,
  addresses,
  isTaken,
}: RedirectTarget): Iterable<{ path: string; text: string }> {
  const redirect = createRedirects(rules);
  const redirectPaths = new Set<string>();
  for (const { source } of rules) {
    const href = plainPath(source);
    const path = href && pageFile(href);
    // A file cannot be inside another file either.
    if (!href || !path || redirectPaths.has(path) || isTaken(path) || foldersOf(path).some(isTaken))
      continue;
    const destination = redirect(source)?.destination;
    if (destination === undefined) continue;
    const local = destination.startsWith('/')
      ? addresses.resolverFor(href)('page', decoded(destination))
      : destination;
    if (isOmitted(local)) continue;
    redirectPaths.add(path);
    yield { path, text: renderRedirect(local) };
  }
  // There can be hundreds that we added, and servers try every rule on every request; the pages
  // made above suffice.
  const written = rules.filter(({ isAdded }) => !isAdded);
  for (const file of hostingFiles(written, basePath, pagePolicy))
    if (!isTaken(file.path)) yield file;
}

/**
 * Returns a source that names a single path in page address form; undefined for patterns and for
 * invalid file names.
 */
function plainPath(source: string): string | undefined {
  if (/[:*?#\\\u0000-\u001f]/.test(source)) return undefined;
  const parts = decoded(source)
    .split('/')
    .filter((part) => part !== '');
  if (parts.length === 0 || parts.some((part) => part === '.' || part === '..')) return undefined;
  return `/${parts.join('/').replace(/\.html$/, '')}`;
}

/** `a/b/c.html` → `a`, `a/b`. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
