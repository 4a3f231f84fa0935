import { pageData } from '../page-data.ts';
import { linkTarget } from './link-target.ts';

let root: URL | undefined;

/** The address of the site's root. Pages of a bundle write it relative to themselves, so it is read while the first one is open. */
export function siteRoot(): URL {
  root ??= new URL(pageData().root, document.baseURI);
  return root;
}

/** The link that an event happened on, where the browser would follow it in this window. */
export function followedLink(target: EventTarget | null): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return undefined;
  return link.target === '' || link.target === '_self' ? link : undefined;
}

/** The page of the site that the link leads to; undefined where it leads to anything else, or to this page. */
export function pageLink(target: EventTarget | null): URL | undefined {
  const link = followedLink(target);
  if (!link) return undefined;
  // What is no address at all has no protocol here.
  if (link.protocol !== location.protocol) return undefined;
  const url = new URL(link.href);
  return linkTarget(url, new URL(location.href), siteRoot()) === 'page' ? url : undefined;
}
