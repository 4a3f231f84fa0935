import type { TocEntry } from '../../core/content/page-content.ts';
import { emptyHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import type { Frame } from '../frame.ts';
import { interfaceIcon } from './interface-icons.ts';

/** The element that the button of small screens opens. */
export const TOC_ID = 'table-of-contents';

/**
 * The headings of the page. A single heading is no table.
 * @param owners ids of entries that the other entries belong to, whatever their depth: the entries of a changelog
 */
export function toc(frame: Frame, entries: readonly TocEntry[], owners: ReadonlySet<string> = new Set()): Html {
  if (entries.length < 2) return emptyHtml;
  const top = Math.min(...entries.map((entry) => entry.depth));
  const items = entries.map((entry) => {
    const isOwned = owners.size > 0 && !owners.has(entry.id);
    const level = Math.min(entry.depth - top + (isOwned ? 1 : 0), 2);
    const address = trustedHtml(`#${encodeFragment(entry.id)}`);
    return html`<li data-level="${level}"><a href="${address}">${entry.text}</a></li>`;
  });
  const title = html`<p class="d-toc-title">${interfaceIcon('lines', 14)}${frame.locale.messages.onThisPage}</p>`;
  return html`<nav id="${TOC_ID}" class="d-toc toc" popover aria-label="${frame.locale.messages.onThisPage}">${title}<ul>${items}</ul></nav>`;
}

/** A heading's id as the fragment of an address: letters of every script stay readable. */
function encodeFragment(id: string): string {
  return id.replace(/[\s"'<>&%`^{}|\\]/g, (char) => encodeURIComponent(char));
}
