import { createHash } from 'node:crypto';
import type { ThemeFiles } from '../../../compiler/assets/theme-files.ts';
import { fileKey } from '../../../compiler/bundle/file-sink.ts';
import { markdownOf } from '../../../compiler/pages/page-markdown.ts';
import type { PreviewImages } from '../../../compiler/preview-image/preview-images.ts';
import { isCompressible } from '../../../compiler/source/media-types.ts';
import type { BuiltPage, FileEntry } from '../../../core/site-build.ts';
import { withQuery } from '../../../core/site-files/redirects.ts';
import type { BlobStore } from '../../../ports/blob-store.ts';
import type { SearchScripts } from '../../../services/search/search-scripts.ts';
import { oauthPage } from '../../../theme/oauth-page.ts';
import { OAUTH_PAGE } from '../../../theme/shared-names.ts';
import { fileVersion } from './conditional-requests.ts';
import { generatedText } from './generated-text.ts';
import { mcpPage } from './mcp.ts';
import { previewAt } from './preview-image.ts';
import { relatedPages } from './related-pages.ts';
import type { SiteUse } from './site-use.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** A head, or a shard by its number. */
const SEARCH_SCRIPT = /^search-index-[0-9a-f]{8}(?:-[a-z][a-z0-9_]{1,20})?(?:-\d{1,5})?\.js$/;

/** What a site answers to a path, before encoding and caching. */
export type SiteAnswer =
  | { kind: 'redirect'; status: 307 | 308; location: string }
  | {
      kind: 'text';
      status: 200 | 404;
      type: string;
      /** Names the body among all that was ever served; also its `ETag`. */
      version: string;
      /** Site path of the page that the body shows, for the headers that lead programs on. */
      page?: string;
      /** Never changes under this address. */
      immutable: boolean;
      /** Ready forms of the body, for the theme's own files. */
      ready?: { bytes: Buffer; brotli: Buffer; gzip: Buffer };
      body: () => Promise<string | Uint8Array>;
    }
  | { kind: 'file'; file: FileEntry; immutable: boolean };

export interface SiteSource {
  /** Absent where nobody shows link previews, as while writing. */
  previews?: PreviewImages;
  blobs: Pick<BlobStore, 'read'>;
  searchScript: SearchScripts;
  theme: ThemeFiles;
}

/**
 * Decides what stands at a path of a site.
 * @param path decoded path inside the site, with a leading slash
 * @param query as written, with `?`, or empty
 * @param wantsMarkdown whether the client asked for Markdown rather than HTML
 */
export function answerSiteRequest(
  use: SiteUse,
  source: SiteSource,
  path: string,
  query: string,
  wantsMarkdown = false,
): SiteAnswer {
  return (
    ownFile(use, source, path) ??
    preview(use, source, path, query) ??
    redirected(use, path, query) ??
    pageAt(use, wantsMarkdown && use.pagesByHref.has(path) ? `${path === '/' ? '/index' : path}.md` : path) ??
    fileOrListing(use, source, path, query) ??
    mcpStart(use, path) ??
    movedPage(use, path, query) ??
    leadHome(use, path) ?? {
      kind: 'text',
      status: 404,
      type: HTML,
      version: `${use.version}-404`,
      immutable: false,
      body: async () => use.renderer.notFound(await relatedPages(use, path)),
    }
  );
}

/** The theme's own files and the search index, all under names that hold their hash. */
function ownFile(use: SiteUse, source: SiteSource, path: string): SiteAnswer | undefined {
  if (!path.startsWith('/_docent/')) return undefined;
  const name = path.slice('/_docent/'.length);
  const shared = { kind: 'text', status: 200, immutable: true } as const;
  if (path === `/${OAUTH_PAGE}`) {
    return { ...shared, immutable: false, type: HTML, version: `oauth-${oauthPage.length}`, body: async () => oauthPage };
  }
  for (const file of source.theme.values()) {
    if (file.name === name)
      return { ...shared, type: file.type, version: fileVersion(file), ready: file, body: async () => file.bytes };
  }
  if (!name.startsWith(use.searchCut.name) || !SEARCH_SCRIPT.test(name)) return undefined;
  const { build } = use.site;
  const type = 'text/javascript; charset=utf-8';
  const version = `${fileVersion(build.searchIndex)}-${name}`;
  return { ...shared, type, version, body: async () => (await source.searchScript(build, name)) ?? '' };
}

