import type { ShownPage } from './shown-page.ts';
import { bareText } from './source-items.ts';

export interface BrokenLink {
  file: string;
  target: string;
  /** Whether the source tree has no such page or anchor either: then the error is the author's. */
  isInSource: boolean;
}

export interface CheckedPage {
  href: string;
  file: string;
  shown: ShownPage;
}

const MARK = /^\u0001P([^?#]*)(?:\?[^#]*)?(?:#(.*))?\u0001$/s;
const GENERATED =
  /^\/(?:llms(?:-full)?\.txt|sitemap\.xml|robots\.txt|mcp|skill\.md|(?:.*\/)?rss\.xml)$/;

/**
 * Returns internal links of the published pages whose target page or anchor does not exist.
 * @param hasFile returns whether the source tree has the file
 */
export function brokenLinks(
  pages: readonly CheckedPage[],
  hasFile: (path: string) => boolean,
): BrokenLink[] {
  const byHref = new Map(pages.map((page) => [page.href, page]));
  const broken: BrokenLink[] = [];
  for (const page of pages) {
    for (const { href } of page.shown.links) {
      const [, path, anchor] = href.startsWith('#')
        ? ['', page.href, href.slice(1)]
        : (MARK.exec(href) ?? []);
      if (path === undefined || GENERATED.test(path)) continue;
      const target = byHref.get(path) ?? byHref.get(path.replace(/(.)\/$/, '$1'));
      const name = path + (anchor === undefined ? '' : `#${anchor}`);
      if (!target)
        broken.push({ file: page.file, target: name, isInSource: !isInTree(path, hasFile) });
      else if (anchor && anchor !== 'top' && !hasPlace(target.shown.ids, anchor)) {
        broken.push({
          file: page.file,
          target: name,
          isInSource: !hasHeading(target.shown, anchor),
        });
      }
    }
  }
  return broken;
}

function isInTree(path: string, hasFile: (path: string) => boolean): boolean {
  const bare = decode(path).replace(/^\/|\/$|\.mdx?$/g, '');
  return ['.mdx', '.md', '/index.mdx', '/index.md', ''].some((end) => hasFile(bare + end));
}

function hasPlace(ids: ReadonlySet<string>, anchor: string): boolean {
  return ids.has(anchor) || ids.has(decode(anchor));
}

/**
 * Returns whether a heading of the page has the words of the anchor, regardless of the characters
 * that its id keeps.
 */
function hasHeading(shown: ShownPage, anchor: string): boolean {
  const words = bareText(decode(anchor));
  return words !== '' && shown.headings.includes(words);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
