import { createHash } from 'node:crypto';
import type { Diagnostic } from '../core/diagnostics.ts';
import type { PageFacts } from '../core/navigation/page-facts.ts';
import { buildSearchIndex } from '../core/search/build-search-index.ts';
import type { SearchDocument } from '../core/search/search-index.ts';
import type { BuiltPage, FileEntry, SiteBuild } from '../core/site-build.ts';
import { codeThemeStyle } from './code-theme-style.ts';
import { compilePages } from './compile-pages.ts';
import type { FileSink } from './file-sink.ts';
import { createIconSource } from './iconify-icons.ts';
import { mediaTypeOf } from './media-types.ts';
import { isSearchable, searchDocuments } from './search-documents.ts';
import { drawSiteIcons } from './site-icons.ts';
import { type PagePlan, readSiteModel, type SiteModel } from './site-model.ts';
import { openSourceFolder } from './source-folder.ts';
import type { SourceTree } from './source-tree.ts';

/** The format's own limit for a served file. */
const LARGEST_ASSET_BYTES = 20 * 1024 * 1024;

export interface BuildOptions {
  /** Most page threads. */
  threads: number;
  signal?: AbortSignal;
  onProgress?: (pagesDone: number, pagesTotal: number) => void;
}

/**
 * Source folder in, immutable files out: the whole build of a site.
 * @param folder the content root, the folder that holds `docs.json`
 * @param sink takes every file of the build
 * @throws DocentError `build_failed` where the configuration cannot be used; faults of single pages are in the report
 */
export async function buildSite(folder: string, sink: FileSink, options: BuildOptions): Promise<SiteBuild> {
  const startedAt = performance.now();
  const source = openSourceFolder(folder);
  const model = readSiteModel(source);
  const diagnostics = [...model.diagnostics];

  const documents: SearchDocument[][] = new Array(model.pages.length).fill([]);
  const contents: FileEntry[] = new Array(model.pages.length);
  let failedPageCount = 0;
  let pagesDone = 0;
  for await (const result of compilePages(model, { folder, threads: options.threads, signal: options.signal })) {
    const page = model.pages[result.index] as PagePlan;
    const facts = model.facts.get(page.path);
    contents[result.index] = result.file;
    await sink.add(result.content, result.file.type);
    if (isSearchable(page, facts, model.config.seo.indexing)) {
      documents[result.index] = searchDocuments(page, facts, result.sections);
    }
    diagnostics.push(...result.diagnostics);
    if (result.failed) failedPageCount++;
    options.onProgress?.(++pagesDone, model.pages.length);
  }

  const files = await storeAssets(model, source, sink, diagnostics);
  const searchIndex = await sink.add(buildSearchIndex(documents.flat()), 'application/octet-stream');
  const content = {
    formatVersion: 1 as const,
    config: model.config,
    navigation: model.navigation,
    pages: model.pages.map((page, index) => builtPage(page, model, contents[index] as FileEntry)),
    files,
    styles: [],
    scripts: [],
    icons: drawSiteIcons(model, createIconSource()),
    codeThemeStyle: await codeThemeStyle(model.config.codeblocks.theme),
    searchIndex,
  };
  return {
    ...content,
    id: createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32),
    report: {
      pageCount: model.pages.length,
      failedPageCount,
      fileCount: Object.keys(files).length,
      durationMs: Math.round(performance.now() - startedAt),
      diagnostics: sortDiagnostics(diagnostics),
    },
  };
}

async function storeAssets(
  model: SiteModel,
  source: SourceTree,
  sink: FileSink,
  diagnostics: Diagnostic[],
): Promise<Record<string, FileEntry>> {
  const files: [string, FileEntry][] = [];
  for (const path of model.assets) {
    const bytes = source.readBytes(path);
    if (bytes === undefined) continue;
    if (bytes.byteLength > LARGEST_ASSET_BYTES) {
      diagnostics.push({
        severity: 'warning',
        code: 'file-too-large',
        message: `The file has ${Math.ceil(bytes.byteLength / 1024 / 1024)} MB and is left out.`,
        remedy: 'Make it smaller than 20 MB, or serve it from elsewhere and link to it.',
        file: path,
      });
      continue;
    }
    files.push([path, await sink.add(bytes, mediaTypeOf(path) ?? 'application/octet-stream')]);
  }
  return Object.fromEntries(files);
}

function builtPage(page: PagePlan, model: SiteModel, content: FileEntry): BuiltPage {
  const { frontmatter, operation } = page;
  const facts: PageFacts | undefined = model.facts.get(page.path);
  const built: BuiltPage = {
    path: page.path,
    href: page.href,
    file: page.file,
    title: page.title,
    mode: frontmatter.mode ?? 'default',
    content,
  };
  if (frontmatter.description) built.description = frontmatter.description;
  if (frontmatter.sidebarTitle) built.sidebarTitle = frontmatter.sidebarTitle;
  if (frontmatter.icon) built.icon = frontmatter.icon;
  if (frontmatter.tag) built.tag = frontmatter.tag;
  if (frontmatter.deprecated) built.deprecated = true;
  const method = operation?.method ?? methodOf(frontmatter.openapi ?? frontmatter.api);
  if (method) built.method = method;
  if (frontmatter.url) built.externalUrl = frontmatter.url;
  if (frontmatter.canonical) built.canonical = frontmatter.canonical;
  if (frontmatter.keywords) built.keywords = frontmatter.keywords;
  if (frontmatter.hidden || facts?.hidden || (!facts && model.config.seo.indexing === 'navigable')) built.hidden = true;
  if (frontmatter.noindex || frontmatter.hidden) built.noindex = true;
  if (frontmatter.hideFooterPagination) built.hideFooterPagination = true;
  if (facts?.version) built.version = facts.version;
  if (facts?.language) built.language = facts.language;
  return built;
}

const METHOD = /(?:^|\s)(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)(?=\s)/i;

/** The method in `openapi: "spec.json GET /users"` or `api: "GET /users"`. */
function methodOf(reference: string | undefined): string | undefined {
  return reference === undefined ? undefined : METHOD.exec(reference)?.[1]?.toUpperCase();
}

function sortDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  const place = (one: Diagnostic) => one.line ?? 0;
  return diagnostics.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : place(a) - place(b)));
}
