import type { SiteConfig } from '../../core/docs-json/site-config.ts';
import { type Color, contrast, formatColor, mixColors, parseColor } from './color.ts';
import { asSurface, readableOn, TEXT_CONTRAST, textOn } from './readable.ts';

interface Mode {
  background: Color;
  /** Foregrounds that `tokens.css` uses in this mode; a site's own background must leave them readable. */
  texts: Color[];
  /** Share of the accent in `--d-accent-soft`. */
  softShare: number;
}

const color = (hex: string): Color => parseColor(hex) as Color;

/** The values of `tokens.css` that the site's colors have to go with. */
const LIGHT: Mode = { background: color('#ffffff'), texts: [color('#17181c'), color('#656873')], softShare: 0.08 };
const DARK: Mode = { background: color('#0e0f12'), texts: [color('#ecedf1'), color('#8c909c')], softShare: 0.13 };
const FALLBACK = '#3b5bdb';
/** The share of the foreground in the darkest surface that plain text stands on. */
const SURFACE_SHARE = 0.06;

/** Channels that lie no further apart than this make a grey. */
const GREY_SPREAD = 24;
/** A grey looks heavier than a color of the same share. */
const GREY_FACTOR = 0.8;

function isGrey({ red, green, blue }: Color): boolean {
  return Math.max(red, green, blue) - Math.min(red, green, blue) < GREY_SPREAD;
}

/** The site's own background where the theme's texts stay readable on it. */
function backgroundOf(wanted: string | undefined, mode: Mode): Color {
  const own = parseColor(wanted);
  return own && mode.texts.every((text) => contrast(text, own) >= TEXT_CONTRAST) ? own : mode.background;
}

function declarations(accentHex: string, wantedBackground: string | undefined, mode: Mode): string {
  const accent = parseColor(accentHex) ?? color(FALLBACK);
  const fill = asSurface(accent);
  const grey = isGrey(accent);
  const foreground = mode.texts[0] as Color;
  const background = backgroundOf(wantedBackground, mode);
  const surface = mixColors(background, foreground, SURFACE_SHARE);
  const soft = mixColors(background, accent, mode.softShare * (grey ? GREY_FACTOR : 1));
  // A grey link would pass for faded text; it takes the color of the text, the underline distinguishes it.
  const link = readableOn(grey ? foreground : accent, [background, surface, soft]);
  const lines = [
    background === mode.background ? '' : `--d-bg:${formatColor(background)};`,
    `--d-accent:${formatColor(fill)};`,
    `--d-accent-fg:${formatColor(textOn(fill))};`,
    `--d-accent-soft:${formatColor(soft)};`,
    `--d-link:${formatColor(link)}`,
  ];
  return lines.join('');
}

/**
 * The site's colors as CSS: `colors.primary` in the light appearance, `colors.light` in the dark one. Text on the
 * accent and text in the accent always reach a contrast of 4.5 : 1. Not a hex color: the theme's own is used.
 */
export function siteColors(config: Pick<SiteConfig, 'colors' | 'background'>): string {
  const { colors, background } = config;
  const light = declarations(colors.primary, background.color?.light, LIGHT);
  const dark = declarations(colors.light || colors.primary, background.color?.dark, DARK);
  return `:root{${light}}html.dark{${dark}}`;
}

/** Colors of the browser's own frame around the page. */
export function frameColors(config: Pick<SiteConfig, 'background'>): { light: string; dark: string } {
  const { color } = config.background;
  return { light: formatColor(backgroundOf(color?.light, LIGHT)), dark: formatColor(backgroundOf(color?.dark, DARK)) };
}
