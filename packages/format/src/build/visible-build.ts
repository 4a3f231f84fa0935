import type { PageAudience } from '../access/audience.ts';
import type { Division, Navigation, NavigationNode } from '../navigation/navigation.ts';
import { finishSiblings } from '../navigation/node-fields.ts';
import { oncePerObject } from '../once.ts';
import type { AudienceCounts, BuiltPage, FileEntry, IndexEntry, SiteBuild } from './site-build.ts';

/** Says whether a reader may read what has this audience; from `mayRead`. */
export type CanRead = (audience: PageAudience) => boolean;

/** Of what has no audience of its own. */
const OF_SITE: PageAudience = { isPublic: false };

/** The audiences that the pages and files of a build have, each once. */
const audiencesOf = oncePerObject((build: SiteBuild): PageAudience[] => {
  const pages = [...build.pages, ...(build.restricted?.pages ?? [])];
  const all = [
    OF_SITE,
    ...pages.flatMap(({ audience = OF_SITE }) => audience),
    ...Object.values(build.restricted?.audiences ?? {}),
  ];
  return [...new Map(all.map((audience) => [JSON.stringify(audience), audience])).values()];
});

/**
 * Returns what tells the readers apart who do not see the same of a build: two readers with the
 * same key see the same.
 * @returns `undefined` for those who see what everybody sees, which is the build itself without its
 *   restricted part
 */
export function audienceKey(build: SiteBuild, canRead: CanRead): string | undefined {
  const audiences = audiencesOf(build);
  if (audiences.every((audience) => canRead(audience) === (audience.groups === undefined)))
    return undefined;
  return audiences.map((audience) => (canRead(audience) ? '1' : '0')).join('');
}

/** Returns the pages of a build that a reader may read, in the order of the site. */
export function visiblePages(build: SiteBuild, canRead: CanRead): BuiltPage[] {
  return allPages(build).filter(({ audience = OF_SITE }) => canRead(audience));
}

/** Returns all pages of a build, in the order of the site. */
export function allPages({
  pages,
  restricted,
}: Pick<SiteBuild, 'pages' | 'restricted'>): BuiltPage[] {
  if (!restricted) return pages;
  const all = [...pages];
  for (const [index, page] of restricted.pages.entries())
    all.splice(restricted.places[index] as number, 0, page);
  return all;
}

/**
 * Returns the build that a reader sees: in no part of it is a trace of what the reader may not
 * read, so what is made of it needs no further check.
 * @param key as `audienceKey` returns it
 * @param searchIndex the index of these pages
 */
export function visibleBuild(
  build: SiteBuild,
  canRead: CanRead,
  key: string,
  searchIndex: IndexEntry,
): SiteBuild {
  const { restricted, ...open } = build;
  const pages = visiblePages(build, canRead);
  const paths = new Set(pages.map(({ path }) => path));
  const canReadFile = ([path]: [string, FileEntry]) =>
    canRead(restricted?.audiences[path] ?? OF_SITE);
  const files = Object.fromEntries(
    Object.entries({ ...open.files, ...restricted?.files }).filter(canReadFile),
  );
  const isServed = (path: string) => Object.hasOwn(files, path);
  const hidden = new Set(
    allPages(build).flatMap((page) => (paths.has(page.path) ? [] : [page.href, `/${page.path}`])),
  );
  const redirects = restricted?.redirects ?? open.config.redirects;
  const isReader = canRead(OF_SITE);
  const visible: SiteBuild = {
    ...open,
    id: `${build.id}-${key}`,
    config: {
      ...open.config,
      redirects: redirects.filter(
        ({ destination }) => !hidden.has(destination.replace(/[?#][\s\S]*/, '')),
      ),
    },
    pages,
    files,
    navigation: visibleNavigation(restricted?.navigation ?? open.navigation, (path) =>
      paths.has(path),
    ),
    styles: ((isReader && restricted?.styles) || open.styles).filter(isServed),
    scripts: open.scripts.filter(isServed),
    icons: restricted?.icons ?? open.icons,
    searchIndex,
  };
  if (isReader) return visible;
  // Texts of the owners about the whole site.
  const { assistantInstructions: _, skills: __, ...forNobody } = visible;
  return forNobody;
}

/** Returns how many pages readers see by their groups; undefined if no page is restricted. */
export function countAudiences({
  pages,
  restricted,
}: Pick<SiteBuild, 'pages' | 'restricted'>): AudienceCounts | undefined {
  if (!restricted?.pages.length) return undefined;
  const lists = restricted.pages.map(({ audience }) => audience?.groups ?? []);
  const names = [...new Set(lists.flat())].sort();
  const countOf = (name: string) =>
    pages.length + lists.filter((groups) => groups.includes(name)).length;
  return {
    pageCount: pages.length,
    groups: names.map((name) => ({ name, pageCount: countOf(name) })),
  };
}

/** Returns a build as its owners see it, for comparisons: all of it at once. */
export function wholeBuild(build: SiteBuild): SiteBuild {
  if (build.restricted === undefined) return build;
  return { ...visibleBuild(build, () => true, '', build.restricted.searchIndex), id: build.id };
}

/** Returns the menu of these pages; parts that end up empty are dropped. */
function visibleNavigation(navigation: Navigation, hasPage: (path: string) => boolean): Navigation {
  return {
    roots: visibleNodes(navigation.roots, hasPage),
    global: visibleNodes(navigation.global, hasPage) as Division[],
  };
}

function visibleNodes(
  nodes: readonly NavigationNode[],
  hasPage: (path: string) => boolean,
): NavigationNode[] {
  const visible = nodes.flatMap((node): NavigationNode[] => {
    if (node.kind === 'page') return hasPage(node.path) ? [node] : [];
    const children = visibleNodes(node.children, hasPage);
    if (node.kind === 'group') {
      const { root, ...group } = node;
      const hasRoot = root !== undefined && hasPage(root);
      return children.length > 0 || hasRoot
        ? [{ ...group, children, ...(hasRoot && { root }) }]
        : [];
    }
    const global = node.global && (visibleNodes(node.global, hasPage) as Division[]);
    const isEmpty = children.length === 0 && (node.href === undefined || node.children.length > 0);
    return isEmpty ? [] : [{ ...node, children, ...(global && { global }) }];
  });
  for (const kind of new Set(visible.map((node) => node.kind))) {
    const siblings = visible.filter((node) => node.kind === kind);
    if (kind !== 'page' && kind !== 'group') finishSiblings(siblings as Division[]);
  }
  return visible;
}
