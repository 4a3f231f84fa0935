/** A color in sRGB, each channel 0–255. */
export interface Color {
  red: number;
  green: number;
  blue: number;
}

export const white: Color = { red: 255, green: 255, blue: 255 };
const black: Color = { red: 0, green: 0, blue: 0 };

const HEX = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i;

/**
 * Parses `#rgb` or `#rrggbb`. Returns undefined for anything else, so that no text of an author
 * reaches the style sheet.
 */
export function parseColor(text: string | undefined): Color | undefined {
  const match = HEX.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const digits = match[2] ?? [...(match[1] as string)].map((digit) => digit + digit).join('');
  const value = Number.parseInt(digits, 16);
  return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255 };
}

/** Returns a color as `#rrggbb`. */
export function formatColor(color: Color): string {
  const value =
    (Math.round(color.red) << 16) | (Math.round(color.green) << 8) | Math.round(color.blue);
  return `#${value.toString(16).padStart(6, '0')}`;
}

/** Mixes `share` (0–1) of `second` into `first`, channel by channel. */
export function mixColors(first: Color, second: Color, share: number): Color {
  const mix = (a: number, b: number): number => a + (b - a) * share;
  return {
    red: mix(first.red, second.red),
    green: mix(first.green, second.green),
    blue: mix(first.blue, second.blue),
  };
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Returns the relative luminance, 0–1, as defined by WCAG 2.2. */
function luminance(color: Color): number {
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

/** Returns the contrast ratio of two colors, 1–21, as defined by WCAG 2.2. */
export function contrast(first: Color, second: Color): number {
  const a = luminance(first);
  const b = luminance(second);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Minimum contrast of text with its background (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;

const NEAR_BLACK: Color = { red: 11, green: 13, blue: 20 };
const STEPS = 24;

/**
 * From this contrast on, white text is what the owner intends, and slightly darkening the color
 * makes it readable.
 */
const NEARLY_CONTRAST = 2.9;

/**
 * Returns the text color for a surface: white if that is readable, otherwise near-black, otherwise
 * black.
 */
export function textOn(surface: Color): Color {
  if (contrast(white, surface) >= TEXT_CONTRAST) return white;
  return contrast(NEAR_BLACK, surface) >= TEXT_CONTRAST ? NEAR_BLACK : black;
}

/**
 * Returns the color as a surface for text: one that nearly supports white text is darkened until it
 * does, others stay.
 */
export function asSurface(color: Color): Color {
  if (contrast(white, color) < NEARLY_CONTRAST) return color;
  return mixUntil(color, black, (candidate) => contrast(white, candidate) >= TEXT_CONTRAST);
}

/**
 * Returns the color nearest to `wanted` that is readable as text on every one of `surfaces`:
 * darkened on light surfaces, lightened on dark ones, in small steps.
 */
export function readableOn(baseColor: Color, surfaces: readonly Color[]): Color {
  const target = luminance(surfaces[0] ?? white) > 0.18 ? black : white;
  return mixUntil(baseColor, target, (color) =>
    surfaces.every((surface) => contrast(color, surface) >= TEXT_CONTRAST),
  );
}

/** Mixes more and more of the target into a color, in small steps, until it is readable. */
function mixUntil(color: Color, target: Color, isReadable: (candidate: Color) => boolean): Color {
  for (let step = 0; step < STEPS; step++) {
    const candidate = mixColors(color, target, step / STEPS);
    if (isReadable(candidate)) return candidate;
  }
  return target;
}
