import type { TocEntry } from '@docent/format/content/page/page-content.ts';
import { emptyHtml, type Html, html } from '@docent/format/html.ts';
import type { Frame } from '../view/frame.ts';
import { interfaceIcon } from './icons.ts';
import { DRAWER_ID } from './sidebar.ts';

/** The element that the button of small screens opens. */
const TOC_ID = 'table-of-contents';

/**
 * Renders the table of contents. A single heading has none.
 * @param owners ids of entries that contain the following entries, at any depth: the entries of a
 *   changelog
 */
export function toc(
  frame: Frame,
  entries: readonly TocEntry[],
  owners: ReadonlySet<string> = new Set(),
): Html {
  if (entries.length < 2) return emptyHtml;
  const above: number[] = [];
  const items = entries.map((entry) => {
    const depth = entry.depth + (owners.size > 0 && !owners.has(entry.id) ? 1 : 0);
    // The parents of an entry are the larger headings before it: steps before the first heading
    // have none.
    while ((above.at(-1) ?? 0) >= depth) above.pop();
    const level = Math.min(above.push(depth) - 1, 2);
    return html`<li class="toc-item" data-depth="${level}"><a href="#${encodeFragment(entry.id)}">${entry.text}</a></li>`;
  });
  const title = html`<div class="d-toc-title">${interfaceIcon('lines', 14)}${frame.locale.messages.onThisPage}</div>`;
  return html`<nav id="${TOC_ID}" class="d-toc toc" popover aria-label="${frame.locale.messages.onThisPage}">${title}<ul id="table-of-contents-content">${items}</ul></nav>`;
}

/** Returns a heading's id as a URL fragment: letters of every script stay readable. */
function encodeFragment(id: string): string {
  return id.replace(/[\s"'<>&%`^{}|\\]/g, (char) => encodeURIComponent(char));
}

interface LocalBar {
  /** The page's group. */
  section?: string;
  title: string;
  hasToc: boolean;
}

/**
 * The second row of small screens: opens the pages on one side and the headings on the other; works
 * without scripts.
 */
export function localBar(frame: Frame, bar: LocalBar): Html {
  const { messages } = frame.locale;
  const section = bar.section
    ? html`<span class="d-local-section">${bar.section}</span>`
    : emptyHtml;
  const menu = html`<button type="button" class="d-local-menu" popovertarget="${DRAWER_ID}">${interfaceIcon('menu', 18)}<span class="d-vh">${messages.openMenu}</span><span class="d-local-trail" aria-hidden="true">${section}<span class="d-local-title">${bar.title}</span></span></button>`;
  const headings = bar.hasToc
    ? html`<button type="button" class="d-local-toc" popovertarget="${TOC_ID}">${interfaceIcon('lines')}<span class="d-vh">${messages.onThisPage}</span></button>`
    : emptyHtml;
  return html`<div class="d-local">${menu}${headings}</div>`;
}
