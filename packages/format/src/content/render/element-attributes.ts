import { escapeHtml } from '../../html.ts';
import { type ImageSize, imageSizeAttributes } from '../../image-size.ts';
import { mapSourceSet } from '../../outside/address.ts';
import { rewriteCss } from '../../outside/css-addresses.ts';
import { type ElementNode, nodeText } from '../nodes/content-node.ts';
import {
  cleanAddress,
  isSafeAttribute,
  isSafeCss,
  schemeOf,
  styleSheetText,
} from '../nodes/html-policy.ts';
import type { IdRegister } from '../page/page-anchors.ts';
import { MISSING_IMAGE, MISSING_IMAGE_SIZE, type PageLinks } from '../page/page-links.ts';
import type { PageRenderer } from '../page/page-renderer.ts';

/** Attributes for the compiler rather than for browsers. */
const INTERNAL = new Set(['noanchor', 'noAnchor', 'data-plain']);

/**
 * Writes the attributes of the author's elements: removes what browsers would execute, resolves
 * addresses.
 */
export class ElementAttributes {
  readonly #links: PageLinks;
  readonly #ids: IdRegister;
  readonly #warn: PageRenderer['warn'];
  /** Of the images on this page, by their address as written. */
  readonly #sizes = new Map<string, ImageSize | undefined>();
  constructor(links: PageLinks, ids: IdRegister, warn: PageRenderer['warn']) {
    this.#links = links;
    this.#ids = ids;
    this.#warn = warn;
  }

  /** Returns the attributes as text with a leading space. */
  write(node: ElementNode): string {
    let out = '';
    for (const name in node.attributes) {
      const value = node.attributes[name] as string | number | boolean;
      if (value === false || INTERNAL.has(name)) continue;
      if (!isSafeAttribute(name)) {
        const message = `The attribute ${name.slice(0, 40)} of <${node.tag}> is removed from published pages.`;
        this.#warn('unsafe-html', message, 'Remove it.', node);
        continue;
      }
      out += this.#attribute(node, name, value);
    }
    if (node.tag === 'a' && node.attributes.target === '_blank' && !node.attributes.rel)
      out += ' rel="noreferrer noopener"';
    return node.tag === 'img' ? out + this.#imageSize(node) + imageDefaults(node) : out;
  }

