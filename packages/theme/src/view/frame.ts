import type { BundleService } from '@docent/format/exports/bundle-services.ts';
import { emptyHtml, type Html, html, trustedHtml } from '@docent/format/html.ts';
import { type ResolveLink, resolveMarks } from '@docent/format/links.ts';
import { onceForEach, oncePerObject } from '@docent/format/once.ts';
import { type Locale, localeOf } from '../translations/translations.ts';
import type { SiteView } from './page-view.ts';

/** The shared context of a page's parts; created once for each page. */
export interface Frame {
  site: SiteView;
  /** Site path of the page. */
  href: string;
  resolve: ResolveLink;
  locale: Locale;
}

const EXTERNAL = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const ALLOWED_SCHEME = /^(?:https?|mailto|tel|ftp|sms):/i;

/** Returns whether an address of docs.json is external. */
export function isExternal(href: string): boolean {
  return EXTERNAL.test(href);
}

/**
 * Returns the address for a link of docs.json or of the menu. A link with a scheme that can run
 * code becomes inert.
 */
export function linkTo(frame: Pick<Frame, 'resolve'>, href: string): string {
  if (href.startsWith('//')) return `https:${href}`;
  if (isExternal(href)) return ALLOWED_SCHEME.test(href) ? href : '#';
  if (href.startsWith('#')) return href;
  return frame.resolve('page', href.startsWith('/') ? href : `/${href}`);
}

/** Returns the attributes of that link. */
export function linkAttributes(frame: Frame, href: string): Html {
  return html` href="${linkTo(frame, href)}"${isExternal(href) && html` rel="noreferrer"`}`;
}

/**
 * Returns the address of a file of the site (logo, favicon): a site path, or an allowed external
 * URL.
 */
export function fileAt(frame: Pick<Frame, 'resolve'>, path: string): string {
  if (/^data:image\//i.test(path) || /^https?:/i.test(path)) return path;
  return frame.resolve('asset', `/${path.replace(/^(?:\.?\/)+/, '')}`);
}

/**
 * Renders an icon of the site's library, or an image of the site (its address is a mark); nothing
 * if the name is absent or unknown.
 */
export function siteIcon(frame: Pick<Frame, 'site' | 'resolve'>, name: string | undefined): Html {
  const icon = name ? frame.site.icon?.(name) : undefined;
  return icon ? trustedHtml(resolveMarks(icon.value, frame.resolve)) : emptyHtml;
}

/** Creates the context. */
export function frameOf(
  view: { site: SiteView; resolve: ResolveLink },
  href: string,
  language: string | undefined,
): Frame {
  return {
    site: siteIn(view.site)(language),
    href,
    resolve: view.resolve,
    locale: localeOf(language),
  };
}

/**
 * Returns the site for readers of a language: with the language's own header, footer and banner.
 * One object per language, because it is the cache key of shared parts.
 */
const siteIn = oncePerObject((site: SiteView) =>
  onceForEach((language: string | undefined): SiteView => {
    const languageOverride = site.config.byLanguage?.find((entry) => entry.language === language);
    return languageOverride
      ? { ...site, config: { ...site.config, ...languageOverride.parts } }
      : site;
  }),
);

/**
 * Identifies the set of pages that write the same addresses: all pages of a site on a server, the
 * pages of one depth in a bundle. Parts without other page-specific content are rendered once for
 * each such set.
 */
function linkScope(frame: Pick<Frame, 'site' | 'href'>): string {
  if (frame.site.linkStyle !== 'html') return '';
  return (
    frame.site.rootPrefix?.({ href: frame.href }) ??
    frame.href.slice(0, frame.href.lastIndexOf('/') + 1)
  );
}

/**
 * Returns the path of the page's Markdown version: `/guides/start.md`, `/index.md` for the start
 * page.
 */
export function markdownPath(frame: Pick<Frame, 'resolve'>, href: string): string {
  return frame.resolve('asset', `${href === '/' ? '/index' : href}.md`);
}

const partsOf = oncePerObject((_: SiteView) => new Map<string, unknown>());

/**
 * Renders a part that is the same for every page of one site, link scope and language only once. It
 * must not depend on anything else of the page.
 * @param part names it; different parts have different names
 */
export function oncePerScope<Part>(frame: Frame, part: string, render: () => Part): Part {
  const parts = partsOf(frame.site);
  const key = `${part}\n${frame.locale.tag}\n${linkScope(frame)}`;
  if (!parts.has(key)) parts.set(key, render());
  return parts.get(key) as Part;
}

/**
 * Marks an element that is shown only if the server has a service, where pages do not know that.
 */
export function shownWith({ site }: Frame, service: BundleService): Record<string, string> {
  return site.services?.names.includes(service) ? { 'data-service': service } : {};
}
