import { posix } from 'node:path';
import type { BuiltPage, ShownContent, SiteBuild } from '@docent/format/build/site-build.ts';
import { type LlmsFullPage, llmsFullTxt, llmsTxt } from '@docent/format/site-files/llms-txt.ts';
import { rssXml } from '@docent/format/site-files/rss.ts';
import {
  canonicalPath,
  llmsPages,
  robotsTxt,
  sitemapPages,
  sitemapXml,
} from '@docent/format/site-files/sitemap.ts';

/** Input of a site's listings; the same for a hosted site and for a bundle of a part of it. */
export interface ListedBuild {
  build: Pick<SiteBuild, 'config' | 'navigation' | 'files' | 'skills'>;
  pages: readonly BuiltPage[];
  /** Absolute address of the site without a trailing slash. */
  origin: string;
  /** Returns the heading of a page in `llms.txt`, by its path. */
  sectionOf: (path: string) => string | undefined;
}

/**
 * Published documentation may be found and quoted. Owners decide about model training in their own
 * `robots.txt`.
 */
const CONTENT_SIGNAL = 'search=yes, ai-input=yes';

/** Files for programs, by name. A file of the repository with such a name takes precedence. */
export const listings: ReadonlyMap<
  string,
  (site: ListedBuild, markdownOf: MarkdownOfPage) => Promise<string>
> = new Map([
  ['sitemap.xml', async (site) => sitemapXml(site.origin, sitemapEntries(site))],
  ['robots.txt', async (site) => robotsTxt(`${site.origin}/sitemap.xml`, CONTENT_SIGNAL)],
  ['llms.txt', async (site) => llmsTxt(llmsSite(site))],
  ['llms-full.txt', llmsFull],
]);

export type MarkdownOfPage = (page: BuiltPage) => Promise<string>;

function publicSite({ build, pages }: Pick<ListedBuild, 'build' | 'pages'>) {
  return { navigation: build.navigation, pages, indexing: build.config.seo.indexing };
}

function sitemapEntries(site: ListedBuild) {
  return sitemapPages(publicSite(site)).map((page) => ({
    href: canonicalPath(page.href, site.build.config),
    lastModified: page.lastUpdated,
  }));
}

/** Returns the feed of a page with changelog entries. */
export function pageFeed(
  { build, origin }: Pick<ListedBuild, 'origin'> & { build: Pick<SiteBuild, 'config'> },
  page: BuiltPage,
  content: ShownContent,
): string {
  const { href, title, description, language } = page;
  return rssXml(
    { href, title, description, language, html: content.html },
    { name: build.config.name, origin },
  );
}

/**
 * Returns the part of `llms.txt` for the pages below one folder of the site, in any language and
 * version.
 * @returns undefined if the folder has no public page
 */
export function folderIndex(site: ListedBuild, folder: string): string | undefined {
  const pages = sitemapPages(publicSite(site)).filter(
    ({ href }) => href === `/${folder}` || href.startsWith(`/${folder}/`),
  );
  if (pages.length === 0) return undefined;
  const description = `Pages below /${folder}. The index of the whole documentation: ${site.origin}/llms.txt`;
  return llmsTxt({
    name: site.build.config.name,
    description,
    pages: pages.map((page) => llmsEntry(site, page)),
  });
}

function llmsSite(site: ListedBuild) {
  const { config } = site.build;
  const all = llmsPages(publicSite(site));
  const outside = all.filter((page) => page.externalUrl !== undefined);
  return {
    name: config.name,
    description: config.description,
    instructions: config.agentInstructions,
    pages: all
      .filter((page) => page.externalUrl === undefined)
      .map((page) => llmsEntry(site, page)),
    openApiSpecs: specLinks(site, 'openapi'),
    asyncApiSpecs: specLinks(site, 'asyncapi'),
    external: outside.map((page) => ({ title: page.title, url: page.externalUrl as string })),
  };
}

function llmsEntry({ origin, sectionOf }: ListedBuild, page: BuiltPage) {
  return {
    title: page.title,
    url: `${origin}${page.href === '/' ? '/index' : encodeURI(page.href)}.md`,
    description: page.description,
    section: sectionOf(page.path),
  };
}

/**
 * Returns the API descriptions that a site serves as files: of `api` and of the navigation in
 * docs.json.
 */
export function specLinks(
  { build, origin }: Pick<ListedBuild, 'build' | 'origin'>,
  kind: 'openapi' | 'asyncapi',
) {
  const sources = [
    ...build.config.api[kind].map(({ source }) => source),
    ...textsNamed(build.config.navigation, kind).map((text) => posix.normalize(text.trim())),
  ];
  return [...new Set(sources.map((source) => source.replace(/^(?:\.?\/)+/, '')))]
    .filter((source) => Object.hasOwn(build.files, source))
    .map((source) => ({ title: source, url: `${origin}/${encodeURI(source)}` }));
}

/**
 * Returns the texts of every `openapi` or `asyncapi` of a navigation, in its order. Which of them
 * are files is seen without the rules of docs.json, which would take an export 10 MB.
 */
function textsNamed(part: unknown, kind: string, isInside = false): string[] {
  if (typeof part === 'string') return isInside ? [part] : [];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, inner]) =>
    textsNamed(inner, kind, key === kind || (isInside && key !== 'overlays')),
  );
}

/** Returns the sections of `llms.txt` for some pages, as Markdown. */
export function llmsSections(site: ListedBuild, pages: readonly BuiltPage[]): string {
  const entries = pages
    .filter((page) => page.externalUrl === undefined)
    .map((page) => llmsEntry(site, page));
  return llmsTxt({ name: '', pages: entries })
    .replace(/^# \n*/, '')
    .trim();
}

async function llmsFull(site: ListedBuild, markdownOf: MarkdownOfPage): Promise<string> {
  const pages = [];
  for (const page of llmsFullPages(site))
    pages.push({ ...llmsFullPage(site, page), markdown: await markdownOf(page) });
  return llmsFullTxt(pages);
}

/** Returns the pages of `llms-full.txt`, in order. */
export function llmsFullPages(site: Pick<ListedBuild, 'build' | 'pages'>): BuiltPage[] {
  return llmsPages(publicSite(site)).filter((page) => page.externalUrl === undefined);
}

/** Returns the entry of a page in `llms-full.txt` without its text. */
export function llmsFullPage(
  { origin }: Pick<ListedBuild, 'origin'>,
  page: BuiltPage,
): Omit<LlmsFullPage, 'markdown'> {
  const { title, description, href } = page;
  return { title, url: `${origin}${encodeURI(href)}`, description };
}
