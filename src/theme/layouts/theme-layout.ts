import { emptyHtml, type Html, html } from '../../core/html.ts';
import type { PageLayout } from './page-layout.ts';

/** The structures that a site can have. Every theme name of the format stands for one of them, with tokens of its own. */
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

/** The structure of a theme; a name that is not known has that of `mint`. */
export function familyOf(theme: string): ThemeFamily {
  return FAMILIES.get(theme) ?? 'mint';
}

/** Where the header stands on wide screens: across the top, or above the list of pages. On small ones it is always at the top. */
export type Shell = 'top' | 'side';

/** A page without a list of pages has no column that could take the header. */
export function shellOf(family: ThemeFamily, layout: Pick<PageLayout, 'sidebar'>): Shell {
  return family === 'maple' && layout.sidebar ? 'side' : 'top';
}

/** The regions of a page, ready to be put in their places. */
export interface Regions {
  header: Html;
  /** The list of pages. */
  sidebar: Html;
  /** Article, rail and footer. */
  body: Html;
  /** Whether the list of pages is a column on wide screens; elsewhere it is the drawer of small ones only. */
  sidebarColumn: boolean;
  rail: 'aside' | 'toc' | 'none';
}

/** Puts the regions in the order that the shell reads in: header, list of pages, article. */
export function arrange(shell: Shell, regions: Regions): Html {
  const { header, sidebar, body, rail } = regions;
  const column = regions.sidebarColumn ? 'column' : 'drawer';
  const [above, inside] = shell === 'side' ? [emptyHtml, header] : [header, emptyHtml];
  return html`${above}<div class="d-page" data-rail="${rail}" data-sidebar="${column}"><div id="sidebar" class="d-side">${inside}${sidebar}</div>${body}</div>`;
}
