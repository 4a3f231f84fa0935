import { escapeHtml } from '../html.ts';
import {
  embedOf,
  fileNameOf,
  hostOf,
  mapSourceSet,
  outsideAddress,
  outsideLabel,
} from './address.ts';
import { rewriteCss } from './css-addresses.ts';
import {
  attributeOf,
  escapeAttribute,
  type HtmlAttribute,
  type HtmlTag,
  htmlTags,
  Replacements,
} from './html-tags.ts';
import { mayNameOutside } from './page-pictures.ts';

/** Elements that embed other content, including their children. */
const FRAMES: ReadonlySet<string> = new Set(['iframe', 'video', 'audio']);
const LINKS: ReadonlySet<string> = new Set(['a', 'button', 'summary']);
/** Elements whose addresses are only followed on click. */
const QUIET: ReadonlySet<string> = new Set([
  'a',
  'area',
  'form',
  'blockquote',
  'q',
  'del',
  'ins',
  'cite',
]);
/** Attributes that trigger requests, on any element that is not quiet. */
const FETCHING: ReadonlySet<string> = new Set([
  'src',
  'href',
  'xlink:href',
  'background',
  'poster',
  'srcset',
  'style',
]);
/** An image with neither side longer counts as an icon beside text. */
const SIGN_PIXELS = 48;

/**
 * Removes from an article what a browser would load from other servers, because a bundle sends no
 * such requests. Videos and frames become cards with a link, images a box of their size with their
 * alternative text and a link, icons and badges their text.
 */
export function withoutOutside(article: string): string {
  if (!mayNameOutside(article)) return article;
  const out = new Replacements(article);
  let skipTo = 0;
  let links = 0;
  for (const tag of htmlTags(article)) {
    if (tag.start < skipTo) continue;
    if (LINKS.has(tag.name)) links += tag.isEnd ? -1 : 1;
    if (tag.isEnd) continue;
    const end = FRAMES.has(tag.name) ? endOfElement(article, tag) : tag.end;
    const instead = replacement(tag, article.slice(tag.end, end), links > 0);
    if (instead !== undefined) {
      out.replace(tag.start, end, instead);
      skipTo = end;
      continue;
    }
    const attributeFor = ({ name, value }: HtmlAttribute) => {
      const kept =
        FETCHING.has(name) && !QUIET.has(tag.name) ? withoutAddresses(name, value) : value;
      if (kept === value) return undefined;
      return kept === '' ? '' : ` ${name}="${escapeAttribute(kept)}"`;
    };
    out.rewrite(tag, attributeFor, withoutCssAddresses);
  }
  return out.toString();
}

function endOfElement(article: string, { name, end }: HtmlTag): number {
  const close = new RegExp(`</${name}\\s*>`, 'gi');
  close.lastIndex = end;
  return close.exec(article) ? close.lastIndex : article.length;
}

/** Returns the replacement of the whole element; undefined if it stays. */
function replacement(tag: HtmlTag, inside: string, inLink: boolean): string | undefined {
  const address = shownAddress(tag, inside);
  if (address === undefined) return undefined;
  if (tag.name === 'img') return pictureText(tag, address, inLink);
  if (FRAMES.has(tag.name)) return filmCard(tag, address, inLink);
  return '';
}

