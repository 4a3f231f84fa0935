import { htmlToHast } from 'satteri';
import { fileNameOf } from '../../outside/address.ts';
import type { ContentNode, ElementNode, PropValue } from './content-node.ts';
import type { SourceNode, SourceProperty } from './source-node.ts';
import { MAX_MARKUP_RISK, nestingRisk } from './source-risk.ts';

/** The attributes of an element from Markdown or HTML. */
export function propertyAttributes(
  properties: Record<string, SourceProperty> | undefined,
): ElementNode['attributes'] {
  const attributes: ElementNode['attributes'] = {};
  for (const key in properties) {
    const name = attributeName(key);
    const value = attributeValue(name, properties[key]);
    if (value !== undefined) attributes[name] = value;
  }
  return attributes;
}

const MAX_DEPTH = 100;

/** Converts HTML text to nodes. Untrusted like any other element: the renderer filters it. */
export function htmlNodes(markup: string): ContentNode[] {
  if (nestingRisk(markup) > MAX_MARKUP_RISK)
    return [{ type: 'text', value: markup.replace(/<[^<>]*>/g, '') }];
  return convert((htmlToHast(markup) as SourceNode).children ?? [], 0);
}

function convert(nodes: readonly SourceNode[], depth: number): ContentNode[] {
  const contentNodes: ContentNode[] = [];
  if (depth > MAX_DEPTH) return contentNodes;
  for (const node of nodes) {
    if (node.type === 'text') contentNodes.push({ type: 'text', value: node.value ?? '' });
    else if (node.type === 'element') {
      const children = convert(node.children ?? [], depth + 1);
      contentNodes.push(
        madeElement(
          (node.tagName ?? 'span').toLowerCase(),
          propertyAttributes(node.properties),
          children,
        ),
      );
    }
  }
  return contentNodes;
}

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

const hyphenate = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Names that React and HTML parsers write in camel case, inconsistently, and SVG with hyphens. */
const HYPHENATED = new Map(
  'accentHeight alignmentBaseline baselineShift clipPath clipRule colorInterpolation colorInterpolationFilters dominantBaseline fillOpacity fillRule floodColor floodOpacity fontFamily fontSize fontStretch fontStyle fontVariant fontWeight imageRendering letterSpacing lightingColor markerEnd markerMid markerStart overlinePosition overlineThickness paintOrder pointerEvents shapeRendering stopColor stopOpacity strikethroughPosition strikethroughThickness strokeDasharray strokeDashoffset strokeLinecap strokeLinejoin strokeMiterlimit strokeOpacity strokeWidth textAnchor textDecoration textRendering transformOrigin underlinePosition underlineThickness unicodeBidi vectorEffect wordSpacing writingMode'
    .split(' ')
    .map((name) => [name.toLowerCase(), hyphenate(name)] as const),
);

/**
 * Returns the HTML name of an attribute in any spelling: `className`, `frameBorder`, `strokeWidth`,
 * `ariaLabel`.
 */
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
function styleText(value: PropValue): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return '';
  let text = '';
  for (const [name, held] of Object.entries(value)) {
    if (typeof held !== 'string' && typeof held !== 'number') continue;
    const property = name.startsWith('--')
      ? name
      : hyphenate(name).replace(/^(webkit|moz|ms)-/, '-$1-');
    const isLength =
      typeof held === 'number' && held !== 0 && !UNITLESS.has(name) && !name.startsWith('--');
    text += `${text === '' ? '' : '; '}${property}: ${held}${isLength ? 'px' : ''}`;
  }
  return text;
}

/** Returns the value of an HTML attribute; undefined if the attribute is omitted. */
export function attributeValue(
  name: string,
  value: PropValue,
): string | number | boolean | undefined {
  if (name === 'style') return styleText(value) || undefined;
  if (value === true && /^(?:aria|data)-/.test(name)) return 'true';
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value === false && name.startsWith('aria-')) return 'false';
  if (value === true) return true;
  if (Array.isArray(value))
    return value.filter((item) => typeof item === 'string' || typeof item === 'number').join(' ');
  return undefined;
}

/** Elements that show a file through a plugin, and their attribute with its address. */
const ADDRESS = new Map([
  ['object', 'data'],
  ['embed', 'src'],
]);
const IMAGE = /^image\/|\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp)$/i;
const VIDEO = /^video\/|\.(?:mp4|webm|mov|m4v|ogv)$/i;
const AUDIO = /^audio\/|\.(?:mp3|m4a|wav|ogg|oga|aac|flac)$/i;

/**
 * Makes an element. `<object>` and `<embed>`, which browsers may not load from our pages, become
 * the element that shows their file without a plugin: `<img>`, `<video>`, `<audio>`, and `<iframe>`
 * for PDFs and everything else. What an `<object>` holds for browsers that cannot show the file is
 * then not needed; an `<object>` without a file is only its contents.
 */
export function madeElement(
  tag: string,
  attributes: ElementNode['attributes'],
  children: ContentNode[],
  line?: number | undefined,
): ElementNode {
  const { [ADDRESS.get(tag) ?? '']: address, type, ...others } = attributes;
  if (typeof address !== 'string' || address.trim() === '')
    return { type: 'element', tag, attributes, children, line };
  const title = others.title ?? others['aria-label'] ?? fileNameOf(address) ?? 'Document';
  const path = address.replace(/[?#][\s\S]*/, '');
  const isKind = (kind: RegExp): boolean =>
    typeof type === 'string' && /^(?:image|video|audio)\//.test(type)
      ? kind.test(type)
      : kind.test(path);
  const mediaElement = (name: string, extraAttributes: ElementNode['attributes']): ElementNode => ({
    type: 'element',
    tag: name,
    attributes: { ...others, src: address, ...extraAttributes },
    children: [],
    line,
  });
  if (isKind(IMAGE)) return mediaElement('img', { alt: title });
  if (isKind(VIDEO)) return mediaElement('video', { title, controls: true, preload: 'metadata' });
  if (isKind(AUDIO)) return mediaElement('audio', { title, controls: true, preload: 'metadata' });
  const hasSize = ['width', 'height', 'style', 'class'].some((name) => others[name] !== undefined);
  return mediaElement('iframe', hasSize ? { title } : { title, class: 'd-document' });
}
