import { createHash } from 'node:crypto';
import type { ThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { markdownStart } from '@docent/compiler/pages/page-markdown.ts';
import type { PolicySources } from '@docent/compiler/pages/page-policy.ts';
import type { PreviewImages } from '@docent/compiler/preview-image/preview-images.ts';
import { agentFiles, mayBeAgentFile, skillName } from '@docent/compiler/site/agent-files.ts';
import { folderIndex, listings, pageFeed } from '@docent/compiler/site/site-listings.ts';
import { withSessionInputs } from '@docent/format/api-reference/playground/session-inputs.ts';
import { firstPage } from '@docent/format/build/default-slice.ts';
import type { BuiltPage, FileEntry } from '@docent/format/build/site-build.ts';
import { html } from '@docent/format/html.ts';
import { onceForEach } from '@docent/format/once.ts';
import { preferredLanguage } from '@docent/format/site-files/accept-language.ts';
import { withQuery } from '@docent/format/site-files/redirects.ts';
import { oauthPage } from '@docent/theme/render-redirect.ts';
import { OAUTH_PAGE } from '@docent/theme/view/shared-names.ts';
import { missingFrom } from '../kernel/sites/site-blobs.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import type {
  SiteAnswer,
  SiteBody,
  SiteContent,
  SiteRedirect,
  SiteRequest,
} from '../ports/site-content.ts';
import type { SearchScripts } from '../search/search-scripts.ts';
import { relatedPages } from './related-pages.ts';
import { pageLinks, siteHeaders } from './site-headers.ts';
import { previewAt, type SiteUse } from './site-use.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
/** A body that is made for its response. */
const MADE = { kind: 'body', status: 200, immutable: false } as const;

/** A head, or a shard by its number. */
const SEARCH_SCRIPT = /^search-index-[0-9a-f]{8}(?:-[a-z][a-z0-9_]{1,20})?(?:-\d{1,5})?\.js$/;

export interface SiteSource {
  /** Absent if there are no link previews, as in the development server. */
  previews?: PreviewImages;
  blobs: Pick<BlobStore, 'read' | 'get'>;
  searchScript: SearchScripts;
  theme: ThemeFiles;
}

/** The content of a live site, or of a preview of it, as it is served at one base path. */
export function liveContent(use: SiteUse, source: SiteSource, rules: PolicySources): SiteContent {
  const headersByType = onceForEach((type: string | undefined) => ({
    ...siteHeaders(type, rules),
    ...(use.site.settings.noindex && { 'x-robots-tag': 'noindex' }),
  }));
  const linksOf = onceForEach((page: string) => pageLinks(use.basePath, { page, hasMcp: true }));
  return {
    find(request) {
      const { path, query, wantsMarkdown, reader } = request;
      const dependsOnLanguage = path === '/' && use.searchCut.languages.length > 0;
      if (!reader || !dependsOnLanguage) return findLive(use, source, request);
      const start = wantsMarkdown ? undefined : startInLanguage(reader, use);
      const answer: SiteAnswer =
        start === undefined
          ? findLive(use, source, request)
          : {
              kind: 'redirect',
              status: 307,
              location: `${use.basePath}${encodeURI(start)}${query}`,
            };
      return { ...answer, vary: LANGUAGE_HEADERS };
    },
    headersOf(answer) {
      if (answer.kind === 'redirect') return headersByType(undefined);
      const headers = headersByType(answer.type);
      return answer.page === undefined ? headers : { ...headers, ...linksOf(answer.page) };
    },
  };
}

