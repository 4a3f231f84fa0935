import { cutSidebar, type SidebarCut } from './cut-sidebar.ts';
import type {
  Division,
  DivisionKind,
  MenuChoice,
  MenuLevel,
  MenuLink,
  MenuPage,
  Navigation,
  PageMenu,
  WholeSidebar,
} from './navigation.ts';
import { buildSidebar, pageLabel, type Sidebar, type SidebarSpot } from './sidebar.ts';
import {
  createCounterparts,
  createDivisionTargets,
  divisionsOf,
  listSlices,
  type Slice,
} from './slices.ts';

/**
 * Switching between these keeps the reader on the matching page; the others open their first page.
 */
const SWITCHES: ReadonlySet<DivisionKind> = new Set(['language', 'version', 'dropdown']);

interface SliceMenu {
  slice: Slice;
  sidebar: Sidebar;
  /** Present if the sidebar is too long to be in every page. */
  cut: SidebarCut | undefined;
  /** For each division of the trail and the innermost one: the alternatives among its children. */
  levels: LevelPlan[];
  /** The links of the whole site and of the divisions around the slice, shown on every page. */
  global: MenuLevel[];
  /** The target of a switch to a division from pages without a match there. */
  nearest: Map<Division, string | undefined>;
}

interface LevelPlan {
  kind: DivisionKind;
  divisions: Division[];
  active: Division | undefined;
  /** The level that all pages of the slice share, if it does not depend on the page. */
  fixed: MenuLevel | undefined;
}

/**
 * Prepares the menus of a site. Sidebars are built once and shared by their pages.
 * @param pages every page of the site, by path
 * @param drilldown whether a click on a group opens its first page (`interaction.drilldown`)
 */
