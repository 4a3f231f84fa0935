import { pageData } from '../page-data.ts';

/** The URL of the site's root, which pages of a bundle write relative to themselves. */
export function siteRoot(current: URL): URL {
  return new URL(pageData().root, current);
}

/** Returns the link of an event that the browser would follow in this window. */
export function followedLink(target: EventTarget | null): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return undefined;
  return link.target === '' || link.target === '_self' ? link : undefined;
}

/**
 * Returns the page of the site that the link targets; undefined for other targets and for the
 * current page.
 */
export function pageLink(target: EventTarget | null, current: URL): URL | undefined {
  const link = followedLink(target);
  // An invalid URL has no protocol here.
  if (link?.protocol !== location.protocol) return undefined;
  const url = new URL(link.href);
  return linkTarget(url, new URL(location.href), siteRoot(current)) === 'page' ? url : undefined;
}

/**
 * The target of a link click: another page of the site, an anchor on this one, or something for the
 * browser.
 */
type LinkTarget = 'page' | 'place' | 'elsewhere';

/**
 * A file rather than a page: an extension that starts with a letter. `/v1.2` and `/guide.html` are
 * pages.
 */
const FILE = /\.(?!html?$)[a-z][a-z0-9]{0,9}$/i;

/**
 * Returns the target of an address on the current page.
 * @param root URL of the site's root, with a trailing slash: other sites of the same server are
 *   external
 */
export function linkTarget(target: URL, current: URL, root: URL): LinkTarget {
  if (target.origin !== current.origin) return 'elsewhere';
  if (target.pathname === current.pathname && target.search === current.search) return 'place';
  const isUnderRoot =
    target.pathname.startsWith(root.pathname) || `${target.pathname}/` === root.pathname;
  // Answers of the server to this reader, which change what the reader may see.
  if (/^(?:login|logout)\/?$/.test(target.pathname.slice(root.pathname.length))) return 'elsewhere';
  if (
    !isUnderRoot ||
    FILE.test(target.pathname) ||
    target.pathname.startsWith(`${root.pathname}_docent/`)
  )
    return 'elsewhere';
  return 'page';
}
