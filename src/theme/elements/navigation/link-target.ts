/** The target of a link click: another page of the site, an anchor on this one, or something for the browser. */
export type LinkTarget = 'page' | 'place' | 'elsewhere';

/** A file rather than a page: an extension that starts with a letter. `/v1.2` and `/guide.html` are pages. */
const FILE = /\.(?!html?$)[a-z][a-z0-9]{0,9}$/i;

/**
 * Returns the target of an address on the current page.
 * @param root URL of the site's root, with a trailing slash: other sites of the same server are external
 */
export function linkTarget(target: URL, current: URL, root: URL): LinkTarget {
  if (target.origin !== current.origin) return 'elsewhere';
  if (target.pathname === current.pathname && target.search === current.search) return 'place';
  const isUnderRoot = target.pathname.startsWith(root.pathname) || `${target.pathname}/` === root.pathname;
  if (!isUnderRoot || FILE.test(target.pathname) || target.pathname.startsWith(`${root.pathname}_docent/`)) return 'elsewhere';
  return 'page';
}

/** Returns whether it is a plain click: this window, the main button, no modifier. */
export function isPlainClick(event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
