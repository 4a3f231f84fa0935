import { type Colour, formatColour, mixColours, parseColour } from '../../colours/colour.ts';
import { asSurface, readableOn, textOn } from '../../colours/readable.ts';

const LIGHT: Colour = { red: 255, green: 255, blue: 255 };
const DARK: Colour = { red: 19, green: 20, blue: 24 };
const SOFT_SHARE = 0.16;

/** The widget's tokens that hang on its colour; none where it is no hex colour, so that no text of a page reaches the style. */
export function widgetColours(color: string | undefined): Record<string, string> {
  const accent = parseColour(color);
  if (!accent) return {};
  const fill = asSurface(accent);
  const linkOn = (background: Colour): string =>
    formatColour(readableOn(accent, [background, mixColours(background, accent, SOFT_SHARE)]));
  return {
    '--d-accent': formatColour(fill),
    '--d-accent-fg': formatColour(textOn(fill)),
    '--d-link-light': linkOn(LIGHT),
    '--d-link-dark': linkOn(DARK),
  };
}
