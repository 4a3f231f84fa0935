import type { BuiltPage } from '@docent/format/build/site-build.ts';
import type { FontConfig, SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { codeForPage, sourceRoot } from '@docent/format/docs-json/site-sources.ts';
import { emptyHtml, escapeHtml, type Html, html, trustedHtml } from '@docent/format/html.ts';
import type { PageMenu } from '@docent/format/navigation/navigation.ts';
import { fallbackFamily } from '@docent/format/site-files/style-sheet.ts';
import { asSurface, formatColor, parseColor, textOn } from '../colors/color.ts';
import { frameColors, siteColors } from '../colors/site-colors.ts';
import { type Frame, fileAt, isExternal, oncePerScope } from '../view/frame.ts';
import { inlineScript } from '../view/inline-script.ts';
import type { HeadPage, LanguageTwin, ThemeAsset } from '../view/page-view.ts';
import { familyOf } from '../view/theme-family.ts';
import { bannerRule } from './banner.ts';
import { pageTags } from './page-tags.ts';

function themeColors(frame: Frame): Html {
  const { light, dark } = frameColors(frame.site.config);
  const { appearance } = frame.site.config;
  if (appearance.strict && appearance.default !== 'system')
    return html`<meta name="theme-color" content="${appearance.default === 'dark' ? dark : light}">`;
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light}"><meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark}">`;
}

// A whole rule in the page: as a custom property, the URL would be relative to the theme's style
// sheet.
function backgroundStyle(frame: Frame): string {
  const image = frame.site.config.background.image;
  if (!image) return '';
  const place = '[data-decoration="image"] body::before';
  return `html${place}{background-image:${fileUrl(frame, image.light)}}html.dark${place}{background-image:${fileUrl(frame, image.dark)}}`;
}

/**
 * The site's colors under the names of style sheets written for the format, whose defaults are in
 * `base.css`.
 */
function formatColors({ site }: Frame): string {
  if (site.customStyles.length === 0) return '';
  const { colors, background } = site.config;
  const named: [string, string | undefined][] = [
    ['primary', colors.primary],
    ['primary-light', colors.light],
    ['primary-dark', colors.dark],
    ['background-light', background.color?.light],
    ['background-dark', background.color?.dark],
  ];
  const lines = named.map(([name, hex]) => {
    const color = parseColor(hex);
    return color
      ? `--${name}:${Math.round(color.red)} ${Math.round(color.green)} ${Math.round(color.blue)};`
      : '';
  });
  return `:root{${lines.join('')}}`;
}

/**
 * Preloads the typeface together with its style sheet, unless the site provides the face of all its
 * text. A page opened from disk cannot load fonts this way.
 */
function typeface(frame: Frame): Html {
  const { body } = frame.site.config.fonts ?? {};
  const isReplaced = body !== undefined && fontFace(frame, body) !== '';
  if (frame.site.linkStyle === 'html' || isReplaced) return emptyHtml;
  const address = frame.site.themeAsset('inter-latin.woff2', { href: frame.href });
  return html`<link rel="preload" href="${address}" as="font" type="font/woff2" crossorigin>`;
}

/** Whether the pages of a site have a part that few sites have, whose rules are in `extras.css`. */
function hasExtras({ theme, background, banner, navbar }: SiteConfig): boolean {
  return (
    theme === 'linden' ||
    Boolean(background.image || background.decoration || banner?.content.trim()) ||
    [...navbar.links, navbar.primary].some((link) => link?.count !== undefined)
  );
}

/** The theme's styles come first, so that a site's CSS overrides them. */
function assets(frame: Frame): Html {
  const { site } = frame;
  const asset = (name: ThemeAsset): string => site.themeAsset(name, { href: frame.href });
  const family = familyOf(site.config.theme);
  const familyStyles =
    family !== 'mint' && html`<link rel="stylesheet" href="${asset(`${family}.css`)}">`;
  const { banner } = site.config;
  const extras =
    hasExtras(site.config) && html`<link rel="stylesheet" href="${asset('extras.css')}">`;
  const variables =
    siteColors(site.config) +
    formatColors(frame) +
    fontStyle(frame) +
    bannerRule(banner) +
    backgroundStyle(frame) +
    (site.codeThemeStyle ?? '');
  const { sources } = site.config;
  const codeOf = (files: readonly string[]) => codeForPage(files, sources, frame.href.slice(1));
  const styles = codeOf(site.customStyles).map(
    (path) => html`<link rel="stylesheet" href="${fileAt(frame, path)}">`,
  );
  const scripts = codeOf(site.customScripts).map(
    (path) => html`<script src="${fileAt(frame, path)}" defer></script>`,
  );
  return html`${typeface(frame)}${familyStyles}${extras}<link rel="stylesheet" href="${asset('site.css')}">${inlineStyle(variables)}${styles}<script src="${asset('site.js')}" defer></script>${scripts}`;
}

/** Everything between `<head>` and `</head>`. */
export function head(frame: Frame, page: HeadPage): Html {
  const { config } = frame.site;
  const start = oncePerScope(frame, 'head-start', () => {
    const { default: appearance, strict } = config.appearance;
    const script = inlineScript('appearance', {
      'data-appearance': appearance,
      'data-strict': strict,
    });
    return html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${script}`;
  });
  const end = oncePerScope(
    frame,
    `head-end ${sourceRoot(config.sources, `${frame.href.slice(1)}/`)}`,
    () => html`${themeColors(frame)}${faviconLinks(frame)}${assets(frame)}`,
  );
  const styles = (page.styles ?? []).map(
    (name) =>
      html`<link rel="stylesheet" href="${frame.site.themeAsset(name, { href: frame.href })}">`,
  );
  // Before the script of every page, which reveals what components hide.
  const script =
    page.hasComponentScript === true &&
    html`<script src="${frame.site.themeAsset('components.js', { href: frame.href })}" defer data-components></script>`;
  return html`${start}${pageTags(frame, page)}${styles}${script}${end}${islandScripts(frame, page.scripts)}`;
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

