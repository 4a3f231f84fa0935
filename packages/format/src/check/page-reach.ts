import type { PageContent } from '../content/page/page-content.ts';
import type { Diagnostic } from '../diagnostics.ts';

/** A page of the site and its contents. */
export interface ReachPage {
  path: string;
  href: string;
  /** Empty for a page that is generated from an API description. */
  file: string;
  /** Appears in the navigation, hidden or not. */
  inNavigation: boolean;
  /** Its author hides it from menus. */
  isHidden: boolean;
  content: Pick<PageContent, 'html' | 'aside'> | undefined;
}

// The marks of `format/links.ts`.
const PAGE_MARK = /\u0001P([^\u0001?#]*)/g;

/** Finds pages that are not in the navigation, and among them those that no other page links to. */
export function unlistedPages(pages: readonly ReachPage[]): Diagnostic[] {
  const linked = linkedHrefs(pages);
  return pages
    .filter((page) => !page.inNavigation && !page.isHidden && page.file !== '')
    .map((page) => {
      const isLinked = linked.has(page.href);
      return {
        severity: 'info',
        code: isLinked ? 'page-outside-navigation' : 'unreachable-page',
        message: isLinked
          ? 'The page is not in the navigation.'
          : 'No menu and no other page links to this page.',
        remedy:
          'Add it to the navigation, set "hidden: true" in its frontmatter, or list it in .docentignore.',
        file: page.file,
      } satisfies Diagnostic;
    });
}

function linkedHrefs(pages: readonly ReachPage[]): Set<string> {
  const linked = new Set<string>();
  for (const { href, content } of pages) {
    if (!content) continue;
    for (const [, target = ''] of `${content.html}${content.aside}`.matchAll(PAGE_MARK)) {
      const path = target.replace(/(?<=[^/]|^\/)\/+$/, '');
      if (path !== href) linked.add(path);
    }
  }
  return linked;
}
