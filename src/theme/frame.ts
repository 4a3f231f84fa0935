import { emptyHtml, escapeHtml, type Html, trustedHtml } from '../core/html.ts';
import { type ResolveLink, resolveMarks } from '../core/links.ts';
import type { SiteView } from './page-view.ts';
import { type Locale, localeOf } from './translations/locale.ts';

/** What the parts of one page share; made once for each page. */
export interface Frame {
  site: SiteView;
  /** Site path of the page. */
  href: string;
  resolve: ResolveLink;
  locale: Locale;
}

const EXTERNAL = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const ALLOWED_SCHEME = /^(?:https?|mailto|tel|ftp|sms):/i;

/** Whether an address of docs.json leads out of the site. */
export function isExternal(href: string): boolean {
  return EXTERNAL.test(href);
}

/**
 * The address to write for a link of docs.json or of the menu, escaped for an attribute. A link with a scheme that can
 * run code leads nowhere.
 */
export function linkTo(frame: Pick<Frame, 'resolve'>, href: string): string {
  if (href.startsWith('//')) return escapeHtml(`https:${href}`);
  if (isExternal(href)) return ALLOWED_SCHEME.test(href) ? escapeHtml(href) : '#';
  if (href.startsWith('#')) return escapeHtml(href);
  return escapeHtml(frame.resolve('page', href.startsWith('/') ? href : `/${href}`));
}

/** The address of a file of the site (logo, favicon): a site path, or an address elsewhere that was allowed. */
export function fileAt(frame: Pick<Frame, 'resolve'>, path: string): string {
  if (/^data:image\//i.test(path) || /^https?:/i.test(path)) return escapeHtml(path);
  return escapeHtml(frame.resolve('asset', `/${path.replace(/^(?:\.?\/)+/, '')}`));
}

/** An icon of the site's library, or an image of the site (its address is a mark); nothing where the name is absent or unknown. */
export function siteIcon(frame: Pick<Frame, 'site' | 'resolve'>, name: string | undefined): Html {
  const icon = name ? frame.site.icon?.(name) : undefined;
  return icon ? trustedHtml(resolveMarks(icon.value, frame.resolve)) : emptyHtml;
}

/** Puts the shared parts together. */
export function frameOf(view: { site: SiteView; resolve: ResolveLink }, href: string, language: string | undefined): Frame {
  return { site: siteFor(view.site, language), href, resolve: view.resolve, locale: localeOf(language) };
}

const byLanguage = new WeakMap<SiteView, Map<string, SiteView>>();

/** The site as readers of a language see it: with the header, the footer and the banner that the language has of its own. */
export function siteFor(site: SiteView, language: string | undefined): SiteView {
  const own = language === undefined ? undefined : site.config.byLanguage?.find((one) => one.language === language);
  if (!own) return site;
  const made = byLanguage.get(site) ?? new Map<string, SiteView>();
  byLanguage.set(site, made);
  // One object for each language: what pages share is remembered by it.
  const known = made.get(own.language);
  if (known) return known;
  const view: SiteView = { ...site, config: { ...site.config, ...own.parts } };
  made.set(own.language, view);
  return view;
}

/**
 * Names the set of pages that write the same addresses: all pages of a site on a server, the pages of one depth in a
 * bundle. Parts that hold nothing else of the page are rendered once for each such set.
 */
export function linkScope(frame: Pick<Frame, 'site' | 'href'>): string {
  if (frame.site.linkStyle !== 'html') return '';
  return frame.site.rootPrefix?.({ href: frame.href }) ?? frame.href.slice(0, frame.href.lastIndexOf('/') + 1);
}
