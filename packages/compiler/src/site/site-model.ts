import { posix } from 'node:path';
import { groupsOfAll } from '@docent/format/access/audience.ts';
import { operationTitle } from '@docent/format/api-reference/api-pages.ts';
import { isRestrictedDescription } from '@docent/format/api-reference/parse-api-document.ts';
import { defaultSlicePages } from '@docent/format/build/default-slice.ts';
import type { AgentSkill } from '@docent/format/build/site-build.ts';
import { redirectFaults } from '@docent/format/check/redirect-faults.ts';
import { type FirstHeading, firstHeading } from '@docent/format/content/mdx/first-heading.ts';
import {
  type Frontmatter,
  readFrontmatter,
  splitFrontmatter,
} from '@docent/format/content/mdx/frontmatter.ts';
import { homePage } from '@docent/format/content/mdx/home-page.ts';
import { fillVariables } from '@docent/format/content/mdx/source-text.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { readSiteConfig } from '@docent/format/docs-json/read-site-config.ts';
import { contentDay } from '@docent/format/docs-json/settings/repository.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import {
  inFolder,
  pathInSource,
  readAllGitFacts,
  type SiteSource,
  sourceRoot,
} from '@docent/format/docs-json/site-sources.ts';
import { mediaTypeOf } from '@docent/format/media-types.ts';
import { buildNavigation } from '@docent/format/navigation/build-navigation.ts';
import type { Navigation } from '@docent/format/navigation/navigation.ts';
import { type PageFacts, pageFacts } from '@docent/format/navigation/page-facts.ts';
import { NearPaths } from '@docent/format/near-path.ts';
import { onceForEach } from '@docent/format/once.ts';
import { addedRedirects } from '@docent/format/site-files/added-redirects.ts';
import { createIgnore } from '@docent/format/site-files/ignore.ts';
import { ApiDocuments } from '../descriptions/api-documents.ts';
import { filesWithOverlays, findApiOverlays } from '../descriptions/api-overlays.ts';
import { plainName } from '../descriptions/named-descriptions.ts';
import { type ApiOverlays, withApiOverlays } from '../descriptions/overlaid-source.ts';
import { planSymbolFile, planSymbolPage } from '../descriptions/plan-symbol-page.ts';
import { SymbolDocuments } from '../descriptions/symbol-documents.ts';
import { codeThemeDiagnostics } from '../highlight/code-theme.ts';
import { readCodeGrammars } from '../highlight/site-languages.ts';
import { withoutMissingFiles } from '../source/config-files.ts';
import { secretsInPage } from '../source/refuse-secrets.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { isSkillFile, mayBeAgentFile, readSkills } from './agent-files.ts';
import { withDraftedSettings } from './draft-site.ts';
import { PAGE_FILE, SNIPPET_FOLDER, titleFromPath } from './page-paths.ts';
import {
  type ObjectPaths,
  objectPathsOf,
  operationNames,
  type PagePlan,
  pageAt,
  planMissing,
  planObject,
  planOperation,
  symbolPathsOf,
} from './page-plans.ts';
import { relatedDiagnostics } from './related-links.ts';
import { restrictedPage, unreadableGroups } from './restricted-page.ts';
import { listings } from './site-listings.ts';
import { withSourcePaths } from './source-paths.ts';

/** The source of a site as one value: plain data, so that it can be passed to other threads. */
export interface SiteModel {
  config: SiteConfig;
  /** `docs.json`, or the older `mint.json`. */
  configFile: string;
  navigation: Navigation;
  /** The day of the newest change that is known; see `contentDay`. */
  day: string;
  /** In navigation order, then the pages that the navigation does not name. */
  pages: PagePlan[];
  facts: Map<string, PageFacts>;
  /** Source files that the site serves unchanged. */
  assets: string[];
  /**
   * Pages and snippets with restricted access, and their groups: only pages for no others can
   * import them.
   */
  restrictedFiles: Map<string, readonly string[]>;
  /** What changes the texts of API descriptions. */
  apiOverlays: ApiOverlays;
  /** `symbolSourceKey` → id of a symbol → site path of its page, for links between them. */
  symbolPaths: Map<string, Map<string, string>>;
  objectPaths: ObjectPaths;
  /** The owners' instructions for the site's assistant. */
  assistantInstructions?: string;
  skills?: AgentSkill[];
  diagnostics: Diagnostic[];
}

