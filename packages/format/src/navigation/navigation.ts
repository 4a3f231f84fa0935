/** The kinds of division that docs.json can nest, in any order. */
export type DivisionKind =
  | 'language'
  | 'version'
  | 'product'
  | 'dropdown'
  | 'anchor'
  | 'tab'
  | 'menu';

interface NavigationPart {
  /**
   * The visible label; of a language its native name (`Deutsch`), of a version the version as
   * written.
   */
  label: string;
  icon?: string;
  tag?: string;
  hidden: boolean;
  /**
   * `true` keeps the pages of a hidden part searchable, `false` excludes those of a visible one from search.
   */
  searchable?: boolean;
  /** Weight of its pages in search. */
  boost?: number;
  children: NavigationNode[];
}

/** A choice outside the sidebar: a tab, a version, a language … */
export interface Division extends NavigationPart {
  kind: DivisionKind;
  /**
   * Stable among its siblings; made from the label, of a language its code as written (`pt-BR`).
   */
  id: string;
  description?: string;
  color?: Partial<{ light: string; dark: string }>;
  /** A division may be an external link instead of having children. */
  href?: string;
  default: boolean;
  /** Links on its pages, in addition to those of the whole site. */
  global?: Division[];
}

/** How the page of a group lists the group's contents. */
export type DirectoryStyle = 'accordion' | 'card';

export interface Group extends NavigationPart {
  kind: 'group';
  /** The page (its `path`) that the group's title links to. */
  root?: string;
  /** How that page lists the group's contents; absent: not at all. */
  directory?: DirectoryStyle;
  expanded: boolean;
}

export interface PageLink {
  kind: 'page';
  /** Page path as in `SitePage.path`. */
  path: string;
}

export type NavigationNode = Division | Group | PageLink;

/** The whole menu of a site. */
export interface Navigation {
  roots: NavigationNode[];
  /** Links on every page (`navigation.global`). */
  global: Division[];
}

/** What `menuFor` needs from a page; `BuiltPage` has it. */
export interface MenuPage {
  path: string;
  href: string;
  title: string;
  sidebarTitle?: string;
  description?: string;
  icon?: string;
  tag?: string;
  deprecated?: boolean;
  /** An entry that links to another site (frontmatter `url`). */
  externalUrl?: string;
  /** HTTP method of an API page, shown as a badge. */
  method?: string;
  hidden?: boolean;
}

/** A row of choices above the sidebar, outermost first. */
export interface MenuLevel {
  kind: DivisionKind;
  items: MenuChoice[];
}

export interface MenuChoice {
  label: string;
  /**
   * The language code, if the same page exists in that language. Absent if `href` is another page.
   */
  twin?: { language: string; isDefault: boolean };
  icon?: string;
  description?: string;
  tag?: string;
  active: boolean;
  /**
   * The matching page in that division if it exists, otherwise its first page; site path or
   * absolute URL.
   */
  href: string;
}

export interface MenuLink {
  label: string;
  href: string;
}

interface SidebarEntry {
  label: string;
  icon?: string;
  tag?: string;
}

export interface SidebarPage extends SidebarEntry {
  kind: 'page';
  path: string;
  href: string;
  external: boolean;
  deprecated: boolean;
  method?: string;
}

export interface SidebarGroup<Item = SidebarItem> extends SidebarEntry {
  kind: 'group';
  href?: string;
  path?: string;
  expanded: boolean;
  items: Item[];
}

export type SidebarItem = SidebarGroup | SidebarPage;

/** A group as a page shows it. */
export interface MenuGroup extends SidebarGroup<MenuItem> {
  /** Whether readers can close it although it is at the top. */
  folds?: boolean;
  /** Whether only the whole list, which is in a file, contains its items. */
  isCut?: boolean;
}

/**
 * An entry of the list of pages as a page shows it. `more` leads to the nearest of the entries that
 * are left out there.
 */
export type MenuItem = MenuGroup | SidebarPage | { kind: 'more'; label: string; href: string };

/** A list of pages of which each page has only a part. */
export interface WholeSidebar {
  items: readonly MenuItem[];
  language: string | undefined;
}

/** An entry of the list on a group's page. */
export interface DirectoryItem {
  label: string;
  /** Site path or absolute URL; a group without its own page links to its first one. */
  href: string;
  icon?: string;
  description?: string;
  /** The contents of a nested group; absent for a page. */
  items?: DirectoryItem[];
}

/**
 * The navigation around one page. Pages of one slice share the same sidebar object, or, of a long
 * one, the whole of it.
 */
export interface PageMenu {
  levels: MenuLevel[];
  global: MenuLevel[];
  sidebar: readonly MenuItem[];
  /** The whole list of pages, if `sidebar` is only the part around this page. */
  wholeSidebar?: readonly MenuItem[];
  /** Identifies a sidebar; pages with the same id share it. */
  sidebarId: string;
  breadcrumbs: MenuLink[];
  /** The contents of the group if this is the group's page and lists them. */
  directory?: { style: DirectoryStyle; items: DirectoryItem[] };
  previous?: MenuLink;
  next?: MenuLink;
  /** The version (as written) that the page belongs to. */
  version?: string;
  /** The code of the language (as written) that the page belongs to. */
  language?: string;
}
