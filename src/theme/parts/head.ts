import { emptyHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import type { PageMenu } from '../../core/navigation/navigation.ts';
import type { BuiltPage } from '../../core/site-build.ts';
import { parseColor } from '../colors/color.ts';
import { frameColors, siteColors } from '../colors/site-colors.ts';
import { faviconLinks } from '../favicon.ts';
import { type Frame, fileAt } from '../frame.ts';
import { inlineScript } from '../inline-script.ts';
import { oncePerScope } from '../once.ts';
import type { HeadPage, LanguageTwin } from '../page-view.ts';
import { bannerRule } from './banner.ts';
import { fontStyle, hasOwnBodyFace } from './font-style.ts';
import { inlineStyle } from './inline-data.ts';
import { pageTags } from './page-tags.ts';

function themeColors(frame: Frame): Html {
  const { light, dark } = frameColors(frame.site.config);
  const { appearance } = frame.site.config;
  if (appearance.strict && appearance.default !== 'system')
    return html`<meta name="theme-color" content="${appearance.default === 'dark' ? dark : light}">`;
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light}"><meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark}">`;
}

// A whole rule in the page: as a custom property, the URL would be relative to the theme's style sheet.
function backgroundStyle(frame: Frame): string {
  const image = frame.site.config.background.image;
  if (!image) return '';
  const at = (path: string): string => `url("${fileAt(frame, path).replace(/["\\\n]/g, encodeURIComponent)}")`;
  const place = '[data-decoration="image"] body::before';
  return `html${place}{background-image:${at(image.light)}}html.dark${place}{background-image:${at(image.dark)}}`;
}

/** The grays of the format's pages, from `--gray-50` to `--gray-950`. */
const GREYS = [
  ['50', '247 247 248'],
  ['100', '240 240 242'],
  ['200', '224 225 228'],
  ['300', '207 208 212'],
  ['400', '159 160 166'],
  ['500', '112 114 120'],
  ['600', '80 82 88'],
  ['700', '63 65 71'],
  ['800', '37 39 45'],
  ['900', '23 24 28'],
  ['950', '10 11 14'],
] as const;

/** The colors under the names of style sheets written for the format: `rgb(var(--primary) / 0.5)`. */
function formatColors({ site }: Frame): string {
  if (site.customStyles.length === 0) return '';
  const { colors, background } = site.config;
  const named: [string, string | undefined][] = [
    ['primary', colors.primary],
    ['primary-light', colors.light],
    ['primary-dark', colors.dark],
    ['background-light', background.color?.light ?? '#ffffff'],
    ['background-dark', background.color?.dark ?? '#0e0f12'],
  ];
  const lines = named.map(([name, hex]) => {
    const color = parseColor(hex);
    return color ? `--${name}:${Math.round(color.red)} ${Math.round(color.green)} ${Math.round(color.blue)};` : '';
  });
  const greys = GREYS.map(([step, value]) => `--gray-${step}:${value};`);
  return `:root{${lines.join('')}${greys.join('')}}`;
}

/** Preloads the typeface together with its style sheet. A page opened from disk cannot load fonts this way. */
function typeface(frame: Frame): Html {
  if (frame.site.linkStyle === 'html' || hasOwnBodyFace(frame)) return emptyHtml;
  const address = frame.site.themeAsset('inter-latin.woff2', { href: frame.href });
  return html`<link rel="preload" href="${address}" as="font" type="font/woff2" crossorigin>`;
}

/** The theme's styles come first, so that a site's CSS overrides them. */
function assets(frame: Frame): Html {
  const { site } = frame;
  const asset = (name: 'site.css' | 'site.js'): string => site.themeAsset(name, { href: frame.href });
  const variables =
    siteColors(site.config) +
    formatColors(frame) +
    fontStyle(frame) +
    bannerRule(site.config.banner) +
    backgroundStyle(frame) +
    (site.codeThemeStyle ?? '');
  const styles = site.customStyles.map((path) => html`<link rel="stylesheet" href="${trustedHtml(fileAt(frame, path))}">`);
  const scripts = site.customScripts.map((path) => html`<script src="${trustedHtml(fileAt(frame, path))}" defer></script>`);
  return html`${typeface(frame)}<link rel="stylesheet" href="${asset('site.css')}">${inlineStyle(variables)}${styles}<script src="${asset('site.js')}" defer></script>${scripts}`;
}

/** Everything between `<head>` and `</head>`. */
export function head(frame: Frame, page: HeadPage): Html {
  const { config } = frame.site;
  const start = oncePerScope(frame, 'head-start', () => {
    const { default: appearance, strict } = config.appearance;
    const script = inlineScript('appearance', { 'data-appearance': appearance, 'data-strict': strict });
    return html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${script}`.value;
  });
  const end = oncePerScope(frame, 'head-end', () => html`${themeColors(frame)}${faviconLinks(frame)}${assets(frame)}`.value);
  const styles = (page.styles ?? []).map(
    (name) => html`<link rel="stylesheet" href="${frame.site.themeAsset(name, { href: frame.href })}">`,
  );
  return html`${trustedHtml(start)}${pageTags(frame, page)}${styles}${trustedHtml(end)}${islandScripts(frame, page.scripts)}`;
}

/** Returns the head data of a built page and its place in the menu. */
export function headPage(page: BuiltPage, menu: PageMenu): HeadPage {
  const { href, title, description, canonical, keywords, metatags, lastUpdated } = page;
  return {
    ...{ href, title, description, canonical, keywords, metatags, lastUpdated },
    feed: page.feed !== undefined,
    isReference: page.method !== undefined,
    trail: menu.breadcrumbs,
    alternates: languageTwins(menu),
    unlisted: page.noindex === true,
    bare: false,
  };
}

function languageTwins(menu: PageMenu): LanguageTwin[] {
  const choices = menu.levels.find((level) => level.kind === 'language')?.items ?? [];
  return choices.flatMap(({ twin, href }) => (twin === undefined ? [] : [{ ...twin, href }]));
}

/** The scripts of the author's components on a page, after their runtime; nothing if it has none. */
function islandScripts(frame: Frame, paths: readonly string[] | undefined): Html {
  if (!paths || paths.length === 0) return emptyHtml;
  const scripts = paths.map((path) => html`<script src="${trustedHtml(fileAt(frame, path))}" defer></script>`);
  return html`<script src="${frame.site.themeAsset('islands.js', { href: frame.href })}" defer></script>${scripts}`;
}
