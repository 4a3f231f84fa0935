import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import {
  asSurface,
  type Color,
  contrast,
  formatColor,
  mixColors,
  parseColor,
  readableOn,
  TEXT_CONTRAST,
  textOn,
} from './color.ts';

interface Mode {
  background: Color;
  /**
   * Foregrounds of `tokens.css` in this mode, which must stay readable on a site's own background.
   */
  texts: Color[];
  /** Share of the accent in `--d-accent-soft`. */
  softShare: number;
}

const color = (hex: string): Color => parseColor(hex) as Color;

/** The values of `tokens.css` that the site's colors must match. */
const LIGHT: Mode = {
  background: color('#ffffff'),
  texts: [color('#17181c'), color('#656873')],
  softShare: 0.08,
};
const DARK: Mode = {
  background: color('#0e0f12'),
  texts: [color('#ecedf1'), color('#8c909c')],
  softShare: 0.13,
};
const FALLBACK = '#3b5bdb';
/** The share of the foreground in the darkest surface behind plain text. */
const SURFACE_SHARE = 0.06;

/** Maximum difference of channels in a gray. */
const GREY_SPREAD = 24;
/** A gray looks heavier than a color of the same share. */
const GREY_FACTOR = 0.8;

function isGrey({ red, green, blue }: Color): boolean {
  return Math.max(red, green, blue) - Math.min(red, green, blue) < GREY_SPREAD;
}

/** Returns the site's own background if the theme's texts stay readable on it. */
function backgroundOf(hex: string | undefined, mode: Mode): Color {
  const siteBackground = parseColor(hex);
  return siteBackground &&
    mode.texts.every((text) => contrast(text, siteBackground) >= TEXT_CONTRAST)
    ? siteBackground
    : mode.background;
}

function modeTokens(
  accentHex: string | undefined,
  wantedBackground: string | undefined,
  mode: Mode,
): Record<string, Color> {
  const accent = parseColor(accentHex) ?? color(FALLBACK);
  const fill = asSurface(accent);
  const grey = isGrey(accent);
  const foreground = mode.texts[0] as Color;
  const background = backgroundOf(wantedBackground, mode);
  const surface = mixColors(background, foreground, SURFACE_SHARE);
  const soft = mixColors(background, accent, mode.softShare * (grey ? GREY_FACTOR : 1));
  // A gray link would look like faded text; it takes the color of the text, and the underline
  // distinguishes it.
  const link = readableOn(grey ? foreground : accent, [background, surface, soft]);
  return { bg: background, accent: fill, 'accent-fg': textOn(fill), 'accent-soft': soft, link };
}

/**
 * Returns the tokens that depend on a site's colors, as values of `light-dark()`. Text on the
 * accent and text in the accent always reach a contrast of 4.5 : 1. Invalid colors are replaced by
 * the theme's own.
 * @param lightAccent hex color in the light appearance; `darkAccent` in the dark one
 * @param background hex colors of the site's own background
 */
export function colorTokens(
  lightAccent: string | undefined,
  darkAccent: string | undefined,
  background: SiteConfig['background']['color'] = {},
): Record<string, string> {
  const light = modeTokens(lightAccent, background.light, LIGHT);
  const dark = modeTokens(darkAccent, background.dark, DARK);
  return Object.fromEntries(
    Object.entries(light).map(([name, value]) => [
      `--d-${name}`,
      `light-dark(${formatColor(value)},${formatColor(dark[name] as Color)})`,
    ]),
  );
}

/**
 * Returns the tokens of buttons and hovered links, which have one color in both appearances; none
 * without a valid color.
 */
function buttonTokens(
  hex: string | undefined,
  pages: Record<'light' | 'dark', Color>,
): Record<string, string> {
  const buttonColor = parseColor(hex);
  if (!buttonColor) return {};
  const fill = asSurface(buttonColor);
  const [light, dark] = [pages.light, pages.dark].map((page) =>
    formatColor(readableOn(buttonColor, [page])),
  );
  return {
    '--d-button': formatColor(fill),
    '--d-button-fg': formatColor(textOn(fill)),
    '--d-link-hover': `light-dark(${light},${dark})`,
  };
}

/**
 * Returns the site's colors as CSS: `colors.primary` in the light appearance, `colors.light` in the
 * dark one, `colors.dark` for buttons and hovered links in both.
 */
export function siteColors({
  colors,
  background,
}: Pick<SiteConfig, 'colors' | 'background'>): string {
  const pages = {
    light: backgroundOf(background.color?.light, LIGHT),
    dark: backgroundOf(background.color?.dark, DARK),
  };
  const tokens = Object.entries({
    ...colorTokens(colors.primary, colors.light || colors.primary, background.color),
    ...buttonTokens(colors.dark, pages),
  });
  return `:root{${tokens.map(([name, value]) => `${name}:${value}`).join(';')}}`;
}

/** Returns the colors of the browser's UI around the page. */
export function frameColors(config: Pick<SiteConfig, 'background'>): {
  light: string;
  dark: string;
} {
  const { color } = config.background;
  return {
    light: formatColor(backgroundOf(color?.light, LIGHT)),
    dark: formatColor(backgroundOf(color?.dark, DARK)),
  };
}
