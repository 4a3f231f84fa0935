import type {
  Division,
  Group,
  MenuPage,
  Navigation,
  NavigationNode,
} from '../navigation/navigation.ts';
import { type PageFacts, pageFacts } from '../navigation/page-facts.ts';
import { folderOf, pagesBelow } from '../navigation/slices.ts';
import { oncePerObject } from '../once.ts';
import type { BuiltPage, SiteBuild } from './site-build.ts';

/**
 * Readers see one language and one version at a time; all other divisions inside them are part of
 * the default.
 */
function isDefault(node: Division | Group): boolean {
  return (
    node.kind === 'group' || node.default || (node.kind !== 'language' && node.kind !== 'version')
  );
}

/**
 * Returns the pages of the default language and the default versions in menu order, without
 * duplicates. Omits hidden parts unless they set `searchable: true`.
 */
export function defaultSlicePages(navigation: Navigation): string[] {
  const enter = (node: Division | Group) =>
    isDefault(node) && (!node.hidden || node.searchable === true);
  return [...new Set(pagesBelow(navigation.roots, enter))];
}

/**
 * Returns the start page of the site: the first visible one in the menu.
 * @param language code of the language to start in; the site's default if absent
 */
export function firstPage<Page extends MenuPage>(
  navigation: Navigation,
  pages: ReadonlyMap<string, Page>,
  language?: string,
): Page | undefined {
  const isEntered = (node: Division | Group) =>
    language !== undefined && node.kind === 'language' ? node.id === language : isDefault(node);
  for (const path of pagesBelow(navigation.roots, (node) => isEntered(node) && !node.hidden)) {
    const page = pages.get(path);
    if (page && !page.hidden && page.externalUrl === undefined) return page;
  }
  return undefined;
}

/**
 * Returns the folders of all non-default languages and versions: pages outside the navigation in
 * them belong to these.
 */
export function otherSliceFolders(navigation: Navigation): string[] {
  return foldersBelow(navigation.roots).filter((folder) => folder !== '');
}

function foldersBelow(nodes: readonly NavigationNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'page' || node.kind === 'group') return [];
    return isDefault(node) ? foldersBelow(node.children) : [folderOf(node)];
  });
}

/** A version and a language. */
export interface DefaultLabels {
  version?: string;
  language?: string;
}

/** Anything with labels: a build, or metadata of one. */
export interface LabelledPages {
  navigation: SiteBuild['navigation'];
  pages: readonly Pick<BuiltPage, 'path' | 'version' | 'language'>[];
}

/**
 * Returns the default version and language of a site; none if there is not exactly one. Computed
 * once per build.
 */
export const defaultLabels = oncePerObject(
  ({ navigation, pages }: LabelledPages): DefaultLabels => {
    const facts = pageFacts(navigation);
    const paths = new Set(defaultSlicePages(navigation));
    const defaultPages = pages
      .filter((page) => paths.has(page.path))
      .map((page) => ({ ...page, ...shared(facts.get(page.path)) }));
    // Several products may each have versions; then none of them is the default of all.
    const only = (sets: readonly (readonly string[])[]) => {
      const [first = [], ...others] = sets.filter((labels) => labels.length > 0);
      const labels = first.filter((label) => others.every((set) => set.includes(label)));
      return labels.length === 1 ? labels[0] : undefined;
    };
    return {
      version: only(
        defaultPages.map(({ version, versions }) => versions ?? [version ?? []].flat()),
      ),
      language: only(
        defaultPages.map(({ language, languages }) => languages ?? [language ?? []].flat()),
      ),
    };
  },
);

function shared({
  versions,
  languages,
}: Partial<PageFacts> = {}): Pick<PageFacts, 'versions' | 'languages'> {
  return { versions, languages };
}
