import { emptyHtml, type Html, html } from '../../core/html.ts';
import type { Frame } from '../frame.ts';
import { interfaceIcon } from './interface-icons.ts';
import { DRAWER_ID } from './sidebar-panel.ts';
import { TOC_ID } from './toc.ts';

export interface LocalBar {
  /** The page's group. */
  section?: string;
  title: string;
  hasSidebar: boolean;
  hasToc: boolean;
}

/** The second row of small screens: opens the pages on one side and the headings on the other; works without scripts. */
export function localBar(frame: Frame, bar: LocalBar): Html {
  const { messages } = frame.locale;
  if (!bar.hasSidebar && !bar.hasToc) return emptyHtml;
  const section = bar.section ? html`<span class="d-local-section">${bar.section}</span>` : emptyHtml;
  const menu = bar.hasSidebar
    ? html`<button type="button" class="d-local-menu" popovertarget="${DRAWER_ID}">${interfaceIcon('menu', 18)}<span class="d-vh">${messages.openMenu}</span><span class="d-local-trail" aria-hidden="true">${section}<span class="d-local-title">${bar.title}</span></span></button>`
    : emptyHtml;
  const headings = bar.hasToc
    ? html`<button type="button" class="d-local-toc" popovertarget="${TOC_ID}">${interfaceIcon('lines')}<span class="d-vh">${messages.onThisPage}</span></button>`
    : emptyHtml;
  return html`<div class="d-local">${menu}${headings}</div>`;
}
