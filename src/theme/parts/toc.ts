import type { TocEntry } from '../../core/content/page-content.ts';
import { emptyHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import type { Frame } from '../frame.ts';
import { interfaceIcon } from './interface-icons.ts';

/** The element that the button of small screens opens. */
export const TOC_ID = 'table-of-contents';

/**
 * Renders the table of contents. A single heading has none.
 * @param owners ids of entries that contain the following entries, at any depth: the entries of a changelog
 */
export function toc(frame: Frame, entries: readonly TocEntry[], owners: ReadonlySet<string> = new Set()): Html {
  if (entries.length < 2) return emptyHtml;
  const above: number[] = [];
  const items = entries.map((entry) => {
    const depth = entry.depth + (owners.size > 0 && !owners.has(entry.id) ? 1 : 0);
    // The parents of an entry are the larger headings before it: steps before the first heading have none.
    while ((above.at(-1) ?? 0) >= depth) above.pop();
    const level = Math.min(above.push(depth) - 1, 2);
    const address = trustedHtml(`#${encodeFragment(entry.id)}`);
    return html`<li class="toc-item" data-depth="${level}"><a href="${address}">${entry.text}</a></li>`;
  });
  const title = html`<div class="d-toc-title">${interfaceIcon('lines', 14)}${frame.locale.messages.onThisPage}</div>`;
  return html`<nav id="${TOC_ID}" class="d-toc toc" popover aria-label="${frame.locale.messages.onThisPage}">${title}<ul id="table-of-contents-content">${items}</ul></nav>`;
}

/** Returns a heading's id as a URL fragment: letters of every script stay readable. */
function encodeFragment(id: string): string {
  return id.replace(/[\s"'<>&%`^{}|\\]/g, (char) => encodeURIComponent(char));
}
