import type { PageMenu } from '../core/navigation/navigation.ts';
import type { BuiltPage, SiteBuild } from '../core/site-build.ts';
import { llmsFullTxt, llmsTxt } from '../core/site-files/llms-txt.ts';
import { llmsPages, sitemapPages } from '../core/site-files/page-lists.ts';
import { robotsTxt } from '../core/site-files/robots.ts';
import { sitemapXml } from '../core/site-files/sitemap.ts';

/** What the listings of a site are made from; the same for a hosted site and for a bundle of a part of it. */
export interface ListedBuild {
  build: Pick<SiteBuild, 'config' | 'navigation' | 'files'>;
  pages: readonly BuiltPage[];
  /** Absolute address of the site, no trailing slash. */
  origin: string;
  menuFor: (path: string) => PageMenu;
}

/** The files that programs read, by name. A file of the repository with such a name wins over ours. */
export const listings: ReadonlyMap<string, (site: ListedBuild, markdownOf: MarkdownOfPage) => Promise<string>> = new Map([
  ['sitemap.xml', async (site) => sitemapXml(site.origin, sitemapPages(publicSite(site)))],
  ['robots.txt', async (site) => robotsTxt({ sitemapUrl: `${site.origin}/sitemap.xml` })],
  ['llms.txt', async (site) => llmsTxt(llmsSite(site))],
  ['llms-full.txt', llmsFull],
]);

/** The stored Markdown of a page. */
export type MarkdownOfPage = (page: BuiltPage) => Promise<string>;

function publicSite({ build, pages }: ListedBuild) {
  return { navigation: build.navigation, pages, indexing: build.config.seo.indexing };
}

function llmsSite(site: ListedBuild) {
  const { config } = site.build;
  const all = llmsPages(publicSite(site));
  const outside = all.filter((page) => page.externalUrl !== undefined);
  return {
    name: config.name,
    ...(config.description === undefined ? {} : { description: config.description }),
    ...(config.agentInstructions === undefined ? {} : { instructions: config.agentInstructions }),
    pages: all.filter((page) => page.externalUrl === undefined).map((page) => llmsEntry(site, page)),
    openApiSpecs: specLinks(site, config.api.openapi),
    asyncApiSpecs: specLinks(site, config.api.asyncapi),
    external: outside.map((page) => ({ title: page.title, url: page.externalUrl as string })),
  };
}

function llmsEntry({ origin, menuFor }: ListedBuild, page: BuiltPage) {
  const section = menuFor(page.path).breadcrumbs[0]?.label;
  return {
    title: page.title,
    url: `${origin}${page.href === '/' ? '/index' : encodeURI(page.href)}.md`,
    ...(page.description === undefined ? {} : { description: page.description }),
    ...(section === undefined ? {} : { section }),
  };
}

function specLinks({ build, origin }: ListedBuild, sources: readonly { source: string }[]) {
  return sources
    .filter(({ source }) => Object.hasOwn(build.files, source))
    .map(({ source }) => ({ title: source, url: `${origin}/${encodeURI(source)}` }));
}

async function llmsFull(site: ListedBuild, markdownOf: MarkdownOfPage): Promise<string> {
  const pages = [];
  for (const page of llmsPages(publicSite(site))) {
    if (page.externalUrl !== undefined) continue;
    const { title, description } = page;
    const url = `${site.origin}${encodeURI(page.href)}`;
    pages.push({ title, url, markdown: await markdownOf(page), ...(description === undefined ? {} : { description }) });
  }
  return llmsFullTxt(pages);
}
