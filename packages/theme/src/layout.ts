import type { BuiltPage } from '@docent/format/build/site-build.ts';
import { attributes, emptyHtml, type Html, html } from '@docent/format/html.ts';
import { banner } from './parts/banner.ts';
import { clientData } from './parts/client-data.ts';
import { previewAssets, previewBar } from './parts/preview-bar.ts';
import type { Frame } from './view/frame.ts';
import { familyOf, type ThemeFamily } from './view/theme-family.ts';

/**
 * Position of the header on wide screens: across the top, or above the list of pages. On small ones
 * it is always at the top.
 */
type Shell = 'top' | 'side';

/** A page without a list of pages has no column for the header. */
export function shellOf(family: ThemeFamily, layout: Pick<PageLayout, 'sidebar'>): Shell {
  return family === 'maple' && layout.sidebar ? 'side' : 'top';
}

interface Regions {
  header: Html;
  sidebar: Html;
  /** Article, rail and footer. */
  body: Html;
  /**
   * Whether the list of pages is a column on wide screens; otherwise it is only the drawer of small
   * ones.
   */
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
interface PageLayout {
  /** The list of pages as a column; the drawer of small screens is in every layout. */
  sidebar: boolean;
  /** The right column: headings or examples. */
  rail: boolean;
  /** The title above the author's content; feedback, pagination and footer below it. */
  ends: boolean;
}

/** The layout for each `mode` of a page. */
export const LAYOUTS: Record<BuiltPage['mode'], PageLayout> = {
  default: { sidebar: true, rail: true, ends: true },
  wide: { sidebar: true, rail: false, ends: true },
  center: { sidebar: false, rail: false, ends: true },
  custom: { sidebar: false, rail: false, ends: false },
  frame: { sidebar: true, rail: false, ends: false },
  assistant: { sidebar: false, rail: false, ends: false },
};

/** The parts of one document, from the outside in. */
interface DocumentParts {
  frame: Frame;
  head: Html;
  hasTabs: boolean;
  shell: Shell;
  /** The regions, in shell order. */
  body: Html;
  mode: string;
  version?: string;
  language?: string;
  /** Names of the custom elements in the page's content. */
  elements?: readonly string[];
}

/**
 * Renders the whole document. A site's own CSS relies on `data-current-path`, `data-theme` and the
 * ids of the regions. The class
 * `dark` is preset if dark is the default, for readers without scripts.
 */
export function documentOf(parts: DocumentParts): string {
  const { frame, version, language } = parts;
  const { config } = frame.site;
  const root = attributes({
    lang: frame.locale.tag,
    dir: frame.locale.direction,
    class: config.appearance.default === 'dark' ? 'dark' : undefined,
    'data-current-path': frame.href,
    'data-theme': config.theme,
    'data-layout': familyOf(config.theme),
    'data-shell': parts.shell,
    'data-mode': parts.mode,
    'data-tabs': parts.hasTabs,
    'data-code-mode': config.codeblocks.mode === 'dark' ? 'dark' : undefined,
    'data-decoration': config.background.image ? 'image' : config.background.decoration,
    'data-version': version,
    'data-language': language,
  });
  const data = clientData(frame, { version, language, elements: parts.elements });
  return html`<!doctype html>
<html${root}><head>${parts.head}${previewAssets(frame)}</head><body><a class="d-skip" href="#content-area">${frame.locale.messages.skipToContent}</a>${banner(frame)}${parts.body}${previewBar(frame)}${data}</body></html>
`.value;
}
