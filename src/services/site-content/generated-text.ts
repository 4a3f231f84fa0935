import { agentFiles, mayBeAgentFile } from '../../compiler/site/agent-files.ts';
import { folderIndex, listings, pageFeed } from '../../compiler/site/site-listings.ts';
import type { BuiltPage, PageContent } from '../../core/site-build.ts';
import type { SiteUse } from './site-use.ts';

const XML = 'application/xml; charset=utf-8';
const RSS = 'application/rss+xml; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/**
 * Returns the generated text at a path of a site: `sitemap.xml`, `robots.txt`, `llms.txt` and the like, feeds of pages.
 * @param path decoded path inside the site, with a leading slash
 * @returns its media type, and a name that identifies it among all texts of the site
 */
export function generatedText(
  use: SiteUse,
  path: string,
  contentOf: (page: BuiltPage) => Promise<PageContent>,
): { type: string; name: string; read: () => Promise<string> } | undefined {
  const { build, publicUrl } = use.site;
  const site = () => ({ build, pages: build.pages, origin: publicUrl, menuFor: use.renderer.menuFor });
  if (path.endsWith('/rss.xml')) {
    const page = use.pagesByHref.get(path.slice(0, -'/rss.xml'.length) || '/');
    if (page?.feed === undefined) return undefined;
    return { type: RSS, name: `rss-${page.path}`, read: async () => pageFeed(site(), page, await contentOf(page)) };
  }
  const folder = /^\/_llms\/(.+)\.md$/.exec(path)?.[1];
  if (folder !== undefined) {
    const index = folderIndex(site(), folder);
    return index === undefined ? undefined : { type: MARKDOWN, name: `llms-${folder}`, read: async () => index };
  }
  const name = path.slice(1).replace(/^\.well-known\/(?=llms)/, '');
  if (mayBeAgentFile(name)) {
    const file = agentFiles({ ...site(), mcpUrl: `${publicUrl}/mcp` }).get(name);
    if (file) return { type: file.type, name, read: async () => file.text };
  }
  const make = listings.get(name);
  if (!make) return undefined;
  const type = name.endsWith('.xml') ? XML : TEXT;
  return { type, name, read: () => make(site(), async (page) => (await contentOf(page)).markdown) };
}