export function createMenus(
  navigation: Navigation,
  pages: ReadonlyMap<string, MenuPage>,
  drilldown = false,
) {
  /** Their addresses are known when all slices are. */
  const crumbs = new Map<Division, MenuLink>();
  const slices = listSlices(navigation).map(sliceMenu);
  /** The slice that shows a page: the first visible one that names it. */
  const homes = new Map<string, { menu: SliceMenu; spot: SidebarSpot }>();
  for (const menu of slices) findHomes(menu);
  const isIn = (path: string, division: Division) =>
    homes.get(path)?.menu.slice.trail.includes(division) === true;
  const targets = createDivisionTargets(pages, isIn);
  const counterparts = createCounterparts(
    (path, division) => isIn(path, division) && !homes.get(path)?.spot.hidden,
  );
  for (const [division, link] of crumbs) link.href = targets.href(division) ?? '';
  const links = (divisions: readonly Division[]) =>
    byKind(divisions).map((group) => fixedLevel(group.kind, group.divisions, undefined));
  const siteLinks = links(navigation.global);
  for (const menu of slices) {
    menu.levels = levelPlans(menu.slice.trail);
    menu.global = [
      ...siteLinks,
      ...links(menu.slice.trail.flatMap((division) => division.global ?? [])),
    ];
  }

  /**
   * Returns the navigation around the page of that path. A page outside the navigation gets the
   * default sidebar.
   */
  function menuFor(path: string): PageMenu {
    const home = homes.get(path);
    const menu = home?.menu ?? defaultSlice(path);
    const levels = menu?.levels.map((plan) => plan.fixed ?? level(plan, path, menu)) ?? [];
    const around = home ? neighbours(home.menu, home.spot) : {};
    return {
      levels: home ? levels : levels.map(withoutActiveChapter),
      global: menu?.global ?? siteLinks,
      sidebar: menu?.cut?.around(path) ?? menu?.sidebar.items ?? [],
      ...(menu?.cut && { wholeSidebar: menu.cut.whole }),
      sidebarId: menu?.slice.id ?? 'sidebar',
      breadcrumbs: home?.spot.breadcrumbs ?? [],
      directory: home?.spot.directory,
      ...around,
      version: menu?.slice.trail.findLast((ancestor) => ancestor.kind === 'version')?.label,
      language: languageOf(menu?.slice),
    };
  }

  /** Returns the first breadcrumb of a page, without the rest of what is around it. */
  function sectionOf(path: string): string | undefined {
    return homes.get(path)?.spot.breadcrumbs[0]?.label;
  }

  function sliceMenu(slice: Slice): SliceMenu {
    const trail = slice.trail.filter(
      (ancestor) => ancestor.kind !== 'language' && ancestor.kind !== 'version',
    );
    const breadcrumbs = trail.map((division) => {
      const link = crumbs.get(division) ?? { label: division.label, href: '' };
      crumbs.set(division, link);
      return link;
    });
    const sidebar = buildSidebar(slice, breadcrumbs, pages, drilldown);
    return {
      slice,
      sidebar,
      cut: cutSidebar(sidebar.items),
      levels: [],
      global: [],
      nearest: new Map(),
    };
  }

  function findHomes(menu: SliceMenu): void {
    for (const [path, spot] of menu.sidebar.spots) {
      const existingHome = homes.get(path);
      const isHidden = menu.slice.hidden || spot.hidden;
      const wasHidden =
        existingHome !== undefined && (existingHome.menu.slice.hidden || existingHome.spot.hidden);
      if (!existingHome || (wasHidden && !isHidden)) homes.set(path, { menu, spot });
    }
  }

  function levelPlans(trail: readonly Division[]): LevelPlan[] {
    const plans: LevelPlan[] = [];
    for (const [depth, nodes] of [
      navigation.roots,
      ...trail.map((ancestor) => ancestor.children),
    ].entries()) {
      const active = trail[depth];
      for (const { kind, divisions } of byKind(divisionsOf(nodes))) {
        const chosen = active && divisions.includes(active) ? active : undefined;
        const fixed =
          SWITCHES.has(kind) && chosen ? undefined : fixedLevel(kind, divisions, chosen);
        plans.push({ kind, divisions, active: chosen, fixed });
      }
    }
    return plans.filter((plan) => plan.fixed === undefined || plan.fixed.items.length > 0);
  }

  function fixedLevel(
    kind: DivisionKind,
    divisions: readonly Division[],
    active: Division | undefined,
  ): MenuLevel {
    const items: MenuChoice[] = [];
    for (const division of divisions) {
      const href = division.hidden ? undefined : targets.href(division);
      if (href !== undefined) items.push(choice(division, division === active, href));
    }
    return { kind, items };
  }

  /** A level whose choices link to the matching page of each version, language or dropdown. */
  function level(plan: LevelPlan, path: string, menu: SliceMenu): MenuLevel {
    const items: MenuChoice[] = [];
    for (const division of plan.divisions) {
      if (division.hidden) continue;
      const isActive = division === plan.active;
      const match = isActive ? path : counterparts.find(path, plan.active as Division, division);
      const href = switchHref(match, division, plan.active as Division, menu, isActive);
      if (href === undefined) continue;
      const isTwin =
        division.kind === 'language' && division.href === undefined && match !== undefined;
      const twin = isTwin ? { twin: { language: division.id, isDefault: division.default } } : {};
      items.push({ ...choice(division, isActive, href), ...twin });
    }
    return { kind: plan.kind, items };
  }

  /** @param match returns the page of `to` that corresponds to the current one */
  function switchHref(
    match: string | undefined,
    to: Division,
    from: Division,
    menu: SliceMenu,
    isActive: boolean,
  ): string | undefined {
    if (to.href !== undefined) return to.href;
    if (isActive) return pages.get(match ?? '')?.href ?? targets.href(to);
    if (match !== undefined) return pages.get(match)?.href;
    if (!menu.nearest.has(to))
      menu.nearest.set(
        to,
        targets.nearestHref(to, menu.slice.trail.slice(menu.slice.trail.indexOf(from))),
      );
    return menu.nearest.get(to);
  }

  /**
   * The slice for a page that no slice names: that of the version and language whose folder
   * contains it, otherwise the default.
   */
  function defaultSlice(path: string): SliceMenu | undefined {
    let candidates = slices.filter((menu) => !menu.slice.hidden);
    for (let depth = 0; candidates.some((menu) => menu.slice.trail[depth]); depth++) {
      const divisions = [...new Set(candidates.map((menu) => menu.slice.trail[depth]))];
      const chosen =
        divisions.find(
          (option) => option && SWITCHES.has(option.kind) && ownsFolder(option, path),
        ) ??
        divisions.find((option) => option === undefined || option.default) ??
        divisions[0];
      candidates = candidates.filter((menu) => menu.slice.trail[depth] === chosen);
    }
    return candidates[0] ?? slices[0];
  }

  function ownsFolder(division: Division, path: string): boolean {
    const prefix = counterparts.prefix(division);
    return prefix !== '' && path.startsWith(prefix);
  }

  /** Returns the sidebars that no page has as a whole, with their language. */
  function wholeSidebars(): WholeSidebar[] {
    return slices.flatMap(({ cut, slice }) =>
      cut ? [{ items: cut.whole, language: languageOf(slice) }] : [],
    );
  }

  return { menuFor, sectionOf, wholeSidebars };
}

function languageOf(slice: Slice | undefined): string | undefined {
  return slice?.trail.findLast((ancestor) => ancestor.kind === 'language')?.id;
}

function choice(division: Division, active: boolean, href: string): MenuChoice {
  const { label, icon, description, tag } = division;
  return {
    label,
    ...(icon ? { icon } : {}),
    ...(description ? { description } : {}),
    ...(tag ? { tag } : {}),
    active,
    href,
  };
}

function byKind(divisions: readonly Division[]): { kind: DivisionKind; divisions: Division[] }[] {
  return [...Map.groupBy(divisions, (division) => division.kind)].map(([kind, divisions]) => ({
    kind,
    divisions,
  }));
}

function neighbours(menu: SliceMenu, spot: SidebarSpot): Pick<PageMenu, 'previous' | 'next'> {
  if (spot.position === undefined) return {};
  const link = (page: MenuPage | undefined) => page && { label: pageLabel(page), href: page.href };
  return {
    previous: link(menu.sidebar.order[spot.position - 1]),
    next: link(menu.sidebar.order[spot.position + 1]),
  };
}

/** A page outside the navigation is in no tab, but still in a language and a version. */
function withoutActiveChapter(level: MenuLevel): MenuLevel {
  if (level.kind === 'language' || level.kind === 'version') return level;
  return { kind: level.kind, items: level.items.map((item) => ({ ...item, active: false })) };
}
