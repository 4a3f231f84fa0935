import type { RelatedLink } from '@docent/format/build/site-build.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';

interface RelatingPage {
  href: string;
  file: string;
  frontmatter: { custom: Record<string, unknown> };
}

const MAX_RELATED = 10;

/**
 * Parses `related` of the frontmatter: paths, URLs, or `Title: link`. Anything else is left out.
 */
export function relatedLinks(value: unknown): RelatedLink[] {
  if (!Array.isArray(value)) return [];
  const links = value.flatMap((entry): RelatedLink[] => {
    if (typeof entry === 'string') return [{ href: siteHref(entry) }];
    if (typeof entry !== 'object' || entry === null) return [];
    return Object.entries(entry)
      .filter((pair): pair is [string, string] => typeof pair[1] === 'string')
      .map(([label, href]) => ({ href: siteHref(href), label }));
  });
  return links.slice(0, MAX_RELATED);
}

/** `guides/start`, `/guides/start/` and `/guides/start.mdx` are the same page. */
function siteHref(link: string): string {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(link)) return link;
  const path = link
    .replace(/^\/+/, '')
    .replace(/\/$/, '')
    .replace(/\.mdx?$/, '');
  return path === '' || path === 'index' ? '/' : `/${path}`;
}

/** Returns a warning for each related page that does not exist; pages show no link to it. */
export function relatedDiagnostics(pages: readonly RelatingPage[]): Diagnostic[] {
  const hrefs = new Set(pages.map(({ href }) => href));
  return pages.flatMap(({ file, frontmatter }) =>
    relatedLinks(frontmatter.custom.related)
      .filter(({ href }) => href.startsWith('/') && !hrefs.has(href.replace(/[?#][\s\S]*/, '')))
      .map(({ href }) => ({
        severity: 'warning' as const,
        code: 'broken-link',
        message: `"related" refers to the page "${href}", which does not exist.`,
        remedy: 'Correct the path, or remove the entry.',
        file,
      })),
  );
}
