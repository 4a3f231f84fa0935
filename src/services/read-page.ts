import type { BuiltPage } from '../core/site-build.ts';
import type { LiveSite } from './live-sites.ts';

/** A page as Markdown. */
export interface ReadPage {
  /** Without a leading slash. */
  path: string;
  title: string;
  /** Absolute address. */
  url: string;
  content: string;
}

/**
 * Reads a page of a site as Markdown.
 * @param path as people write it: `guides/start`, `/guides/start`, `guides/start.md`, with an anchor, or a whole address
 * @returns undefined where the site has no such page
 */
export async function readPage(site: LiveSite, path: string): Promise<ReadPage | undefined> {
  const page = findPage(site, path);
  const content = page && (await site.pageContent(page.path));
  return (
    page && content && { path: page.path, title: page.title, url: `${site.publicUrl}${page.href}`, content: content.markdown }
  );
}

function findPage({ build, publicUrl }: LiveSite, path: string): BuiltPage | undefined {
  const inside = path.startsWith(`${publicUrl}/`) ? path.slice(publicUrl.length) : path;
  const plain = inside
    .replace(/[?#].*$/s, '')
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.(?:mdx?|html)$/, '');
  const href = plain === '' || plain === 'index' ? '/' : `/${plain}`;
  return build.pages.find((page) => !page.externalUrl && (page.path === plain || page.href === href));
}
