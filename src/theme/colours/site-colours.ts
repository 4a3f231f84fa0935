import type { SiteConfig } from '../../core/docs-json/site-config.ts';
import { type Colour, contrast, formatColour, mixColours, parseColour } from './colour.ts';
import { asSurface, readableOn, TEXT_CONTRAST, textOn } from './readable.ts';

interface Mode {
  background: Colour;
  /** Foregrounds that `tokens.css` uses in this mode; a site's own background must leave them readable. */
  texts: Colour[];
  /** Share of the accent in `--d-accent-soft`. */
  softShare: number;
}

const colour = (hex: string): Colour => parseColour(hex) as Colour;

/** The values of `tokens.css` that the site's colours have to go with. */
const LIGHT: Mode = { background: colour('#ffffff'), texts: [colour('#17181c'), colour('#656873')], softShare: 0.08 };
const DARK: Mode = { background: colour('#0e0f12'), texts: [colour('#ecedf1'), colour('#8c909c')], softShare: 0.13 };
const FALLBACK = '#3b5bdb';
/** The share of the foreground in the darkest surface that plain text stands on. */
const SURFACE_SHARE = 0.06;

/** Channels that lie no further apart than this make a grey. */
const GREY_SPREAD = 24;
/** A grey looks heavier than a colour of the same share. */
const GREY_FACTOR = 0.8;

function isGrey({ red, green, blue }: Colour): boolean {
  return Math.max(red, green, blue) - Math.min(red, green, blue) < GREY_SPREAD;
}

/** The site's own background where the theme's texts stay readable on it. */
function backgroundOf(wanted: string | undefined, mode: Mode): Colour {
  const own = parseColour(wanted);
  return own && mode.texts.every((text) => contrast(text, own) >= TEXT_CONTRAST) ? own : mode.background;
}

function declarations(accentHex: string, wantedBackground: string | undefined, mode: Mode): string {
  const accent = parseColour(accentHex) ?? colour(FALLBACK);
  const fill = asSurface(accent);
  const grey = isGrey(accent);
  const foreground = mode.texts[0] as Colour;
  const background = backgroundOf(wantedBackground, mode);
  const surface = mixColours(background, foreground, SURFACE_SHARE);
  const soft = mixColours(background, accent, mode.softShare * (grey ? GREY_FACTOR : 1));
  // A grey link would pass for faded text; it takes the colour of the text, the underline tells it apart.
  const link = readableOn(grey ? foreground : accent, [background, surface, soft]);
  const lines = [
    background === mode.background ? '' : `--d-bg:${formatColour(background)};`,
    `--d-accent:${formatColour(fill)};`,
    `--d-accent-fg:${formatColour(textOn(fill))};`,
    `--d-accent-soft:${formatColour(soft)};`,
    `--d-link:${formatColour(link)}`,
  ];
  return lines.join('');
}

/**
 * The site's colours as CSS: `colors.primary` in the light appearance, `colors.light` in the dark one. Text on the
 * accent and text in the accent always reach a contrast of 4.5 : 1. Not a hex colour: the theme's own is used.
 */
export function siteColours(config: Pick<SiteConfig, 'colors' | 'background'>): string {
  const { colors, background } = config;
  const light = declarations(colors.primary, background.color?.light, LIGHT);
  const dark = declarations(colors.light || colors.primary, background.color?.dark, DARK);
  return `:root{${light}}html.dark{${dark}}`;
}

/** Colours of the browser's own frame around the page. */
export function frameColours(config: Pick<SiteConfig, 'background'>): { light: string; dark: string } {
  const { color } = config.background;
  return { light: formatColour(backgroundOf(color?.light, LIGHT)), dark: formatColour(backgroundOf(color?.dark, DARK)) };
}