/**
 * In a folder or file whose name starts with a dot. A page may have such a name: `sdks/.NET.mdx`,
 * but not `._NET.mdx` of macOS.
 */
const HIDDEN = /(?:^|\/)\.(?![a-z\d][^/]*\.mdx?$)/i;
const IMPORTED_PAGE = /^import\s[^'"]*['"]([^'"]+\.mdx?)['"]/gm;

/**
 * Reads a documentation repository: its configuration, its pages' frontmatter, its navigation.
 * @param readPage reads the parts of a page's file that the model needs
 * @param restricted the pages with `groups` that it has: all, or those of a reader with these groups
 * @throws DocentError `build_failed` if there is no usable `docs.json` or `mint.json`
 */
export function readSiteModel(
  originalSource: SourceTree,
  readPage = readPageFile,
  restricted: 'none' | 'all' | readonly string[] = 'none',
): SiteModel {
  const source = withDraftedSettings(originalSource);
  const {
    config,
    file: configFile,
    diagnostics,
    placeOf,
    placeOfSetting,
    placeOfRedirect,
  } = readSiteConfig(source);
  if (source !== originalSource) diagnostics.push(NO_SETTINGS);
  const { sources = [] } = config;
  const git = readAllGitFacts(source, sources);
  const { isIgnored, isRemoved } = readIgnoreRules(source, sources);
  const files = source.paths().filter((path) => !HIDDEN.test(path));
  // The navigation can name what the format excludes, but not what the author excludes.
  const pageFiles = findPageFiles(
    files.filter((file) => !isRemoved(file)),
    sources,
  );

  const apiOverlays = findApiOverlays(source, config, isIgnored);
  diagnostics.push(...apiOverlays.diagnostics);
  const described = withApiOverlays(source, apiOverlays.overlays, (problem) =>
    diagnostics.push(problem),
  );
  const apiDocuments = new ApiDocuments(described, config, isIgnored);
  const readText = onceForEach((file: string) => {
    const page = readPage(source.readText(file) ?? '', file);
    const frontmatter = withVariables(page.frontmatter, config.variables);
    return {
      ...page,
      frontmatter: withSourcePaths(frontmatter, sourceRoot(sources, file), source.has),
      heading: page.heading && {
        ...page.heading,
        title: fillVariables(page.heading.title, config.variables),
      },
    };
  });
  const restrictedFiles = new Map<string, readonly string[]>();
  for (const file of source.paths().filter((path) => PAGE_FILE.test(path))) {
    const groups = groupsOfAll(readText(file).frontmatter.custom.groups);
    if (groups) restrictedFiles.set(file, groups);
  }
  const readFile = onceForEach((file: string) => {
    const page = readText(file);
    return { ...page, api: apiDocuments.find(page.frontmatter, file) };
  });
  const groupsAt = onceForEach((path: string) => {
    const file = pageFiles.get(path);
    const page = file === undefined ? undefined : readFile(file);
    const groups = page
      ? groupsOfAll(page.frontmatter.custom.groups, page.api?.operation?.metadata.groups)
      : groupsOfAll(apiDocuments.pageAt(path)?.page.groups);
    if (groups && file !== undefined) restrictedFiles.set(file, groups);
    return groups;
  });
  const isRestricted = onceForEach((path: string) => {
    const groups = groupsAt(path);
    if (groups === undefined) return false;
    if (groups.length > 0 && restricted !== 'none')
      return restricted !== 'all' && !groups.some((group) => restricted.includes(group));
    const file = pageFiles.get(path) ?? apiDocuments.pageAt(path)?.page.source ?? configFile;
    const problem = restricted === 'none' ? restrictedPage : unreadableGroups;
    diagnostics.push(problem(path, file));
    return true;
  });
  const symbolDocuments = new SymbolDocuments(source);
  const nearPages = new NearPaths(() => pageFiles.keys());
  const {
    navigation,
    pagePaths,
    libraries,
    publicPaths,
    diagnostics: navigationDiagnostics,
  } = buildNavigation(config.navigation, {
    file: configFile,
    placeOf,
    hasPage: (path) => pageFiles.has(path),
    nearPage: (path) => nearPages.find(path),
    isPublic: (path) => !isRestricted(path),
    apiPages: (api) => apiDocuments.pagesOf(api),
    symbolPages: (symbolSource) => symbolDocuments.pagesOf(symbolSource),
    subjectOf: (path) => {
      const file = pageFiles.get(path);
      const { sdk, openapi, openapiSchema, asyncapi, api } =
        file === undefined ? {} : readFile(file).frontmatter;
      if (sdk !== undefined) return 'symbol';
      return (openapi ?? openapiSchema ?? asyncapi ?? api) === undefined ? undefined : 'api';
    },
    operationOf: (path) => {
      const file = pageFiles.get(path);
      const target = file === undefined ? undefined : readFile(file).api?.target;
      if (target?.kind === 'operation')
        return { source: target.description, method: target.method, route: target.route };
      return target?.kind === 'channel'
        ? { source: target.description, route: target.name }
        : undefined;
    },
    defaultOpenApi: config.api.openapi,
    discoveredOpenApi: () => apiDocuments.openApiFiles,
  });
  diagnostics.push(...navigationDiagnostics);

  const imported = new Set<string>();
  const inNavigation = new Set(pagePaths);
  const pages: PagePlan[] = [];
  const planFile = (path: string, file: string) => {
    const { frontmatter, diagnostics: fileDiagnostics, imports, api, heading } = readFile(file);
    const page = { ...pageAt(path, file), changed: git.changed.get(file) };
    const root = sourceRoot(sources, file);
    for (const path of imports) {
      imported.add(path);
      if (root !== '') imported.add(inFolder(root, path));
    }
    diagnostics.push(...fileDiagnostics);
    if (frontmatter.sdk !== undefined) {
      const planned = planSymbolFile(frontmatter, file, libraries.get(path), symbolDocuments);
      diagnostics.push(...planned.diagnostics);
      return { title: titleFromPath(path), ...page, ...planned.page };
    }
    const operation = api?.operation && operationTitle(api.operation);
    const title = frontmatter.title ?? operation ?? heading?.title ?? titleFromPath(path);
    const isHeading = operation === undefined && !HIDES_TITLE.test(frontmatter.mode ?? '');
    const unread = api ? undefined : apiDocuments.unreadFor(frontmatter, file);
    return {
      ...{ ...page, title, frontmatter },
      ...(heading && isHeading && { headingLine: heading.line }),
      ...(api && { api: api.target }),
      ...(unread && { unread }),
      ...operationNames(api?.operation),
    };
  };
  for (const path of pagePaths) {
    const file = pageFiles.get(path);
    if (file !== undefined) {
      pages.push(planFile(path, file));
      continue;
    }
    const apiPage = apiDocuments.pageAt(path);
    const missing = apiDocuments.missingAt(path);
    const symbol = symbolDocuments.pageAt(path);
    if (apiPage) pages.push(planOperation(apiPage));
    else if (missing !== undefined) pages.push(planMissing(path, missing));
    else if (symbol) pages.push({ ...pageAt(path), ...planSymbolPage(symbol) });
  }
  const orphans = [...pageFiles]
    .filter(([path, file]) => !inNavigation.has(path) && !isIgnored(file) && !isRestricted(path))
    .map(([path, file]) => planFile(path, file));
  pages.push(...orphans.filter((page) => !imported.has(page.file)));
  for (const page of pages) {
    const groups = groupsAt(page.path);
    const { public: written } = page.frontmatter.custom;
    const isPublic = typeof written === 'boolean' ? written : publicPaths.has(page.path);
    if (isPublic || groups) page.audience = { isPublic, ...(groups && { groups }) };
  }
  const objects = apiDocuments.objectPages().filter(({ page }) => !pageFiles.has(page.path));
  pages.push(...objects.map(planObject));
  diagnostics.push(
    ...sharedAddresses(pages, files),
    ...relatedDiagnostics(pages),
    ...apiDocuments.diagnostics,
    ...symbolDocuments.diagnostics,
  );

  // Those of pages are reported with the pages.
  const filesOfPages = new Set(pages.map(({ file }) => file));
  const snippets = files.filter(
    (file) => PAGE_FILE.test(file) && !filesOfPages.has(file) && !isRemoved(file),
  );
  diagnostics.push(...snippets.flatMap((file) => secretsInPage(source, file)));

  const { theme, customLanguages = [] } = config.codeblocks;
  diagnostics.push(...codeThemeDiagnostics(theme, configFile));
  diagnostics.push(...readCodeGrammars(source, customLanguages, configFile).diagnostics);

  // Overlays may remove what readers must not see.
  const overlaid = filesWithOverlays(apiOverlays.overlays);
  const unserved = new Set(
    files.filter((path) => overlaid.has(path) || isRestrictedFile(source, path)),
  );
  const isSettings = (path: string) =>
    path === configFile ||
    (sources.length > 0 && /^(?:docs|mint)\.json$/.test(pathInSource(sources, path)));
  const assets = files.filter(
    (path) =>
      !isIgnored(path) &&
      isAsset(pathInSource(sources, path)) &&
      !isSettings(path) &&
      !unserved.has(path),
  );
  const checked = withoutMissingFiles(config, configFile, new Set(assets), placeOfSetting);
  diagnostics.push(...checked.diagnostics);
  const taken = new Set([
    ...pages.flatMap(({ href, path }) => [href, `/${path}`]),
    ...assets.map((path) => `/${path}`),
  ]);
  const facts = pageFacts(navigation);
  const defaults = new Set(defaultSlicePages(navigation));
  const menu = pages
    .filter(({ path, frontmatter }) => inNavigation.has(path) && !frontmatter.hidden)
    .map(({ path, href }) => ({ ...facts.get(path), href, isDefault: defaults.has(path) }));
  // The author's rules come first, so they win.
  const redirects = [...checked.config.redirects, ...addedRedirects(menu, taken)];
  const isFile = (path: string) =>
    listings.has(path.slice(1)) ||
    mayBeAgentFile(path.slice(1)) ||
    (path.endsWith('.md') && taken.has(path.slice(0, -3)));
  diagnostics.push(
    ...redirectFaults({
      redirects,
      exists: (path) => path === '/' || taken.has(path) || isFile(path),
      placeOf: (from) => placeOfRedirect(from) ?? { file: configFile },
    }),
  );
  const skills = readSkills(source);
  return {
    config: {
      ...checked.config,
      api: {
        ...checked.config.api,
        openapi: checked.config.api.openapi.filter(
          (apiSource) => !unserved.has(plainName(apiSource.source)),
        ),
      },
      redirects,
    },
    configFile,
    navigation,
    day: contentDay(git),
    pages,
    facts,
    assets,
    restrictedFiles,
    apiOverlays: apiOverlays.overlays,
    symbolPaths: symbolPathsOf(pages),
    objectPaths: objectPathsOf(objects),
    assistantInstructions: assistantInstructions(source),
    ...(skills.length > 0 && { skills }),
    diagnostics,
  };
}

/**
 * The parts of a page's text that the model of a site depends on; the rest of the page can change
 * without it.
 */
export interface PageFile {
  frontmatter: Frontmatter;
  /** Pages that this one imports as snippets. */
  imports: string[];
  /** The first heading, if it is the title of the page; its line is that of the file. */
  heading?: FirstHeading | undefined;
  diagnostics: Diagnostic[];
}

export function readPageFile(text: string, file: string): PageFile {
  const folder = posix.dirname(file);
  const imports = [...text.matchAll(IMPORTED_PAGE)].map(([, target = '']) =>
    posix.resolve('/', folder, target).slice(1),
  );
  const { frontmatter, diagnostics } = readFrontmatter(text, file);
  const { title = homePage(text, file)?.title, ...untitled } = frontmatter;
  const isTitle = title !== undefined && !title.includes(TITLE_PARTS);
  if (isTitle) return { frontmatter: { ...frontmatter, title }, diagnostics, imports };
  const { body, bodyLine } = splitFrontmatter(text);
  const heading = firstHeading(body);
  // In VitePress `Coverage | Guide` is for the window, and the heading `Coverage` for the page.
  const isWindowTitle = heading !== undefined && title?.startsWith(heading.title + TITLE_PARTS);
  if (title !== undefined && !isWindowTitle) return { frontmatter, diagnostics, imports };
  return {
    frontmatter: untitled,
    diagnostics,
    imports,
    heading: heading && { ...heading, line: heading.line + bodyLine - 1 },
  };
}

const TITLE_PARTS = ' | ';

/** The modes of pages that show no title. */
const HIDES_TITLE = /^(?:custom|frame|assistant)$/;

const NO_SETTINGS: Diagnostic = {
  severity: 'info',
  code: 'no-settings',
  message:
    'There is no docs.json, so the menu follows the folders, or is that of another platform.',
  remedy: 'Write one with "docent init" to change the menu, the name or the colors.',
  file: 'docs.json',
};

/** Frontmatter whose texts contain the values of the site's variables. */
function withVariables(frontmatter: Frontmatter, variables: SiteConfig['variables']): Frontmatter {
  const filled = { ...frontmatter };
  for (const key of ['title', 'sidebarTitle', 'description'] as const) {
    const text = frontmatter[key];
    if (text !== undefined) filled[key] = fillVariables(text, variables);
  }
  return filled;
}

/** Page path → file, for every file that can be a page. `.mdx` takes precedence over `.md`. */
function findPageFiles(
  files: readonly string[],
  sources: readonly SiteSource[],
): Map<string, string> {
  const filesByPath = new Map<string, string>();
  for (const file of files) {
    const name = pathInSource(sources, file);
    if (!PAGE_FILE.test(file) || SNIPPET_FOLDER.test(name) || isSkillFile(name)) continue;
    const path = file.replace(PAGE_FILE, '');
    if (!filesByPath.has(path) || file.endsWith('.mdx')) filesByPath.set(path, file);
  }
  return filesByPath;
}

/** Each source says itself what it leaves out. */
export function readIgnoreRules(source: SourceTree, sources: readonly SiteSource[]) {
  const rulesOf = onceForEach((root: string) => {
    const [docent, mint] = ['.docentignore', '.mintignore'].map((file) =>
      source.readText(inFolder(root, file)),
    );
    const rules = docent ?? mint;
    return { isIgnored: createIgnore(rules), isRemoved: createIgnore(rules, false) };
  });
  const isMatch = (name: 'isIgnored' | 'isRemoved') => (file: string) =>
    rulesOf(sourceRoot(sources, file))[name](pathInSource(sources, file));
  return { isIgnored: isMatch('isIgnored'), isRemoved: isMatch('isRemoved') };
}

/**
 * Reports files that readers cannot see, because another one has the same address: `a.md` beside
 * `a.mdx`, or `a.mdx` beside `a/index.mdx`.
 */
function sharedAddresses(pages: readonly PagePlan[], files: readonly string[]): Diagnostic[] {
  const filesByHref = new Map<string, string>();
  for (const { href, file } of pages)
    if (file !== '' && !filesByHref.has(href)) filesByHref.set(href, file);
  const all = new Set(files);
  return pages.flatMap(({ href, file }) => {
    const winner = filesByHref.get(href) ?? file;
    const plain = file.endsWith('.mdx') ? file.slice(0, -1) : '';
    const hidden = [...(winner === file ? [] : [file]), ...(all.has(plain) ? [plain] : [])];
    return hidden.map((hiddenFile) => ({
      severity: 'warning' as const,
      code: 'shared-address',
      message: `The page is not shown: ${winner} has the same address, ${href}.`,
      remedy: 'Rename or remove one of the two files.',
      file: hiddenFile,
    }));
  });
}

function isAsset(path: string): boolean {
  return mediaTypeOf(path) !== undefined && !/^(?:_docent\/|package(?:-lock)?\.json$)/.test(path);
}

/** An API description that everybody could download, with what it hides from some. */
function isRestrictedFile(source: SourceTree, path: string): boolean {
  return (
    /\.(?:json|ya?ml)$/i.test(path) && isRestrictedDescription(source.readText(path) ?? '', path)
  );
}

const ASSISTANT_FILES = [
  '.docent/assistant.md',
  '.mintlify/Assistant.md',
  '.mintlify/assistant.md',
];

/** The owners' instructions for a site's assistant: our own file, or that of the format. */
function assistantInstructions(source: Pick<SourceTree, 'readText'>): string | undefined {
  return ASSISTANT_FILES.map((file) => source.readText(file)?.trim()).find(Boolean);
}
