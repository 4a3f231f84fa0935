import { agentFiles, mayBeAgentFile } from '../../../compiler/site/agent-files.ts';
import { folderIndex, listings, pageFeed } from '../../../compiler/site/site-listings.ts';
import type { BuiltPage, PageContent } from '../../../core/site-build.ts';
import type { SiteUse } from './site-use.ts';

/** A text that is made from a site when it is asked for. */
export interface GeneratedText {
  type: string;
  /** Names it among all texts of the site. */
  name: string;
  body: () => Promise<string>;
}

const XML = 'application/xml; charset=utf-8';
const RSS = 'application/rss+xml; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/**
 * The text that stands at a path of a site and that nobody wrote: `sitemap.xml`, `robots.txt`, `llms.txt` and its kin, feeds of pages.
 * @param path decoded path inside the site, with a leading slash
 */
export function generatedText(
  use: SiteUse,
  path: string,
  contentOf: (page: BuiltPage) => Promise<PageContent>,
): GeneratedText | undefined {
  const { build, publicUrl } = use.site;
  const site = () => ({ build, pages: build.pages, origin: publicUrl, menuFor: use.renderer.menuFor });
  if (path.endsWith('/rss.xml')) {
    const page = use.pagesByHref.get(path.slice(0, -'/rss.xml'.length) || '/');
    if (page?.feed === undefined) return undefined;
    return { type: RSS, name: `rss-${page.path}`, body: async () => pageFeed(site(), page, await contentOf(page)) };
  }
  const folder = /^\/_llms\/(.+)\.md$/.exec(path)?.[1];
  if (folder !== undefined) {
    const index = folderIndex(site(), folder);
    return index === undefined ? undefined : { type: MARKDOWN, name: `llms-${folder}`, body: async () => index };
  }
  const name = path.slice(1).replace(/^\.well-known\/(?=llms)/, '');
  if (mayBeAgentFile(name)) {
    const file = agentFiles({ ...site(), mcpUrl: `${publicUrl}/mcp` }).get(name);
    if (file) return { type: file.type, name, body: async () => file.text };
  }
  const make = listings.get(name);
  if (!make) return undefined;
  const type = name.endsWith('.xml') ? XML : TEXT;
  return { type, name, body: () => make(site(), async (page) => (await contentOf(page)).markdown) };
}
