import { type Color, formatColor, mixColors, parseColor } from '../../colors/color.ts';
import { asSurface, readableOn, textOn } from '../../colors/readable.ts';

const LIGHT: Color = { red: 255, green: 255, blue: 255 };
const DARK: Color = { red: 19, green: 20, blue: 24 };
const SOFT_SHARE = 0.16;

/**
 * Returns the widget's tokens that depend on its color; none if it is not a hex color, so that no text of a page reaches the
 * style sheet.
 */
export function widgetColors(color: string | undefined): Record<string, string> {
  const accent = parseColor(color);
  if (!accent) return {};
  const fill = asSurface(accent);
  const linkOn = (background: Color): string =>
    formatColor(readableOn(accent, [background, mixColors(background, accent, SOFT_SHARE)]));
  return {
    '--d-accent': formatColor(fill),
    '--d-accent-fg': formatColor(textOn(fill)),
    '--d-link-light': linkOn(LIGHT),
    '--d-link-dark': linkOn(DARK),
  };
}
