/** Families of browsers and systems, and of the theme. */
const AT_HAND = new Set(
  'serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-serif|ui-sans-serif|ui-monospace|ui-rounded|math|emoji|inherit|initial|-apple-system|blinkmacsystemfont|inter|arial|helvetica|helvetica neue|times|times new roman|georgia|verdana|tahoma|trebuchet ms|courier|courier new|segoe ui|sf pro|sf pro text|sf pro display|sf mono|menlo|monaco|consolas'.split(
    '|',
  ),
);

const SERVICE = 'https://fonts.googleapis.com/css2';

/**
 * Returns style sheet URLs of a font family at Google Fonts, best first: the service rejects weights that a family lacks. Empty
 * for families that need not be loaded.
 */
export function fontStyleSheets(family: string, weight?: number): string[] {
  if (AT_HAND.has(family.trim().toLowerCase())) return [];
  const name = encodeURIComponent(family.trim()).replaceAll('%20', '+');
  const weights = [...new Set([400, 500, 600, 700, ...(weight === undefined ? [] : [weight])])].sort((a, b) => a - b);
  return [`:wght@${weights.join(';')}`, ':wght@400;700', ''].map((axes) => `${SERVICE}?family=${name}${axes}&display=swap`);
}
