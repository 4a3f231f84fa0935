import { createHash } from 'node:crypto';
import { firstPage } from '@docent/format/build/default-slice.ts';
import type { BuiltPage, FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import { encodeUtf8 } from '@docent/format/bytes.ts';
import { MANIFEST } from '@docent/format/exports/bundle-layout.ts';
import type { ManifestFile } from '@docent/format/exports/bundle-manifest.ts';
import {
  BUNDLE_SERVICES,
  SERVICES_FILE,
  servicesText,
} from '@docent/format/exports/bundle-services.ts';
import type { ExportReport } from '@docent/format/exports/export-report.ts';
import { exportedPages } from '@docent/format/exports/select-pages.ts';
import { mapOutsideFiles } from '@docent/format/outside/config-outside.ts';
import { withoutOutside } from '@docent/format/outside/without-outside.ts';
import { createRedirectEnds } from '@docent/format/site-files/redirects.ts';
import {
  hasRules,
  rulesAmong,
  rulesScript,
  type SearchRules,
} from '@docent/search/search-rules.ts';
import { oauthPage, renderRedirect } from '@docent/theme/render-redirect.ts';
import { inlineScript } from '@docent/theme/view/inline-script.ts';
import { OAUTH_PAGE } from '@docent/theme/view/shared-names.ts';
import type { BundledThemeFile } from '../assets/dist-files.ts';
import { type BundleFile, hashed, sizeOf, type WholeFile } from '../files/bundle-file.ts';
import { describeFile } from '../files/file-sink.ts';
import { jsonFile } from '../files/json-text.ts';
import { markdownStart } from '../pages/page-markdown.ts';
import { DamagedPack } from '../pages/page-pack.ts';
import { storedMarkdown } from '../pages/stored-page.ts';
import { agentFiles } from '../site/agent-files.ts';
import {
  firstPageOf,
  type SearchCut,
  type SearchFile,
  searchHead,
  searchLanguages,
  searchName,
  searchStart,
  wholeCut,
} from '../site/search-scripts.ts';
import {
  bundleAddresses,
  pageFile,
  type SiteAddresses,
  withoutOmitted,
} from '../site/site-addresses.ts';
import { listings, pageFeed } from '../site/site-listings.ts';
import { createSiteRenderer, type SiteRenderer } from '../site/site-renderer.ts';
import { readAhead } from '../source/read-ahead.ts';
import { bundleManifest, bundlePolicy, type ManifestSource } from './bundle-manifest.ts';
import { createBundlePages } from './bundle-pages.ts';
import { redirectFiles } from './bundle-redirects.ts';
import { BundleTexts, trimmed } from './bundle-texts.ts';
import { fetchedFiles } from './fetched-files.ts';
import type { KeptPage, KeptParts } from './kept-parts.ts';
import { pageKey, shellKey } from './page-keys.ts';
import { inBlocks } from './search-blocks.ts';

export interface BundleInput extends ManifestSource {
  build: SiteBuild;
  /** Reads the bytes of a file of the build. Its errors end the export. */
  readFile: (file: FileEntry) => Promise<Uint8Array>;
  /**
   * Returns what `searchFiles` would for the whole site, if that is stored; otherwise the index is
   * split again.
   */
  storedSearchFiles?: () => AsyncIterable<SearchFile>;
  /** How the owners of the site steer its search. */
  searchRules?: SearchRules | undefined;
  /** By logical name. */
  theme: ReadonlyMap<string, BundledThemeFile>;
  /** Pages of the last bundle that need not be rendered again. */
  kept?: Pick<KeptParts, 'findPage' | 'keepPage' | 'runs'> | undefined;
  onPage?: (pagesDone: number, pagesTotal: number) => void;
  /** Called once, when all pages are rendered; an error that it throws ends the export. */
  onReport?: (report: ExportReport) => void;
}

/** The only listing that contains the text of pages; built while they are rendered. */
const noMarkdown = async () => '';

/**
 * Yields the files of a bundle, in an order that depends on the content alone: the same build with
 * the same options yields the same files in the same order. Only one page is in memory at a time.
 * Files that are alike are neighbors, because gzip only refers to the last 32 KB: first the HTML of
 * the pages, then their texts in each form.
 */
export async function* bundleFiles(input: BundleInput): AsyncIterable<BundleFile> {
  const pages = exportedPages(input.build.pages, input.options);
  const listed: ManifestFile[] = [];
  const bundle = new Bundle(input, pages);
  try {
    for await (const file of bundle.files()) yield* listedIn(listed, file);
  } finally {
    bundle.close();
  }
  const manifest = bundleManifest(input, pages, bundle.report, listed);
  yield* listedIn([], jsonFile(MANIFEST, manifest));
}

/** Yields the file, and adds it to the list once its bytes are known. */
function* listedIn(listed: ManifestFile[], file: BundleFile): Iterable<BundleFile> {
  const { path } = file;
  if (!('chunks' in file)) {
    const sha256 = 'read' in file ? file.sha256 : hashOf(file);
    listed.push({ path, sizeBytes: sizeOf(file), sha256 });
    yield 'bytes' in file ? { ...file, sha256 } : file;
    return;
  }
  const hash = createHash('sha256');
  yield { ...file, chunks: hashed(file.chunks, hash) };
  listed.push({ path, sizeBytes: file.sizeBytes, sha256: hash.digest('hex') });
}

const NO_BYTES = new Uint8Array();

type BundlePages = ReturnType<typeof createBundlePages>;

/** What a document names. */
interface PageUse {
  assets: Set<string>;
  menus: Set<string>;
}

function hashOf({ bytes, sha256 }: WholeFile): string {
  return sha256 ?? describeFile(bytes, '').sha256;
}

/** The files of a bundle except its manifest, and the report on them. */
class Bundle {
  readonly #input: BundleInput;
  readonly #pages: readonly BuiltPage[];
  readonly #included: ReadonlySet<string>;
  /**
   * Paths of repository files, which take precedence over generated files of the same name, except
   * for the bundle's manifest.
   */
  readonly #repositoryPaths: ReadonlySet<string>;
  /** Paths of files that accompany the pages. */
  readonly #beside: ReadonlySet<string>;
  /** Client features that the pages need. */
  readonly #features = new Set<string>();
  /** Theme files that a page referred to; of the panel's languages, only those of the pages. */
  readonly #usedThemeFiles = new Set<string>();
  readonly #usedMenuFiles = new Set<string>();
  /** The same of the page that is being rendered. */
  #use: PageUse = { assets: new Set(), menus: new Set() };
  readonly #shell: string;
  readonly #texts: BundleTexts;
  readonly #keptTexts = new Map<BuiltPage, KeptPage['markdown']>();
  readonly #markdownHead: Uint8Array;
  readonly #cut: SearchCut;
  readonly #searchRules: BundleFile | undefined;
  readonly #addresses: SiteAddresses;
  readonly #renderer: SiteRenderer;
  report: ExportReport = { pageCount: 0, failedPages: [], errors: [] };

  constructor(input: BundleInput, pages: readonly BuiltPage[]) {
    const { build, origin, options } = input;
    this.#input = input;
    this.#pages = pages;
    this.#included = new Set(pages.map((page) => page.href));
    this.#repositoryPaths = new Set(Object.keys(build.files).filter((path) => path !== MANIFEST));
    this.#beside = new Set([
      ...pages.flatMap((page) =>
        page.feed ? [markdownFile(page), feedFile(page)] : [markdownFile(page)],
      ),
      ...listings.keys(),
    ]);
    this.#markdownHead = Buffer.from(markdownStart(origin));
    this.#texts = new BundleTexts({ ...input, pages }, input.kept?.runs);
    this.#cut = cutOf(build, pages, this.#included);
    this.#searchRules = searchRulesFile(input, pages);
    this.#shell = shellKey(input, pages, this.#searchRules?.path);
    this.#addresses = bundleAddresses({
      hasPage: (href) => this.#included.has(href) || href === '/',
      hasFile: (path) => this.#repositoryPaths.has(path) || this.#beside.has(path),
      redirect: createRedirectEnds(build.config.redirects),
      origin,
      omittedLinks: options.omittedLinks,
    });
    this.#renderer = this.#createRenderer();
  }

  /** Yields the files; `report` is complete after those of the pages. */
  async *files(): AsyncIterable<BundleFile> {
    yield* this.#pageFiles();
    yield* this.#startFiles();
    yield* this.#themeFiles();
    yield* this.#textFiles();
    yield* this.#repositoryFiles();
    yield* fetchedFiles(this.#input.build, this.#input.readFile);
    yield* this.#listingFiles();
  }

  close(): void {
    this.#texts.close();
  }

  #createRenderer(): SiteRenderer {
    const { build, theme, origin, options } = this.#input;
    return createSiteRenderer(asksNobody({ ...build, id: this.#shell }), {
      addresses: this.#addresses,
      assetFile: (asset) => {
        this.#usedThemeFiles.add(asset);
        this.#use.assets.add(asset);
        return theme.get(asset)?.name ?? asset;
      },
      onMenuFile: (name) => {
        this.#usedMenuFiles.add(name);
        this.#use.menus.add(name);
      },
      searchIndexFile: (language) => searchStart(this.#cut, language),
      ...(this.#searchRules && { searchRulesUrl: `/${this.#searchRules.path}` }),
      origin,
      hasAssistant: true,
      assistantUrl: options.assistantUrl ?? '/_docent/assistant',
      analyticsUrl: options.analyticsUrl ?? '/_docent/events',
      feedbackUrl: options.analyticsUrl ?? '/_docent/events',
      services: {
        path: SERVICES_FILE,
        names: BUNDLE_SERVICES.filter((name) => options[`${name}Url`] === undefined),
      },
      notFoundStart: inlineScript('lostPage', {
        'data-root': options.basePath === '' ? undefined : `${options.basePath}/`,
        'data-marker': `_docent/${searchHead(this.#cut)}`,
      }),
    });
  }

  /** The pages without their Markdown, and their feeds. */
  async *#pageFiles(): AsyncIterable<BundleFile> {
    const { build, origin, readFile, onPage, onReport, kept } = this.#input;
    const maker = createBundlePages(this.#pages, { ...this.#input, renderer: this.#renderer });
    let pagesDone = 0;
    const items = this.#pages.map((page) => ({ page, key: pageKey(this.#shell, page) }));
    const findKept = ({ page, key }: (typeof items)[number]) =>
      page.feed ? undefined : kept?.findPage(key);
    for await (const { item, bytes } of readAhead(
      items,
      (next) => (findKept(next) ? 0 : next.page.content.sizeBytes),
      async (next) => (findKept(next) ? NO_BYTES : readFile(next.page.content)),
    )) {
      const { page, key } = item;
      const keptPage = findKept(item);
      if (keptPage) {
        yield this.#keptPage(page, keptPage, maker);
      } else {
        this.#use = { assets: new Set(), menus: new Set() };
        const { html, content, isStub } = maker.render(page, bytes);
        for (const feature of content.elements) this.#features.add(feature);
        const markdown = kept && describeFile(this.#markdownFile(content.markdown), '');
        this.#texts.add(page, content.markdown, markdown?.sha256);
        const file = { path: pageFile(page.href), bytes: encodeUtf8(html) };
        const { sha256, sizeBytes } = describeFile(file.bytes, '');
        if (kept && markdown && !isStub)
          kept.keepPage(key, {
            sha256,
            sizeBytes,
            markdown,
            trimmedBytes: trimmed(content.markdown).byteLength,
            elements: content.elements,
            assets: [...this.#use.assets],
            menus: [...this.#use.menus],
          });
        yield { ...file, sha256 };
        if (page.feed && !this.#repositoryPaths.has(feedFile(page)))
          yield {
            path: feedFile(page),
            bytes: encodeUtf8(pageFeed({ build, origin }, page, content)),
          };
      }
      onPage?.(++pagesDone, this.#pages.length);
    }
    this.report = maker.report();
    onReport?.(this.report);
  }

  /** A page of the last bundle, which is rendered again only if its neighbors have changed. */
  #keptPage(page: BuiltPage, kept: KeptPage, maker: BundlePages): BundleFile {
    const read = () => this.#input.readFile(page.content);
    for (const feature of kept.elements) this.#features.add(feature);
    for (const asset of kept.assets) this.#usedThemeFiles.add(asset);
    for (const menu of kept.menus) this.#usedMenuFiles.add(menu);
    this.#keptTexts.set(page, kept.markdown);
    const { sha256, sizeBytes, markdown } = kept;
    const text = {
      page,
      sha256: markdown.sha256,
      sizeBytes: markdown.sizeBytes - this.#markdownHead.byteLength,
    };
    this.#texts.addKept(text, kept.trimmedBytes, async () => storedMarkdown(await read()));
    return {
      path: pageFile(page.href),
      sha256,
      sizeBytes,
      async read() {
        const bytes = encodeUtf8(maker.render(page, await read()).html);
        if (describeFile(bytes, '').sha256 === sha256) return bytes;
        throw new DamagedPack(`What is kept of the page ${page.path} is damaged.`);
      },
    };
  }

  #markdownFile(markdown: Uint8Array): Uint8Array {
    return Buffer.concat([this.#markdownHead, markdown]);
  }

  /** The root, if no page is there, and the page for unknown addresses. */
  *#startFiles(): Iterable<BundleFile> {
    const first = this.#start();
    if (first) {
      const html = renderRedirect(encodeURI(pageFile(first.href)), undefined, this.#starts());
      yield { path: 'index.html', bytes: encodeUtf8(html) };
    }
    yield { path: '404.html', bytes: encodeUtf8(withoutOmitted(this.#renderer.notFound())) };
  }

  /** The files of the theme that the pages need. */
  *#themeFiles(): Iterable<BundleFile> {
    for (const [name, file] of this.#input.theme) {
      // No page names the dictionary: the script that answers loads it.
      const isRequested =
        /^(?:answers|assistant|foreign-words|playground-|search-)/.test(name) &&
        this.#usedThemeFiles.has(name === 'foreign-words.js' ? 'answers.js' : name);
      if (file.feature === undefined || this.#features.has(file.feature) || isRequested) {
        yield { path: `_docent/${file.name}`, bytes: file.identity, sha256: file.sha256 };
      }
    }
    for (const name of this.#usedMenuFiles)
      yield {
        path: `_docent/${name}`,
        bytes: encodeUtf8(this.#renderer.menuFiles.read(name) ?? ''),
      };
    yield { path: SERVICES_FILE, bytes: encodeUtf8(servicesText([])) };
    if (this.#features.has('docent-playground'))
      yield { path: OAUTH_PAGE, bytes: encodeUtf8(oauthPage) };
  }

  /** The Markdown of each page, and straight after it the scripts of the search with its texts. */
  async *#textFiles(): AsyncIterable<BundleFile> {
    const places = new Map(this.#pages.map((page, place) => [page.path, place]));
    const pages = this.#pages;
    const fileOf = async (page: BuiltPage): Promise<BundleFile> => {
      const path = markdownFile(page);
      const read = async () => this.#markdownFile(await this.#texts.markdown(page));
      const keptFile = this.#keptTexts.get(page);
      return keptFile ? { path, ...keptFile, read } : { path, bytes: await read() };
    };
    let next = 0;
    async function* markdownUntil(place: number): AsyncIterable<BundleFile> {
      for (; next <= place; next++) yield fileOf(pages[next] as BuiltPage);
    }
    if (this.#searchRules) yield this.#searchRules;
    for await (const script of inBlocks(this.#searchFiles(), this.#cut)) {
      yield* markdownUntil(places.get(firstPageOf(script) ?? '') ?? -1);
      yield script;
    }
    yield* markdownUntil(pages.length - 1);
  }

  async *#searchFiles(): AsyncIterable<SearchFile> {
    const { build, readFile, storedSearchFiles } = this.#input;
    if (storedSearchFiles && this.#cut.included === undefined) return yield* storedSearchFiles();
    const { searchFiles } = await import('../site/search-files.ts');
    yield* searchFiles(await readFile(build.searchIndex), this.#cut);
  }

  async *#repositoryFiles(): AsyncIterable<BundleFile> {
    const { build, readFile } = this.#input;
    const sources = [...this.#repositoryPaths]
      .sort()
      .map((path) => ({ path, file: build.files[path] as FileEntry }));
    for await (const { item, bytes } of readAhead(
      sources,
      ({ file }) => file.sizeBytes,
      ({ file }) => readFile(file),
    )) {
      yield { path: item.path, bytes, sha256: item.file.sha256 };
    }
  }

  /** Redirects, and what programs read: the site map, feeds, `llms.txt`. */
  async *#listingFiles(): AsyncIterable<BundleFile> {
    const { build, origin, options } = this.#input;
    const pagePaths = new Set([
      'index.html',
      '404.html',
      ...this.#pages.map((page) => pageFile(page.href)),
    ]);
    const listed = { build, pages: this.#pages, origin, sectionOf: this.#renderer.sectionOf };
    const forAgents = agentFiles(listed);
    const isTaken = (path: string) =>
      [this.#repositoryPaths, pagePaths, this.#beside, forAgents].some((paths) => paths.has(path));
    for (const { path, text } of redirectFiles({
      rules: build.config.redirects,
      basePath: options.basePath,
      pagePolicy: bundlePolicy(this.#input),
      addresses: this.#addresses,
      isTaken,
    })) {
      yield { path, bytes: encodeUtf8(text) };
    }
    for (const [path, { text }] of forAgents)
      if (!this.#repositoryPaths.has(path)) yield { path, bytes: encodeUtf8(text) };
    for (const [path, make] of listings) {
      if (this.#repositoryPaths.has(path)) continue;
      if (path === 'llms-full.txt') yield this.#texts.fullText(path);
      else yield { path, bytes: encodeUtf8(await make(listed, noMarkdown)) };
    }
  }

  /** In a site of several languages: the start of each, by its code in lower case. */
  #starts(): Record<string, string> {
    const byPath = new Map(this.#pages.map((page) => [page.path, page]));
    const languageStarts = searchLanguages(this.#pages).map(
      (language) => [language, firstPage(this.#input.build.navigation, byPath, language)] as const,
    );
    return Object.fromEntries(
      languageStarts.flatMap(([language, page]) =>
        page ? [[language.toLowerCase(), encodeURI(pageFile(page.href))]] : [],
      ),
    );
  }

  /** Target of the root; undefined if there is a page. */
  #start(): BuiltPage | undefined {
    const { firstPage } = this.#renderer;
    if (this.#included.has('/')) return undefined;
    if (firstPage && this.#included.has(firstPage.href)) return firstPage;
    return this.#pages.find((page) => !page.hidden) ?? this.#pages[0];
  }
}

/** The rules of the search, under a name that contains their hash. */
function searchRulesFile(
  { searchRules }: BundleInput,
  pages: readonly BuiltPage[],
): BundleFile | undefined {
  const rules = searchRules && rulesAmong(searchRules, pages);
  if (!hasRules(rules)) return undefined;
  const bytes = encodeUtf8(rulesScript(rules));
  const { sha256 } = describeFile(bytes, '');
  return { path: `_docent/search-rules-${sha256.slice(0, 8)}.js`, bytes, sha256 };
}

/** For a whole site the search scripts are included as they are served. */
function cutOf(
  build: SiteBuild,
  pages: readonly BuiltPage[],
  included: ReadonlySet<string>,
): SearchCut {
  const isWhole = build.pages.every(
    (page) => page.externalUrl !== undefined || included.has(page.href),
  );
  if (isWhole) return wholeCut(build);
  const name = searchName(build.searchIndex.sha256, included);
  return { name, languages: searchLanguages(pages), included };
}

/**
 * Returns the build for pages that load nothing from other servers: a reference without a local
 * copy is treated as absent.
 */
function asksNobody(build: SiteBuild): SiteBuild {
  const icons = Object.entries(build.icons).map(([name, markup]) => [name, withoutOutside(markup)]);
  return {
    ...build,
    config: mapOutsideFiles(build.config, () => undefined),
    icons: Object.fromEntries(icons),
  };
}

/** `guides/start.md` */
function markdownFile({ href }: BuiltPage): string {
  return `${pageFile(href).slice(0, -'.html'.length)}.md`;
}

/** `changelog/rss.xml` */
function feedFile({ href }: BuiltPage): string {
  return href === '/' ? 'rss.xml' : `${href.slice(1)}/rss.xml`;
}
