import type { BuiltPage } from '../../core/site-build.ts';

/** Which parts a page shows. */
export interface PageLayout {
  mode: BuiltPage['mode'];
  /** The list of pages as a column; the drawer of small screens is there in every layout. */
  sidebar: boolean;
  /** The column at the end: headings or examples. */
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

/** The layout that a page's `mode` asks for. */
export function layoutOf(mode: BuiltPage['mode']): PageLayout {
  return { mode, ...LAYOUTS[mode] };
}
