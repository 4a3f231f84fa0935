/** What a click on a link asks for: another page of the site, a place on this one, or something for the browser. */
export type LinkTarget = 'page' | 'place' | 'elsewhere';

/** A file and not a page: an ending that begins with a letter. `/v1.2` and `/guide.html` are pages. */
const FILE = /\.(?!html?$)[a-z][a-z0-9]{0,9}$/i;

/**
 * Where an address leads, seen from the page that is open.
 * @param root address of the site's root, with a closing slash: other sites of the same server are elsewhere
 */
export function linkTarget(target: URL, current: URL, root: URL): LinkTarget {
  if (target.origin !== current.origin) return 'elsewhere';
  if (target.pathname === current.pathname && target.search === current.search) return 'place';
  const isUnderRoot = target.pathname.startsWith(root.pathname) || `${target.pathname}/` === root.pathname;
  if (!isUnderRoot || FILE.test(target.pathname) || target.pathname.startsWith(`${root.pathname}_docent/`)) return 'elsewhere';
  return 'page';
}

/** Whether the reader wants what a plain click does: this window, the main button, no modifier. */
export function isPlainClick(event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
