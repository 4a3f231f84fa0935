import { defaultSlicePages, otherSliceFolders } from '../navigation/default-slice.ts';
import type { Navigation } from '../navigation/navigation.ts';
import { pageFacts } from '../navigation/page-facts.ts';
import type { BuiltPage } from '../site-build.ts';

type ListedPage = Pick<BuiltPage, 'path' | 'hidden' | 'noindex' | 'externalUrl' | 'language' | 'version'>;

interface ListedSite<P extends ListedPage> {
  navigation: Navigation;
  pages: readonly P[];
  indexing: 'navigable' | 'all';
}

/**
 * Returns the pages of `llms.txt`: those of the default language and version in menu order, without hidden and `noindex` pages.
 * With `seo.indexing: all`, pages outside the navigation follow, except those in the folder of another language or version.
 */
export function llmsPages<P extends ListedPage>(site: ListedSite<P>): P[] {
  const paths = new Set(defaultSlicePages(site.navigation));
  const others = otherSliceFolders(site.navigation);
  const isHere = ({ path }: P) => paths.has(path) || !others.some((folder) => path.startsWith(folder));
  return inOrder(site, [...paths]).filter((page) => isPublic(page) && isHere(page));
}

/** Returns the pages of the sitemap: those of every language and version, by the same rules, without links to other sites. */
export function sitemapPages<P extends ListedPage>(site: ListedSite<P>): P[] {
  const visible = [...pageFacts(site.navigation)].filter(([, facts]) => !facts.hidden).map(([path]) => path);
  return inOrder(site, visible).filter((page) => isPublic(page) && page.externalUrl === undefined);
}

function inOrder<P extends ListedPage>({ navigation, pages, indexing }: ListedSite<P>, paths: readonly string[]): P[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const listed = paths.map((path) => byPath.get(path)).filter((page) => page !== undefined);
  if (indexing !== 'all') return listed;
  const facts = pageFacts(navigation);
  return [...listed, ...pages.filter((page) => !facts.has(page.path))];
}

function isPublic(page: ListedPage): boolean {
  return !page.hidden && !page.noindex;
}