/** Returns the address of the element's single resource if it is on another server. */
function shownAddress(tag: HtmlTag, inside: string): string | undefined {
  switch (tag.name) {
    case 'img':
    case 'iframe':
    case 'track':
    case 'input':
      return outsideAddress(attributeOf(tag, 'src') ?? '');
    case 'image':
    case 'use':
    case 'link':
      return outsideAddress(attributeOf(tag, 'href') ?? attributeOf(tag, 'xlink:href') ?? '');
    case 'source': {
      const { src, srcset } = Object.fromEntries(
        tag.attributes.map(({ name, value }) => [name, value]),
      );
      if (srcset !== undefined && withoutAddresses('srcset', srcset) === '') return srcset;
      return outsideAddress(src ?? '');
    }
    case 'video':
    case 'audio': {
      const ownSource = attributeOf(tag, 'src');
      if (ownSource !== undefined) return outsideAddress(ownSource);
      // Playable if one of its sources is on the site.
      const sources = [...htmlTags(inside)].filter(
        ({ name, isEnd }) => name === 'source' && !isEnd,
      );
      const addresses = sources.map((source) => outsideAddress(attributeOf(source, 'src') ?? ''));
      return addresses.every((address) => address !== undefined) ? addresses[0] : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns the value without addresses of other servers; empty if nothing is left. */
function withoutAddresses(name: string, value: string): string {
  if (name === 'srcset')
    return mapSourceSet(value, (address) =>
      outsideAddress(address) === undefined ? address : undefined,
    );
  if (name === 'style') return withoutCssAddresses(value);
  return outsideAddress(value) === undefined ? value : '';
}

function withoutCssAddresses(css: string): string {
  if (!/url|image-set|@import|\\/i.test(css)) return css;
  return rewriteCss(css, ({ target }) =>
    outsideAddress(target) === undefined ? target : undefined,
  );
}

const DECORATION = /(?:^|\s)(?:d-icon|d-box-image)(?:\s|$)/;
const BADGE =
  /^https?:\/\/(?:img\.shields\.io|badgen\.net|badge\.fury\.io|badges?\.[^/]+)\/|[/_-]badges?(?:[/._-]|$)/i;

function pictureText(tag: HtmlTag, address: string, inLink: boolean): string {
  const alt = (attributeOf(tag, 'alt') ?? '').trim();
  const isHidden =
    attributeOf(tag, 'aria-hidden') === 'true' || attributeOf(tag, 'role') === 'presentation';
  if (isHidden || DECORATION.test(attributeOf(tag, 'class') ?? '')) return '';
  const { width, height } = measures(tag);
  const isSign = Math.max(width ?? height ?? Number.POSITIVE_INFINITY, height ?? 0) <= SIGN_PIXELS;
  if (isSign || BADGE.test(address))
    return alt === '' ? '' : `<span class="d-outside-text">${escapeHtml(alt)}</span>`;
  const size = width && height ? `--d-outside-ratio:${width} / ${height};max-width:${width}px` : '';
  const { text, host } = outsideLabel(address, [alt, attributeOf(tag, 'title')]);
  const inner = `<span class="d-outside-in"><i class="d-sign" data-sign="picture" aria-hidden="true"></i><span>${escapeHtml(text)}</span><small>${escapeHtml(host)}</small></span>`;
  return linkAround(tag, { href: address, className: 'd-outside', size, inner, inLink });
}

function filmCard(tag: HtmlTag, address: string, inLink: boolean): string {
  const { href, isFilm } =
    tag.name === 'iframe' ? embedOf(address) : { href: address, isFilm: tag.name === 'video' };
  const { width, height } = measures(tag);
  const poster = attributeOf(tag, 'data-poster') ?? attributeOf(tag, 'poster');
  const picture =
    poster === undefined || outsideAddress(poster) !== undefined
      ? ''
      : `<img class="d-embed-poster" src="${escapeAttribute(poster)}" alt="" loading="lazy" data-no-zoom>`;
  const title =
    attributeOf(tag, 'title')?.trim() ||
    attributeOf(tag, 'aria-label')?.trim() ||
    fileNameOf(address) ||
    hostOf(address);
  const sign = isFilm || tag.name === 'audio' ? 'play' : 'arrow-out';
  const inner = `${picture}<span class="d-embed-sign"><i class="d-sign" data-sign="${sign}" aria-hidden="true"></i></span><span class="d-embed-text"><span>${escapeHtml(title)}</span> <small>${escapeHtml(hostOf(href))}</small></span>`;
  const size =
    width && height && tag.name !== 'audio' ? `--d-outside-ratio:${width} / ${height}` : '';
  const className = tag.name === 'audio' ? 'd-embed d-embed-audio' : 'd-embed';
  return linkAround(tag, { href, className, size, inner, inLink });
}

/**
 * Keeps the author's classes and style: they may limit the element to one appearance, or set its
 * size.
 */
function linkAround(
  tag: HtmlTag,
  {
    href,
    className,
    size,
    inner,
    inLink,
  }: { href: string; className: string; size: string; inner: string; inLink: boolean },
): string {
  const style = [size, withoutCssAddresses(attributeOf(tag, 'style') ?? '')]
    .filter((part) => part !== '')
    .join(';');
  const id = attributeOf(tag, 'id');
  const classes = [className, attributeOf(tag, 'class')].filter((part) => part).join(' ');
  const common = `${id ? ` id="${escapeHtml(id)}"` : ''} class="${escapeHtml(classes)}"${style ? ` style="${escapeAttribute(style)}"` : ''}`;
  if (inLink) return `<span${common}>${inner}</span>`;
  return `<a${common} href="${escapeHtml(href)}" target="_blank" rel="noreferrer">${inner}</a>`;
}

function measures(tag: HtmlTag): { width: number | undefined; height: number | undefined } {
  const pixels = (name: string): number | undefined => {
    const value = /^\s*(\d{1,5})(?:px)?\s*$/.exec(attributeOf(tag, name) ?? '')?.[1];
    return value === undefined || value === '0' ? undefined : Number(value);
  };
  return { width: pixels('width'), height: pixels('height') };
}