/** Returns the content of a live site at a path, the same for every reader. */
function findLive(
  use: SiteUse,
  source: SiteSource,
  { path, query, wantsMarkdown, user }: SiteRequest,
): SiteAnswer {
  return (
    ownFile(use, source, path) ??
    (source.previews && previewAt(use, source.previews, path, query)) ??
    redirected(use, path, query) ??
    pageAt(
      use,
      wantsMarkdown && use.pagesByHref.has(path) ? `${path === '/' ? '/index' : path}.md` : path,
      user,
    ) ??
    fileOrListing(use, source, path, query) ??
    mcpStart(use, path) ??
    movedPage(use, path, query) ??
    leadHome(use, path) ?? {
      kind: 'body',
      status: 404,
      type: HTML,
      immutable: false,
      read: async () => use.renderer.notFound(await relatedPages(use, path)),
    }
  );
}

/** The theme's own files and the search index, all under names that contain their hash. */
function ownFile(use: SiteUse, source: SiteSource, path: string): SiteBody | undefined {
  if (!path.startsWith('/_docent/')) return undefined;
  const name = path.slice('/_docent/'.length);
  const shared = { kind: 'body', status: 200, immutable: true } as const;
  if (path === `/${OAUTH_PAGE}`) {
    return {
      ...shared,
      immutable: false,
      type: HTML,
      version: `oauth-${oauthPage.length}`,
      read: async () => oauthPage,
    };
  }
  for (const file of source.theme.values()) {
    if (file.name !== name) continue;
    return {
      ...shared,
      type: file.type,
      version: fileVersion(file),
      isShared: true,
      read: async () => file.identity,
      readEncoded: async (encoding) => file[encoding],
    };
  }
  const menu = use.renderer.menuFiles.read(name);
  if (menu !== undefined)
    return { ...shared, type: SCRIPT, version: `${use.version}-${name}`, read: async () => menu };
  if (!name.startsWith(use.searchCut.name) || !SEARCH_SCRIPT.test(name)) return undefined;
  const { build } = use.site;
  const version = `${fileVersion(build.searchIndex)}-${name}`;
  return {
    ...shared,
    type: SCRIPT,
    version,
    read: async () => (await source.searchScript(build, name)) ?? '',
  };
}

function redirected(use: SiteUse, path: string, query: string): SiteRedirect | undefined {
  const rule = use.redirect(path);
  if (!rule) return undefined;
  const destination = withQuery(rule.destination, query);
  const location = destination.startsWith('/') ? use.basePath + destination : destination;
  return { kind: 'redirect', status: rule.status, location };
}

function pageAt(use: SiteUse, path: string, user: SiteRequest['user']): SiteBody | undefined {
  const exactPage = use.pagesByHref.get(path);
  const isMarkdown = !exactPage && path.endsWith('.md');
  const page = isMarkdown
    ? use.pagesByHref.get(path === '/index.md' ? '/' : path.slice(0, -'.md'.length))
    : exactPage;
  if (!page) return undefined;
  if (user && !isMarkdown && dependsOn(user, page))
    return {
      ...MADE,
      type: HTML,
      isPersonal: true,
      page: page.href,
      async read() {
        const content = await contentOf(use, page);
        // With it comes the interpreter of expressions.
        const { personalHtml } = await import('@docent/format/content/page/personal-page.ts');
        const html = personalHtml(content.personal ?? [content.html], user);
        const inputs = user.apiPlaygroundInputs;
        return withSessionInputs(use.renderer.page(page, { ...content, html }), inputs);
      },
    };
  return {
    ...MADE,
    type: isMarkdown ? MARKDOWN : HTML,
    version: `${use.version}-${isMarkdown ? 'md-' : ''}${page.content.sha256.slice(0, 12)}`,
    page: page.href,
    async read() {
      const content = await contentOf(use, page);
      return isMarkdown
        ? markdownStart(use.site.publicUrl) + content.markdown
        : use.renderer.page(page, content);
    },
  };
}

/** Returns whether a reader gets another page than everybody. */
function dependsOn(
  { apiPlaygroundInputs }: NonNullable<SiteRequest['user']>,
  { isPersonal, method }: BuiltPage,
): boolean {
  return (
    isPersonal === true || (method !== undefined && Object.keys(apiPlaygroundInputs).length > 0)
  );
}

