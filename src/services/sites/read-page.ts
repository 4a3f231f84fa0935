import { absoluteLinks } from '../../core/assistant/answer-links.ts';
import type { BuiltPage } from '../../core/site-build.ts';
import type { LiveSite } from './live-sites.ts';

export interface ReadPage {
  /** Without a leading slash. */
  path: string;
  title: string;
  /** Absolute address. */
  url: string;
  /** Its links are absolute URLs. */
  content: string;
}

/**
 * Returns a page of a site as Markdown.
 * @param path as people write it: `guides/start`, `/guides/start`, `guides/start.md`, with an anchor, or an absolute URL
 * @returns undefined if the site has no such page
 */
export async function readPage(site: LiveSite, path: string): Promise<ReadPage | undefined> {
  const page = findPage(site, path);
  const content = page && (await site.pageContent(page.path));
  if (!page || !content) return undefined;
  const url = `${site.publicUrl}${page.href}`;
  return { path: page.path, title: page.title, url, content: absoluteLinks(content.markdown, site.publicUrl, page.href) };
}

/**
 * Resolves a link in an answer.
 * @param address a path as people write it, or an absolute URL
 * @returns the absolute URL of the page or file if the site has it; `address` itself if it belongs to another site or is an
 *   anchor on the current page; undefined for a page that does not exist
 */
export function answerLink(site: LiveSite, address: string): string | undefined {
  const { build, publicUrl } = site;
  const isInside = address === publicUrl || address.startsWith(`${publicUrl}/`) || address.startsWith(`${publicUrl}#`);
  if (!isInside && /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)) return address;
  const path = isInside ? address.slice(publicUrl.length) : address;
  const page = findPage(site, path);
  const rest = /[?#].*$/s.exec(path)?.[0] ?? '';
  if (page) return `${publicUrl}${page.href}${rest}`;
  const file = path.replace(/^\/+|[?#].*$/gs, '');
  return Object.hasOwn(build.files, file) ? `${publicUrl}/${file}${rest}` : undefined;
}

function findPage({ build, publicUrl }: LiveSite, path: string): BuiltPage | undefined {
  const inside = path.startsWith(`${publicUrl}/`) ? path.slice(publicUrl.length) : path;
  const plain = inside
    .replace(/[?#][\s\S]*/, '')
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.(?:mdx?|html)$/, '');
  const href = plain === '' || plain === 'index' ? '/' : `/${plain}`;
  return build.pages.find((page) => !page.externalUrl && (page.path === plain || page.href === href));
}
