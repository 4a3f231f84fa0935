import { black, type Color, contrast, luminance, mixColors, white } from './color.ts';

/** Minimum contrast of text with its background (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;

const NEAR_BLACK: Color = { red: 11, green: 13, blue: 20 };
const STEPS = 24;

/** From this contrast on, white text is what the owner intends, and slightly darkening the color makes it readable. */
const NEARLY_CONTRAST = 2.9;

/** Returns the text color for a surface: white if that is readable, otherwise near-black, otherwise black. */
export function textOn(surface: Color): Color {
  if (contrast(white, surface) >= TEXT_CONTRAST) return white;
  return contrast(NEAR_BLACK, surface) >= TEXT_CONTRAST ? NEAR_BLACK : black;
}

/** Returns the color as a surface for text: one that nearly supports white text is darkened until it does, others stay. */
export function asSurface(color: Color): Color {
  if (contrast(white, color) < NEARLY_CONTRAST) return color;
  for (let step = 0; step < STEPS; step++) {
    const candidate = mixColors(color, black, step / STEPS);
    if (contrast(white, candidate) >= TEXT_CONTRAST) return candidate;
  }
  return black;
}

/**
 * Returns the color nearest to `wanted` that is readable as text on every one of `surfaces`: darkened on light surfaces,
 * lightened on dark ones, in small steps.
 */
export function readableOn(wanted: Color, surfaces: readonly Color[]): Color {
  const readable = (color: Color): boolean => surfaces.every((surface) => contrast(color, surface) >= TEXT_CONTRAST);
  const first = surfaces[0] ?? white;
  const target = luminance(first) > 0.18 ? black : white;
  for (let step = 0; step < STEPS; step++) {
    const candidate = mixColors(wanted, target, step / STEPS);
    if (readable(candidate)) return candidate;
  }
  return target;
}
