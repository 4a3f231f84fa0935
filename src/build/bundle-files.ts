import type { BuiltPage, FileEntry, PageContent, SiteBuild } from '../core/site-build.ts';
import { renderRedirect } from '../theme/render-redirect.ts';
import { searchIndexScript } from '../theme/search-index-script.ts';
import { redirectFiles } from './bundle-redirects.ts';
import { describeFile } from './file-sink.ts';
import { markdownOf } from './page-markdown.ts';
import { bundleAddresses, pageFile } from './site-addresses.ts';
import { listings, pageFeed } from './site-listings.ts';
import { createSiteRenderer } from './site-renderer.ts';
import type { ThemeFiles } from './theme-files.ts';

/** Bumped when the layout of a bundle changes so that readers of `manifest.json` must know. */
const BUNDLE_SCHEMA_VERSION = 1;

export interface BundleInput {
  build: SiteBuild;
  /** Bytes of a file of the build. */
  readFile: (file: FileEntry) => Promise<Uint8Array>;
  theme: ThemeFiles;
  /** Absolute address of the live site, no trailing slash: for canonical links, the sitemap, and links to pages left out. */
  origin: string;
  /** Which pages go in; all by default. */
  select?: (page: BuiltPage) => boolean;
  onPage?: (pagesDone: number, pagesTotal: number) => void;
}

/** One file of a bundle. */
export interface BundleFile {
  path: string;
  bytes: Uint8Array;
}

const encode = (text: string) => new TextEncoder().encode(text);

/**
 * The files of a bundle, in an order that depends on the content alone: the same build gives the same files in the same
 * order. Only one page is held in memory at a time.
 */
export async function* bundleFiles(input: BundleInput): AsyncIterable<BundleFile> {
  const listed: { path: string; sizeBytes: number; sha256: string }[] = [];
  for await (const file of contentFiles(input)) {
    const { sizeBytes, sha256 } = describeFile(file.bytes, '');
    listed.push({ path: file.path, sizeBytes, sha256 });
    yield file;
  }
  yield { path: 'manifest.json', bytes: encode(`${JSON.stringify(manifest(input, listed), null, 1)}\n`) };
}

async function* contentFiles(input: BundleInput): AsyncIterable<BundleFile> {
  const { build, readFile, theme, origin } = input;
  const pages = selectedPages(input);
  const included = new Set(pages.map((page) => page.href));
  const withRoot = (href: string) => included.has(href) || href === '/';
  const addresses = bundleAddresses(withRoot, origin);
  const indexScript = encode(searchIndexScript(await readFile(build.searchIndex)));
  const indexName = `search-index-${describeFile(indexScript, '').sha256.slice(0, 8)}.js`;
  const renderer = createSiteRenderer(build, {
    addresses,
    assetFile: (asset) => (asset === 'search-index.js' ? indexName : (theme.get(asset)?.name ?? asset)),
    origin,
  });

  const decoder = new TextDecoder();
  const contentOf = async (page: BuiltPage) => JSON.parse(decoder.decode(await readFile(page.content))) as PageContent;
  const features = new Set<string>();
  for (const [index, page] of pages.entries()) {
    const content = await contentOf(page);
    for (const feature of content.elements) features.add(feature);
    yield { path: pageFile(page.href), bytes: encode(renderer.page(page, content)) };
    yield { path: `${pageFile(page.href).slice(0, -'.html'.length)}.md`, bytes: encode(markdownOf(content, origin)) };
    if (page.feed) yield { path: feedFile(page), bytes: encode(pageFeed(input, page, content)) };
    input.onPage?.(index + 1, pages.length);
  }
  const first = renderer.firstPage && included.has(renderer.firstPage.href) ? renderer.firstPage : pages[0];
  if (!included.has('/') && first) yield { path: 'index.html', bytes: encode(renderRedirect(encodeURI(pageFile(first.href)))) };
  yield { path: '404.html', bytes: encode(renderer.notFound()) };
  for (const file of theme.values()) {
    if (file.feature === undefined || features.has(file.feature)) yield { path: `_docent/${file.name}`, bytes: file.bytes };
  }
  yield { path: `_docent/${indexName}`, bytes: indexScript };

  const own = new Set(Object.keys(build.files));
  for (const path of [...own].sort()) yield { path, bytes: await readFile(build.files[path] as FileEntry) };
  const listed = { build, pages, origin, menuFor: renderer.menuFor };
  const pageFiles = new Set(['index.html', '404.html', ...pages.map((page) => pageFile(page.href))]);
  const isTaken = (path: string) => own.has(path) || pageFiles.has(path) || listings.has(path);
  for (const file of redirectFiles({ rules: build.config.redirects, addresses, isTaken })) {
    yield { path: file.path, bytes: encode(file.text) };
  }
  for (const [path, make] of listings) {
    if (!own.has(path)) yield { path, bytes: encode(await make(listed, async (page) => (await contentOf(page)).markdown)) };
  }
}

/** `changelog/rss.xml` */
function feedFile({ href }: BuiltPage): string {
  return href === '/' ? 'rss.xml' : `${href.slice(1)}/rss.xml`;
}

/** Pages that a bundle holds: those that are asked for, and have a page of their own. */
export function selectedPages({ build, select }: Pick<BundleInput, 'build' | 'select'>): BuiltPage[] {
  const seen = new Set<string>();
  return build.pages.filter((page) => {
    if (page.externalUrl || seen.has(page.href) || (select && !select(page))) return false;
    seen.add(page.href);
    return true;
  });
}

function manifest(input: BundleInput, files: { path: string; sizeBytes: number; sha256: string }[]) {
  const hashes = new Map(files.map((file) => [file.path, file.sha256]));
  return {
    schemaVersion: BUNDLE_SCHEMA_VERSION,
    exportVersion: input.build.id,
    name: input.build.config.name,
    pages: selectedPages(input).map((page) => {
      const file = pageFile(page.href);
      return { path: page.path, href: page.href, file, title: page.title, sha256: hashes.get(file) };
    }),
    files,
  };
}