/**
 * Files of the repository, and the listings that are generated if the repository has no file of
 * that name.
 */
function fileOrListing(
  use: SiteUse,
  source: SiteSource,
  path: string,
  query: string,
): SiteBody | undefined {
  const { build } = use.site;
  const name = path.slice(1);
  if (Object.hasOwn(build.files, name)) {
    const file = build.files[name] as FileEntry;
    const immutable = query.startsWith(`?v=${file.sha256.slice(0, 8)}`);
    return {
      kind: 'body',
      status: 200,
      type: file.type,
      version: fileVersion(file),
      immutable,
      sizeBytes: file.sizeBytes,
      read: () => readFile(source, file),
      open: (range) => source.blobs.get(fileKey(file), range),
    };
  }
  const generatedFile = generatedText(use, path);
  if (!generatedFile) return undefined;
  const version = `${use.version}-${createHash('sha256').update(generatedFile.name).digest('base64url').slice(0, 12)}`;
  return { ...MADE, type: generatedFile.type, version, read: generatedFile.read };
}

function mcpStart(use: SiteUse, path: string): SiteBody | undefined {
  if (path !== '/mcp') return undefined;
  return {
    ...MADE,
    type: HTML,
    version: `${use.version}-mcp`,
    read: async () => mcpPage(use.site),
  };
}

/**
 * Other spellings of an address redirect to it: a trailing slash, `.html`, `/index`; and `/` to the
 * first page.
 */
function movedPage(use: SiteUse, path: string, query: string): SiteRedirect | undefined {
  if (path === '/') {
    const first = use.renderer.firstPage;
    return (
      first && {
        kind: 'redirect',
        status: 307,
        location: `${use.basePath}${encodeURI(first.href)}${query}`,
      }
    );
  }
  const plain =
    path
      .replace(/(?<!\/)\/+$/, '')
      .replace(/\.(html|mdx)$/, '')
      .replace(/\/index$/, '') || '/';
  if (plain === path) return undefined;
  const ruled = redirected(use, plain, query);
  if (ruled || !use.pagesByHref.has(plain)) return ruled;
  return { kind: 'redirect', status: 308, location: `${use.basePath}${encodeURI(plain)}${query}` };
}

/**
 * If the site is configured so, an unknown page address redirects to the start; a missing image or
 * script is still missing.
 */
function leadHome(use: SiteUse, path: string): SiteRedirect | undefined {
  if (path === '/' || !use.site.build.config.errors404.redirect || /\.[a-z0-9]{1,5}$/i.test(path))
    return undefined;
  return { kind: 'redirect', status: 307, location: `${use.basePath}/` };
}

async function contentOf(use: SiteUse, page: BuiltPage) {
  const content = await use.site.pageContent(page.path);
  if (!content) throw missingFrom(`the page ${page.path} of deployment ${use.site.deploymentId}`);
  return content;
}

async function readFile({ blobs }: SiteSource, file: FileEntry): Promise<Uint8Array> {
  const bytes = await blobs.read(fileKey(file));
  if (!bytes) throw missingFrom(fileKey(file));
  return bytes;
}

/** Identifies a file by its content. */
function fileVersion({ sha256 }: { sha256: string }): string {
  return sha256.slice(0, 16);
}

/** Explains the address to a person who opens it in a browser. */
function mcpPage(site: LiveSite): string {
  const { name } = site.build.config;
  const access = site.access.isPrivate
    ? 'Your tool opens a page on which you sign in and let it read'
    : 'It needs no key';
  const url = `${site.publicUrl}/mcp`;
  const settings = JSON.stringify(
    { mcpServers: { [skillName(name)]: { type: 'http', url } } },
    undefined,
    2,
  );
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>MCP server of ${name}</title><style>:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1.5rem}pre{overflow:auto;padding:1rem;border:1px solid #8886;border-radius:.5rem}</style></head><body><main><h1>MCP server of ${name}</h1><p>This address is for AI tools. They search and read this documentation with the Model Context Protocol.</p><p>Add it to your tool with its address. ${access}.</p><pre><code>${url}</code></pre><p>Or in a file of settings:</p><pre><code>${settings}</code></pre><p><a href="${site.publicUrl}/">Read the documentation</a></p></main></body></html>`;
  return page.value;
}