function preview({ site, pagesByHref }: SiteUse, { previews }: SiteSource, path: string, query: string): SiteAnswer | undefined {
  const found = previews && previewAt(site.build, pagesByHref, previews, { path, query });
  return found && { kind: 'text', status: 200, type: 'image/png', ...found };
}

function redirected(use: SiteUse, path: string, query: string): SiteAnswer | undefined {
  const rule = use.redirect(path);
  if (!rule) return undefined;
  const destination = withQuery(rule.destination, query);
  return {
    kind: 'redirect',
    status: rule.status,
    location: destination.startsWith('/') ? use.basePath + destination : destination,
  };
}

function pageAt(use: SiteUse, path: string): SiteAnswer | undefined {
  const page = use.pagesByHref.get(path);
  if (page) {
    const body = async () => use.renderer.page(page, await contentOf(use, page));
    return {
      kind: 'text',
      status: 200,
      type: HTML,
      version: `${use.version}-${page.content.sha256.slice(0, 12)}`,
      page: page.href,
      immutable: false,
      body,
    };
  }
  if (!path.endsWith('.md')) return undefined;
  const source = use.pagesByHref.get(path === '/index.md' ? '/' : path.slice(0, -'.md'.length));
  if (!source) return undefined;
  const body = async () => markdownOf(await contentOf(use, source), use.site.publicUrl);
  return {
    kind: 'text',
    status: 200,
    type: MARKDOWN,
    version: `${use.version}-md-${source.content.sha256.slice(0, 12)}`,
    page: source.href,
    immutable: false,
    body,
  };
}

/** Files of the repository, and the listings that are made where the repository has no file of that name. */
function fileOrListing(use: SiteUse, source: SiteSource, path: string, query: string): SiteAnswer | undefined {
  const { build } = use.site;
  const name = path.slice(1);
  if (Object.hasOwn(build.files, name)) {
    const file = build.files[name] as FileEntry;
    const immutable = query.startsWith(`?v=${file.sha256.slice(0, 8)}`);
    if (!isCompressible(file.type)) return { kind: 'file', file, immutable };
    return {
      kind: 'text',
      status: 200,
      type: file.type,
      version: fileVersion(file),
      immutable,
      body: () => readFile(source, file),
    };
  }
  const made = generatedText(use, path, (page) => contentOf(use, page));
  if (!made) return undefined;
  return {
    kind: 'text',
    status: 200,
    type: made.type,
    version: `${use.version}-${createHash('sha256').update(made.name).digest('base64url').slice(0, 12)}`,
    immutable: false,
    body: made.body,
  };
}

function mcpStart(use: SiteUse, path: string): SiteAnswer | undefined {
  if (path !== '/mcp') return undefined;
  const body = async () => mcpPage(use.site);
  return { kind: 'text', status: 200, type: HTML, version: `${use.version}-mcp`, immutable: false, body };
}

/** Other spellings of an address lead where it leads: a closing slash, `.html`, `/index`; and `/` to the first page. */
function movedPage(use: SiteUse, path: string, query: string): SiteAnswer | undefined {
  if (path === '/') {
    const first = use.renderer.firstPage;
    return first && { kind: 'redirect', status: 307, location: `${use.basePath}${encodeURI(first.href)}${query}` };
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

/** Where the site wants it, an address without a page leads to the start; a missing picture or script is still missing. */
function leadHome(use: SiteUse, path: string): SiteAnswer | undefined {
  if (path === '/' || !use.site.build.config.errors404.redirect || /\.[a-z0-9]{1,5}$/i.test(path)) return undefined;
  return { kind: 'redirect', status: 307, location: `${use.basePath}/` };
}

async function contentOf(use: SiteUse, page: BuiltPage) {
  const content = await use.site.pageContent(page.path);
  if (!content) throw new Error(`The content of ${page.path} of deployment ${use.site.deploymentId} is missing.`);
  return content;
}

async function readFile({ blobs }: SiteSource, file: FileEntry): Promise<Uint8Array> {
  const bytes = await blobs.read(fileKey(file));
  if (!bytes) throw new Error(`The file ${file.sha256} is missing from the blob store.`);
  return bytes;
}
