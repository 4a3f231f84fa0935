import { pageData } from '../page-data.ts';
import { linkTarget } from './link-target.ts';

let root: URL | undefined;

/** The URL of the site's root. Pages of a bundle write it relative to themselves, so it is read on the first page. */
export function siteRoot(): URL {
  root ??= new URL(pageData().root, document.baseURI);
  return root;
}

/** Returns the link of an event that the browser would follow in this window. */
export function followedLink(target: EventTarget | null): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return undefined;
  return link.target === '' || link.target === '_self' ? link : undefined;
}

/** Returns the page of the site that the link targets; undefined for other targets and for the current page. */
export function pageLink(target: EventTarget | null): URL | undefined {
  const link = followedLink(target);
  if (!link) return undefined;
  // An invalid URL has no protocol here.
  if (link.protocol !== location.protocol) return undefined;
  const url = new URL(link.href);
  return linkTarget(url, new URL(location.href), siteRoot()) === 'page' ? url : undefined;
}