/**
 * The scripts of the author's components on a page, after their runtime; nothing if it has none.
 */
function islandScripts(frame: Frame, paths: readonly string[] | undefined): Html {
  if (!paths || paths.length === 0) return emptyHtml;
  const scripts = paths.map((path) => html`<script src="${fileAt(frame, path)}" defer></script>`);
  return html`<script src="${frame.site.themeAsset('islands.js', { href: frame.href })}" defer></script>${scripts}`;
}

/**
 * Returns the icon of a site without its own, for an attribute: the first letter of the site's name
 * on its color.
 */
function ownIcon(frame: Frame): Html {
  const { name, colors } = frame.site.config;
  const color = asSurface(parseColor(colors.primary) ?? { red: 59, green: 91, blue: 219 });
  const letter = escapeHtml([...name.trim()][0]?.toUpperCase() ?? '·');
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='${formatColor(color)}'/><text x='16' y='22.5' style='font:700 19px Arial,sans-serif' text-anchor='middle' fill='${formatColor(textOn(color))}'>${letter}</text></svg>`;
  return trustedHtml(`data:image/svg+xml,${encodeURI(svg).replace(/[#&]/g, encodeURIComponent)}`);
}

/** Returns the head links for the site's icon, in a light and a dark variant if it has both. */
function faviconLinks(frame: Frame): Html {
  const { favicon } = frame.site.config;
  if (!favicon?.light) return html`<link rel="icon" href="${ownIcon(frame)}">`;
  const { light, dark } = favicon;
  // The icon for phones' home screens, which do not support SVG.
  const touch =
    /\.png(?:[?#]|$)/i.test(light) &&
    html`<link rel="apple-touch-icon" href="${fileAt(frame, light)}">`;
  if (light === dark || !dark) return html`${iconLink(frame, light)}${touch}`;
  return html`${iconLink(frame, light, 'light')}${iconLink(frame, dark, 'dark')}${touch}`;
}

function iconLink(frame: Frame, path: string, scheme?: 'light' | 'dark'): Html {
  // Without a size, browsers prefer an old `.ico` to an SVG that fits every size.
  const kind = /\.svg(?:[?#]|$)/i.test(path) && html` type="image/svg+xml" sizes="any"`;
  const media = scheme && html` media="(prefers-color-scheme: ${scheme})"`;
  return html`<link rel="icon" href="${fileAt(frame, path)}"${kind}${media}>`;
}

/** Names safe in a style sheet: without characters that could end a string. */
function quoted(family: string): string {
  return `"${family.replace(/["\\\n<>{};]/g, '')}"`;
}

/** Returns the address of a file of the site for CSS, without characters that could end it. */
function fileUrl(frame: Frame, path: string): string {
  return `url("${fileAt(frame, path).replace(/["\\<\u0000-\u001f]/g, encodeURIComponent)}")`;
}

/**
 * The face of a font file in the repository. External ones are not loaded: pages send no requests
 * to other origins.
 */
function fontFace(frame: Frame, { family, source, format, weight }: FontConfig): string {
  if (source === undefined || isExternal(source)) return '';
  const kind = format ?? (/\.woff$/i.test(source) ? 'woff' : 'woff2');
  // A file without a weight is treated as variable, like most are.
  const range = weight ?? '100 900';
  return `@font-face{font-family:${quoted(family)};src:${fileUrl(frame, source)} format("${kind}");font-weight:${range};font-display:swap}`;
}

/**
 * Returns CSS for the fonts in docs.json (`fonts`): their faces, and which text uses them.
 * Available faces fall back to those of the reader's system; missing ones to the theme's typeface.
 */
function fontStyle(frame: Frame): string {
  const { heading, body } = frame.site.config.fonts ?? {};
  const faces = new Set<string>();
  const rules = [['body', body] as const, ['heading', heading] as const].map(([name, font]) => {
    if (!font) return '';
    const face = fontFace(frame, font);
    faces.add(face);
    return `--d-font-${name}:${quoted(font.family)},${face === '' ? fallbackFamily(font.family) : 'var(--d-font-system)'};`;
  });
  return [...faces].join('') + (faces.size === 0 ? '' : `:root{${rules.join('')}}`);
}

/**
 * Returns CSS text that is safe inside a `<style>` element: the character that could end it is
 * CSS-escaped.
 */
function inlineStyle(css: string): Html {
  return trustedHtml(`<style>${css.replaceAll('<', '\\3c ')}</style>`);
}
