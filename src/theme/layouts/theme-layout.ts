import { emptyHtml, type Html, html } from '../../core/html.ts';
import type { BuiltPage } from '../../core/site-build.ts';

/** The available structures. Every theme name of the format maps to one of them, with its own tokens. */
export type ThemeFamily = 'mint' | 'maple' | 'palm' | 'aspen';

const FAMILIES: ReadonlyMap<string, ThemeFamily> = new Map([
  ['mint', 'mint'],
  ['linden', 'mint'],
  ['maple', 'maple'],
  ['willow', 'maple'],
  ['sequoia', 'maple'],
  ['palm', 'palm'],
  ['aspen', 'aspen'],
  ['almond', 'aspen'],
  ['luma', 'aspen'],
]);

/** Returns the structure of a theme; that of `mint` for an unknown name. */
export function familyOf(theme: string): ThemeFamily {
  return FAMILIES.get(theme) ?? 'mint';
}

/** Position of the header on wide screens: across the top, or above the list of pages. On small ones it is always at the top. */
export type Shell = 'top' | 'side';

/** A page without a list of pages has no column for the header. */
export function shellOf(family: ThemeFamily, layout: Pick<PageLayout, 'sidebar'>): Shell {
  return family === 'maple' && layout.sidebar ? 'side' : 'top';
}

export interface Regions {
  header: Html;
  sidebar: Html;
  /** Article, rail and footer. */
  body: Html;
  /** Whether the list of pages is a column on wide screens; otherwise it is only the drawer of small ones. */
  sidebarColumn: boolean;
  rail: 'aside' | 'toc' | 'none';
}

/** Arranges the regions in reading order of the shell: header, list of pages, article. */
export function arrange(shell: Shell, regions: Regions): Html {
  const { header, sidebar, body, rail } = regions;
  const column = regions.sidebarColumn ? 'column' : 'drawer';
  const [above, inside] = shell === 'side' ? [emptyHtml, header] : [header, emptyHtml];
  return html`${above}<div class="d-page" data-rail="${rail}" data-sidebar="${column}"><div id="sidebar" class="d-side">${inside}${sidebar}</div>${body}</div>`;
}

/** The visible parts of a page. */
export interface PageLayout {
  mode: BuiltPage['mode'];
  /** The list of pages as a column; the drawer of small screens is in every layout. */
  sidebar: boolean;
  /** The right column: headings or examples. */
  rail: boolean;
  title: boolean;
  pagination: boolean;
  footer: boolean;
}

const WHOLE = { sidebar: true, rail: true, title: true, pagination: true, footer: true };
const BLANK = { sidebar: false, rail: false, title: false, pagination: false, footer: false };

const LAYOUTS: Record<BuiltPage['mode'], Omit<PageLayout, 'mode'>> = {
  default: WHOLE,
  wide: { ...WHOLE, rail: false },
  center: { ...WHOLE, sidebar: false, rail: false },
  custom: BLANK,
  frame: { ...BLANK, sidebar: true },
  assistant: BLANK,
};

/** Returns the layout for a page's `mode`. */
export function layoutOf(mode: BuiltPage['mode']): PageLayout {
  return { mode, ...LAYOUTS[mode] };
}
