/** The `navigation` object of docs.json after its shape was checked; still as the author nested it. */
export type NavigationSource = Record<string, unknown>;

/** The kinds of division that docs.json can nest, in any order. */
export type DivisionKind = 'language' | 'version' | 'product' | 'dropdown' | 'anchor' | 'tab' | 'menu';

/** A page that is made from a description instead of a file, with its place in the menu. */
export interface GeneratedPage {
  /** `BuiltPage.path`. */
  path: string;
  /** The group that it stands in. */
  group?: string;
  /** The group inside that one. */
  subgroup?: string;
  /** Has a page, but no place in the menu unless the navigation names it. */
  hidden?: boolean;
}

/** A page made from an API description. */
export interface ApiPageRef extends GeneratedPage {
  /** Upper case; `WEBHOOK` for webhooks. */
  method: string;
  /** Path of the operation as the description has it, or the name of a webhook or channel. */
  route: string;
  title: string;
  /** `groups` of the operation, as written. */
  groups?: unknown;
  /** `OpenApiSource.source` that it comes from. */
  source: string;
}

/** A choice that the reader makes outside the sidebar: a tab, a version, a language … */
export interface Division {
  kind: DivisionKind;
  /** What readers see; of a language its own name (`Deutsch`), of a version the version as written. */
  label: string;
  /** Stable within its siblings; made from the label, of a language its code as written (`pt-BR`). */
  id: string;
  icon?: string;
  description?: string;
  /** Badge text. */
  tag?: string;
  color?: Partial<{ light: string; dark: string }>;
  /** A division may be a link to elsewhere instead of having children. */
  href?: string;
  hidden: boolean;
  default: boolean;
  /** `true` keeps the pages of a hidden division findable, `false` takes those of a visible one out of search. */
  searchable?: boolean;
  /** Weight of its pages in search. */
  boost?: number;
  /** Links that stand on its pages beside those of the whole site. */
  global?: Division[];
  children: NavigationNode[];
}

/** How the page of a group lists what the group holds. */
export type DirectoryStyle = 'accordion' | 'card';

export interface Group {
  kind: 'group';
  label: string;
  icon?: string;
  tag?: string;
  /** The page (its `path`) that the group's own title leads to. */
  root?: string;
  /** How that page lists what the group holds; absent: not at all. */
  directory?: DirectoryStyle;
  expanded: boolean;
  hidden: boolean;
  /** As in `Division`. */
  searchable?: boolean;
  /** Weight of its pages in search. */
  boost?: number;
  children: NavigationNode[];
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
  /** Links that stand on every page (`navigation.global`). */
  global: Division[];
}

/** What `menuFor` needs to know of a page; `BuiltPage` has it. */
export interface MenuPage {
  path: string;
  href: string;
  title: string;
  sidebarTitle?: string;
  description?: string;
  icon?: string;
  tag?: string;
  deprecated?: boolean;
  /** An entry that leads to another site (frontmatter `url`). */
  externalUrl?: string;
  /** HTTP method of an API page, shown as a badge. */
  method?: string;
  hidden?: boolean;
}

/** One row of choices above the sidebar, outermost first. */
export interface MenuLevel {
  kind: DivisionKind;
  items: MenuChoice[];
}

export interface MenuChoice {
  label: string;
  /** Of a language in which there is the same page: its code. Absent where `href` leads to another page. */
  twin?: { language: string; isDefault: boolean };
  icon?: string;
  description?: string;
  tag?: string;
  active: boolean;
  /** The matching page in that division where it exists, else its first page; site path or absolute address. */
  href: string;
}

export interface MenuLink {
  label: string;
  href: string;
}

export type SidebarItem =
  | {
      kind: 'group';
      label: string;
      icon?: string;
      tag?: string;
      href?: string;
      path?: string;
      expanded: boolean;
      items: SidebarItem[];
    }
  | {
      kind: 'page';
      path: string;
      label: string;
      href: string;
      external: boolean;
      icon?: string;
      tag?: string;
      deprecated: boolean;
      method?: string;
    };

/** An entry of the list on the page of a group. */
export interface DirectoryItem {
  label: string;
  /** Site path or absolute address; a group without pages of its own leads to its first one. */
  href: string;
  icon?: string;
  description?: string;
  /** What a group inside holds; absent for a page. */
  items?: DirectoryItem[];
}

/** Everything that the theme shows around one page. Sidebars of pages of one slice are the same object. */
export interface PageMenu {
  levels: MenuLevel[];
  global: MenuLevel[];
  sidebar: readonly SidebarItem[];
  /** Names one sidebar; pages with the same id share it. */
  sidebarId: string;
  breadcrumbs: MenuLink[];
  /** What the group that this page is the page of holds, where the page lists it. */
  directory?: { style: DirectoryStyle; items: DirectoryItem[] };
  previous?: MenuLink;
  next?: MenuLink;
  /** The version (as written) that the page belongs to. */
  version?: string;
  /** The code of the language (as written) that the page belongs to. */
  language?: string;
}
