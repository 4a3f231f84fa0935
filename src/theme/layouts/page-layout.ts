import type { BuiltPage } from '../../core/site-build.ts';

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