  #imageSize({ attributes: { src, width, height } }: ElementNode): string {
    return imageSizeAttributes(
      width,
      height,
      typeof src === 'string' ? this.#sizes.get(src) : undefined,
    );
  }

  #attribute(node: ElementNode, name: string, value: string | number | boolean): string {
    switch (name.toLowerCase()) {
      case 'href':
      case 'xlink:href':
        return this.#address(name, this.#linkAttribute(node, String(value)));
      case 'src':
      case 'poster':
        return this.#media(name, String(value === true ? '' : value), node);
      case 'srcset':
        return this.#address(name, this.#sourceSet(String(value), node));
      case 'style':
        return isSafeCss(String(value))
          ? ` style="${this.#css(String(value), node, escapeHtml)}"`
          : '';
      case 'nozoom':
        return ' data-no-zoom';
      case 'actions':
      case 'actionsplacement':
        return node.tag === 'img' ? imageChoice(name.toLowerCase(), value) : '';
      case 'id':
        this.#ids.add(String(value));
        return ` id="${escapeHtml(String(value))}"`;
      default:
        return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
    }
  }

  /** The placeholder of a missing image keeps the file name, to help find the error in the page. */
  #media(name: string, value: string, node: ElementNode): string {
    const written = this.#links.src(value, node);
    if (name === 'src' && written)
      this.#sizes.set(
        value,
        written === MISSING_IMAGE ? MISSING_IMAGE_SIZE : this.#links.imageSize(written),
      );
    const missing = written === MISSING_IMAGE ? ` data-missing="${escapeHtml(value)}"` : '';
    return this.#address(name, written) + missing;
  }

  #address(name: string, written: string | undefined): string {
    return written === undefined ? '' : ` ${name}="${written}"`;
  }

  /**
   * Links of `<a>` may lead anywhere; references in SVG only to images and within the same drawing.
   */
  #linkAttribute(node: ElementNode, value: string): string | undefined {
    if (node.tag === 'a' || node.tag === 'area') return this.#links.href(value, node);
    const address = cleanAddress(value);
    if (address.startsWith('#')) return escapeHtml(address);
    return node.tag === 'image' ? this.#links.src(address, node) : undefined;
  }

  #sourceSet(value: string, node: ElementNode): string | undefined {
    // A comma inside a data address would be parsed as a separator, so only `src` supports those.
    if (/data:/i.test(value)) return undefined;
    const written = mapSourceSet(value, (address) => this.#links.src(address, node));
    return written === '' ? undefined : written;
  }

  /** Escapes CSS and resolves the addresses of the site's own pictures in it. */
  #css(css: string, node: ElementNode, escaped: (css: string) => string): string {
    const addresses: string[] = [];
    const rewritten = rewriteCss(css, ({ target, mayMask }) => {
      if (!/^\/(?!\/)/.test(target)) return target;
      const inline = mayMask ? this.#links.inlineSvg(target, node) : undefined;
      if (inline !== undefined) return inline;
      const written = this.#links.src(target, node);
      return written === undefined || written === MISSING_IMAGE
        ? undefined
        : `docent-asset:${addresses.push(written) - 1}`;
    });
    return escaped(rewritten).replace(
      /docent-asset:(\d+)/g,
      (whole, index) => addresses[Number(index)] ?? whole,
    );
  }

  styleSheet(node: ElementNode): string {
    const css = nodeText(node.children);
    if (isSafeCss(css)) return `<style>${this.#css(css, node, styleSheetText)}</style>`;
    const remedy = 'Remove @import, expression() and script URLs.';
    this.#warn('unsafe-html', 'This <style> contains CSS that is not published.', remedy, node);
    return '';
  }

  /** Renders an `<iframe>` of another site, or of this one: a page, a PDF, a picture, a text. */
  iframe(node: ElementNode): string {
    const address = this.#frameAddress(cleanAddress(String(node.attributes.src ?? '')), node);
    if (address === undefined) return '';
    let out = `<iframe src="${address}"`;
    for (const name of FRAME_ATTRIBUTES) {
      const value = node.attributes[name];
      if (value === undefined || value === false) continue;
      if (name === 'style' && !isSafeCss(String(value))) continue;
      out += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
    }
    if (node.attributes.loading === undefined) out += ' loading="lazy"';
    return `${out}></iframe>`;
  }

  /** The fragment of a PDF says how it is shown: its page and zoom. */
  #frameAddress(address: string, node: ElementNode): string | undefined {
    const outside = address.replace(/^(?:http:)?\/\//i, 'https://');
    if (/^https:\/\//i.test(outside)) return escapeHtml(outside);
    if (address === '' || schemeOf(address) !== '') {
      const remedy = 'Give it one in "src", or the path of a file.';
      this.#warn('unsafe-html', 'An <iframe> needs an https URL or a file.', remedy, node);
      return undefined;
    }
    const written = this.#links.frame(address, node);
    if (written === undefined || written === MISSING_IMAGE) return undefined;
    // The address of a page has its fragment already.
    return written.includes('#')
      ? written
      : written + escapeHtml(/#[\s\S]*/.exec(address)?.[0] ?? '');
  }
}

const FRAME_ATTRIBUTES =
  'title width height allow allowfullscreen loading referrerpolicy sandbox aria-label class id style frameborder scrolling name'.split(
    ' ',
  );

const PLACEMENT = /^(?:top|bottom)-(?:left|center|right)$/;

/** The buttons of an image and their position, read by the page's own script. */
function imageChoice(name: string, value: string | number | boolean): string {
  if (name === 'actionsplacement')
    return PLACEMENT.test(String(value)) ? ` data-actions-placement="${value}"` : '';
  const words =
    value === true || value === 'true' ? ['copy', 'download'] : String(value).split(/[\s,]+/);
  const actions = words.filter((word) => word === 'copy' || word === 'download');
  return actions.length > 0 ? ` data-actions="${actions.join(' ')}"` : '';
}

function imageDefaults(node: ElementNode): string {
  const { loading, decoding, alt } = node.attributes;
  return `${alt === undefined ? ' alt=""' : ''}${loading === undefined ? ' loading="lazy"' : ''}${decoding === undefined ? ' decoding="async"' : ''}`;
}
