import type { PropValue } from '../expand/content-node.ts';

const RENAMED = new Map(
  Object.entries({
    className: 'class',
    htmlFor: 'for',
    defaultChecked: 'checked',
    defaultValue: 'value',
    acceptCharset: 'accept-charset',
    httpEquiv: 'http-equiv',
    xlinkHref: 'xlink:href',
    xLinkHref: 'xlink:href',
    xmlSpace: 'xml:space',
    xmlLang: 'xml:lang',
    xmlnsXlink: 'xmlns:xlink',
    xmlnsXLink: 'xmlns:xlink',
  }),
);

const hyphenate = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Names that React and HTML parsers write in camel case, inconsistently, and SVG with hyphens. */
const HYPHENATED = new Map(
  'accentHeight alignmentBaseline baselineShift clipPath clipRule colorInterpolation colorInterpolationFilters dominantBaseline fillOpacity fillRule floodColor floodOpacity fontFamily fontSize fontStretch fontStyle fontVariant fontWeight imageRendering letterSpacing lightingColor markerEnd markerMid markerStart overlinePosition overlineThickness paintOrder pointerEvents shapeRendering stopColor stopOpacity strikethroughPosition strikethroughThickness strokeDasharray strokeDashoffset strokeLinecap strokeLinejoin strokeMiterlimit strokeOpacity strokeWidth textAnchor textDecoration textRendering transformOrigin underlinePosition underlineThickness unicodeBidi vectorEffect wordSpacing writingMode'
    .split(' ')
    .map((name) => [name.toLowerCase(), hyphenate(name)] as const),
);

/** Returns the HTML name of an attribute in any spelling: `className`, `frameBorder`, `strokeWidth`, `ariaLabel`. */
export function attributeName(name: string): string {
  if (!/[A-Z]/.test(name)) return name;
  const renamed = RENAMED.get(name);
  if (renamed) return renamed;
  // One word after `aria-`: `ariaDescribedBy` is `aria-describedby`.
  if (/^aria[A-Z]/.test(name)) return `aria-${name.slice('aria'.length).toLowerCase()}`;
  if (/^data[A-Z]/.test(name)) return hyphenate(name);
  return HYPHENATED.get(name.toLowerCase()) ?? name.toLowerCase();
}

/** Properties with unitless numbers; all others are pixels. */
const UNITLESS = new Set(
  'animationIterationCount aspectRatio columnCount columns fillOpacity flex flexGrow flexShrink fontWeight gridArea gridColumn gridColumnEnd gridColumnStart gridRow gridRowEnd gridRowStart lineClamp lineHeight opacity order orphans scale strokeOpacity tabSize widows zIndex zoom WebkitLineClamp WebkitBoxFlex'.split(
    ' ',
  ),
);

/** Returns the text of a `style` attribute, from text or a JavaScript object. */
export function styleText(value: PropValue): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return '';
  let text = '';
  for (const [name, held] of Object.entries(value)) {
    if (typeof held !== 'string' && typeof held !== 'number') continue;
    const property = name.startsWith('--') ? name : hyphenate(name).replace(/^(webkit|moz|ms)-/, '-$1-');
    const isLength = typeof held === 'number' && held !== 0 && !UNITLESS.has(name) && !name.startsWith('--');
    text += `${text === '' ? '' : '; '}${property}: ${held}${isLength ? 'px' : ''}`;
  }
  return text;
}

/** Returns the value of an HTML attribute; undefined if the attribute is omitted. */
export function attributeValue(name: string, value: PropValue): string | number | boolean | undefined {
  if (name === 'style') return styleText(value) || undefined;
  if (value === true && /^(?:aria|data)-/.test(name)) return 'true';
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value === false && name.startsWith('aria-')) return 'false';
  if (value === true) return true;
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string' || typeof item === 'number').join(' ');
  return undefined;
}