type Reader = NonNullable<SiteRequest['reader']>;

/** The request headers that the start of a site in several languages depends on. */
const LANGUAGE_HEADERS = ['accept-language', 'referer', 'sec-fetch-site'];

/**
 * Returns where a reader starts who opens the root of a site in several languages and prefers
 * another than the site's default. A reader who comes from a page of the site has already chosen,
 * with the language switch or by the logo. Nothing is stored about them.
 * @returns a site path; undefined if the root gives the default response
 */
function startInLanguage(reader: Reader, use: SiteUse): string | undefined {
  const { site, searchCut, renderer } = use;
  const language = comesFromSite(reader, use)
    ? undefined
    : preferredLanguage(reader.headers['accept-language'], searchCut.languages);
  if (language === undefined) return undefined;
  const pages = new Map(site.build.pages.map((page) => [page.path, page]));
  const start = firstPage(site.build.navigation, pages, language);
  if (!start || start.href === '/' || start.path === renderer.firstPage?.path) return undefined;
  return start.href;
}

/**
 * Returns whether the link that a reader followed is on a page of the site. Below a path, other
 * pages have its origin too.
 */
function comesFromSite({ headers, host }: Reader, { site, basePath }: SiteUse): boolean {
  if (basePath === '' && headers['sec-fetch-site'] === 'same-origin') return true;
  const from = URL.parse(headers.referer ?? '');
  const isOnHost = from?.host === host || from?.host === new URL(site.publicUrl).host;
  return isOnHost && `${from?.pathname}/`.startsWith(`${basePath}/`);
}

const XML = 'application/xml; charset=utf-8';
const RSS = 'application/rss+xml; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

/**
 * Returns the generated text at a path of a site: `sitemap.xml`, `robots.txt`, `llms.txt` and the
 * like, feeds of pages.
 * @param path decoded path inside the site, with a leading slash
 * @returns its media type, and a name that identifies it among all texts of the site
 */
function generatedText(
  use: SiteUse,
  path: string,
): { type: string; name: string; read: () => Promise<string> } | undefined {
  const { build, publicUrl } = use.site;
  const site = () => ({
    build,
    pages: build.pages,
    origin: publicUrl,
    sectionOf: use.renderer.sectionOf,
  });
  if (path.endsWith('/rss.xml')) {
    const page = use.pagesByHref.get(path.slice(0, -'/rss.xml'.length) || '/');
    if (page?.feed === undefined) return undefined;
    return {
      type: RSS,
      name: `rss-${page.path}`,
      read: async () => pageFeed(site(), page, await contentOf(use, page)),
    };
  }
  const folder = /^\/_llms\/(.+)\.md$/.exec(path)?.[1];
  if (folder !== undefined) {
    const index = folderIndex(site(), folder);
    return index === undefined
      ? undefined
      : { type: MARKDOWN, name: `llms-${folder}`, read: async () => index };
  }
  const name = path.slice(1).replace(/^\.well-known\/(?=llms)/, '');
  if (mayBeAgentFile(name)) {
    const file = agentFiles({ ...site(), mcpUrl: `${publicUrl}/mcp` }).get(name);
    if (file) return { type: file.type, name, read: async () => file.text };
  }
  const make = listings.get(name);
  if (!make) return undefined;
  const type = name.endsWith('.xml') ? XML : TEXT;
  return {
    type,
    name,
    read: () => make(site(), async (page) => (await contentOf(use, page)).markdown),
  };
}
