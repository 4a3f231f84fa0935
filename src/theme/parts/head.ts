import { escapeHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import type { BuiltPage } from '../../core/site-build.ts';
import { frameColours, siteColours } from '../colours/site-colours.ts';
import { faviconLinks } from '../favicon.ts';
import { type Frame, fileAt } from '../frame.ts';
import { oncePerScope } from '../once.ts';
import { appearanceScript } from './appearance-script.ts';
import { bannerRule } from './banner.ts';
import { inlineStyle } from './inline-data.ts';
import { markdownAddress } from './page-actions.ts';

/** What the head says about one page. */
export interface HeadPage {
  href: string;
  title: string;
  description?: string;
  canonical?: string;
  keywords?: string[];
  /** Search engines are asked to stay away. */
  unlisted: boolean;
  /** Whether there is a Markdown twin and an address worth naming. */
  bare: boolean;
}

/** Tags that the theme writes itself. */
const OWN_TAGS: ReadonlySet<string> = new Set([
  'canonical',
  'charset',
  'viewport',
  'description',
  'og:title',
  'og:description',
  'og:url',
  'robots',
]);
const PROPERTY = /^(?:og|article|book|profile|video|music|fb):/;

/** The address of the site's root for canonical links: the author's own, else the address that the site is served at. */
function canonicalRoot(frame: Frame): string | undefined {
  const own = frame.site.config.seo.metatags.canonical;
  const root = own && /^https?:\/\//i.test(own) ? own : frame.site.origin;
  return root?.replace(/\/+$/, '');
}

function canonicalAddress(frame: Frame, page: HeadPage): string | undefined {
  if (page.canonical && /^https?:\/\//i.test(page.canonical)) return page.canonical;
  const root = canonicalRoot(frame);
  if (root === undefined) return undefined;
  return root + (page.canonical?.startsWith('/') ? page.canonical : page.href);
}

function meta(name: string, content: string): string {
  const key = PROPERTY.test(name) ? 'property' : 'name';
  return `<meta ${key}="${escapeHtml(name)}" content="${escapeHtml(content)}">`;
}

/** Images of link previews need a whole address; a site path gets the site's origin where that is known. */
function metatags(frame: Frame): string {
  const { config, origin } = frame.site;
  const wanted = new Map<string, string>([
    ['og:type', 'website'],
    ['og:site_name', config.name],
    ['twitter:card', 'summary'],
  ]);
  for (const [name, content] of Object.entries(config.seo.metatags)) if (!OWN_TAGS.has(name)) wanted.set(name, content);
  let out = '';
  for (const [name, content] of wanted) out += meta(name, content.startsWith('/') && origin ? origin + content : content);
  return out;
}

function pageTags(frame: Frame, page: HeadPage): Html {
  const { config } = frame.site;
  const title = page.title === config.name || page.title === '' ? config.name : `${page.title} - ${config.name}`;
  const description = page.description ?? config.description;
  const robots = page.unlisted
    ? 'noindex'
    : Object.hasOwn(config.seo.metatags, 'robots')
      ? config.seo.metatags.robots
      : undefined;
  let out = `<title>${escapeHtml(title)}</title>`;
  if (description) out += meta('description', description);
  if (page.keywords?.length) out += meta('keywords', page.keywords.join(', '));
  if (robots) out += meta('robots', robots);
  out += meta('og:title', title);
  if (description) out += meta('og:description', description);
  const canonical = page.bare ? undefined : canonicalAddress(frame, page);
  if (canonical) out += `<link rel="canonical" href="${escapeHtml(canonical)}">${meta('og:url', canonical)}`;
  if (!page.bare) out += `<link rel="alternate" type="text/markdown" href="${markdownAddress(frame, page.href)}">`;
  return trustedHtml(out);
}

function themeColours(frame: Frame): Html {
  const { light, dark } = frameColours(frame.site.config);
  const { appearance } = frame.site.config;
  if (appearance.strict && appearance.default !== 'system')
    return html`<meta name="theme-color" content="${appearance.default === 'dark' ? dark : light}">`;
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light}"><meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark}">`;
}

function backgroundStyle(frame: Frame): string {
  const image = frame.site.config.background.image;
  if (!image) return '';
  const at = (path: string): string => `url("${fileAt(frame, path).replace(/["\\\n]/g, encodeURIComponent)}")`;
  return `:root{--d-background-image:${at(image.light)}}html.dark{--d-background-image:${at(image.dark)}}`;
}

/** Own styles come first, so that a site's CSS wins without tricks. */
function assets(frame: Frame): Html {
  const { site } = frame;
  const asset = (name: 'site.css' | 'site.js'): string => site.themeAsset(name, { href: frame.href });
  const variables =
    siteColours(site.config) + bannerRule(site.config.banner?.content) + backgroundStyle(frame) + (site.codeThemeStyle ?? '');
  const styles = site.customStyles.map((path) => html`<link rel="stylesheet" href="${trustedHtml(fileAt(frame, path))}">`);
  const scripts = site.customScripts.map((path) => html`<script src="${trustedHtml(fileAt(frame, path))}" defer></script>`);
  return html`<link rel="stylesheet" href="${asset('site.css')}">${inlineStyle(variables)}${styles}<script src="${asset('site.js')}" defer></script>${scripts}`;
}

/** Everything between `<head>` and `</head>`. */
export function head(frame: Frame, page: HeadPage): Html {
  const { config } = frame.site;
  const start = oncePerScope(frame, 'head-start', () => {
    const script = trustedHtml(`<script>${appearanceScript(config.appearance)}</script>`);
    return html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${script}`.value;
  });
  const end = oncePerScope(
    frame,
    'head-end',
    () => html`${trustedHtml(metatags(frame))}${themeColours(frame)}${faviconLinks(frame)}${assets(frame)}`.value,
  );
  return html`${trustedHtml(start)}${pageTags(frame, page)}${trustedHtml(end)}`;
}

/** What the head needs of a built page. */
export function headPage(page: BuiltPage): HeadPage {
  const { href, title, description, canonical, keywords } = page;
  return { href, title, description, canonical, keywords, unlisted: page.hidden === true || page.noindex === true, bare: false };
}
