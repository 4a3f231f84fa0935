import { firstHeading } from '@docent/format/content/mdx/first-heading.ts';
import { readFrontmatter, splitFrontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import { STARTER_PAGES, starterSettings } from '@docent/format/docs-json/starter-site.ts';
import { createIgnore } from '@docent/format/site-files/ignore.ts';
import { findDescriptionFiles } from '../descriptions/named-descriptions.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { foreignSite, type MenuEntry, type MenuGroup } from './foreign-menu/foreign-menu.ts';
import { PAGE_FILE, SNIPPET_FOLDER, titleFromPath } from './page-paths.ts';

/** A new site: its files by path, and how many pages its menu has. */
export interface SiteDraft {
  files: Map<string, string>;
  pageCount: number;
  /** The file of another platform that the menu is from. */
  menuFile?: string | undefined;
  /** Those from the addresses that the pages had there. */
  redirectCount: number;
}

const FIRST_PAGES = [
  'index',
  'readme',
  'introduction',
  'intro',
  'overview',
  'quickstart',
  'getting-started',
];

/**
 * Drafts the `docs.json` of a folder that has none: the menu that it has for another platform, else
 * a group for each folder of pages, and the API reference of each description. A folder without
 * pages also gets two pages to begin with.
 * @param name the name of the site
 */
export function draftSite(name: string, source: SourceTree): SiteDraft {
  const { navigation, pageCount = 0, file: menuFile, redirects, ...site } = foreignSite(source);
  if (navigation) {
    const text = starterSettings(site.name ?? name, navigation, redirects, true);
    return {
      files: new Map([['docs.json', text]]),
      pageCount,
      redirectCount: redirects.length,
      menuFile,
    };
  }
  const files = new Map<string, string>();
  const existingPages = pagesOf(source);
  if (existingPages.length === 0)
    for (const [path, text] of Object.entries(STARTER_PAGES)) files.set(path, text);
  const pages =
    existingPages.length > 0 ? existingPages : Object.keys(STARTER_PAGES).map(withoutEnding);
  // Pages of single operations are in the menu already.
  const hasOperationPages = existingPages.some((page) =>
    /^openapi:/m.test(source.readText(`${page}.mdx`) ?? ''),
  );
  const descriptions = hasOperationPages ? [] : findDescriptionFiles(source, createIgnore());
  const references = descriptions.map(({ path, kind }) => ({
    group: descriptions.length === 1 ? 'API reference' : titleFromPath(withoutEnding(path)),
    [kind]: path,
  }));
  files.set(
    'docs.json',
    starterSettings(name, { groups: [...groupsOf(pages), ...references] }, redirects, true),
  );
  return { files, pageCount: pages.length, redirectCount: redirects.length };
}

/**
 * The pages that a menu should have; the README of a repository is one if there is no other first
 * page.
 */
function pagesOf(source: SourceTree): string[] {
  const isIgnored = createIgnore(
    source.readText('.docentignore') ?? source.readText('.mintignore'),
  );
  const isPage = (path: string) =>
    PAGE_FILE.test(path) && !SNIPPET_FOLDER.test(path) && !/(?:^|\/)[._]/.test(path);
  const pages = source.paths().filter((path) => isPage(path) && !isIgnored(path));
  const readme = source.paths().find((path) => /^readme\.mdx?$/i.test(path));
  const hasStart = pages.some((path) => /^index\.mdx?$/i.test(path));
  const filesByPage = new Map(
    [...(readme && !hasStart ? [readme] : []), ...pages].map((file) => [withoutEnding(file), file]),
  );
  const positions = new Map(
    [...filesByPage].map(([page, file]) => [page, positionIn(source.readText(file) ?? '', file)]),
  );
  return [...filesByPage.keys()].sort((a, b) =>
    byPlace(a, b, (page) => positions.get(page) ?? Number.POSITIVE_INFINITY),
  );
}

/** What other platforms order pages by; undefined if the page has none. */
function positionIn(text: string, file: string): number | undefined {
  const { custom } = readFrontmatter(text, file).frontmatter;
  const position = [custom.sidebar_position, custom.order, custom.nav_order, custom.weight].find(
    (value) => value !== undefined,
  );
  return typeof position === 'number' && Number.isFinite(position) ? position : undefined;
}

/**
 * Returns the tree with the settings that `draftSite` would write if it has Markdown but no
 * settings; otherwise the tree itself. A folder whose subfolder has settings is not a site.
 */
export function withDraftedSettings(source: SourceTree): SourceTree {
  const files = source.paths();
  if (
    files.some((path) => /^(?:[^/]+\/)?(?:docs|mint)\.json$/.test(path)) ||
    pagesOf(source).length === 0
  )
    return source;
  const text = draftSite(nameIn(source), source).files.get('docs.json') ?? '';
  const bytes = new TextEncoder().encode(text);
  return {
    ...source,
    paths: () => [...files, 'docs.json'].sort(),
    has: (path) => path === 'docs.json' || source.has(path),
    readText: (path) => (path === 'docs.json' ? text : source.readText(path)),
    readBytes: (path) => (path === 'docs.json' ? bytes : source.readBytes(path)),
  };
}

/** The name of a site without settings: the title of its first page. */
function nameIn(source: SourceTree): string {
  const [first = ''] = pagesOf(source);
  const text =
    ['.mdx', '.md']
      .map((ending) => source.readText(first + ending))
      .find((content) => content !== undefined) ?? '';
  const { body } = splitFrontmatter(text);
  return (
    readFrontmatter(text, first).frontmatter.title ?? firstHeading(body)?.title ?? 'Documentation'
  );
}

/**
 * Sorts a folder's introduction before its other pages, and a folder's pages before its folders.
 */
function byPlace(a: string, b: string, positionOf: (page: string) => number): number {
  const [left, right] = [a.split('/'), b.split('/')];
  const depth = left.findIndex((part, index) => part !== right[index]);
  const rank = (parts: string[]) => {
    if (parts.length > depth + 1) return FIRST_PAGES.length + 1;
    const at = FIRST_PAGES.indexOf((parts[depth] ?? '').toLowerCase());
    return at < 0 ? FIRST_PAGES.length : at;
  };
  const order = rank(left) - rank(right);
  // Positions count among the pages of one folder.
  const isBeside = left.length === right.length && left.length === depth + 1;
  const [at, other] = isBeside ? [positionOf(a), positionOf(b)] : [0, 0];
  if (order === 0 || (isBeside && Math.min(at, other) < Number.POSITIVE_INFINITY))
    return (at === other ? order : at - other) || a.localeCompare(b, 'en', { numeric: true });
  return order;
}

function groupsOf(pages: readonly string[]): object[] {
  const groups: MenuGroup[] = [];
  for (const page of pages) {
    let entries: MenuEntry[] = groups;
    for (const folder of page.split('/').slice(0, -1))
      entries = groupIn(entries, titleFromPath(folder)).pages;
    if (entries === groups) entries = groupIn(groups, 'Get started').pages;
    entries.push(page);
  }
  return groups;
}

function groupIn(entries: MenuEntry[], label: string): MenuGroup {
  const existingGroup = entries.find((entry) => typeof entry === 'object' && entry.group === label);
  if (typeof existingGroup === 'object') return existingGroup;
  const group = { group: label, pages: [] };
  entries.push(group);
  return group;
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}
