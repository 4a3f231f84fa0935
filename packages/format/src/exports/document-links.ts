import { cssAddresses } from '../outside/css-addresses.ts';
import { attributeOf, type HtmlTag, htmlTags } from '../outside/html-tags.ts';

const ADDRESSES = new Set(['href', 'src', 'poster', 'data', 'action', 'xlink:href']);
/** Links for programs other than the browser: they use the site's public URL. */
const META_RELATIONS = new Set(['canonical', 'alternate', 'prev', 'next']);

/** An address in a file of a bundle. */
export interface DocumentLink {
  address: string;
  /** Whether a browser fetches it automatically to show the document, not after a click. */
  fetched: boolean;
}

/** Returns the addresses in a style sheet: images, fonts, further style sheets. */
export function* styleLinks(css: string): Iterable<DocumentLink> {
  for (const { target } of cssAddresses(css))
    if (target !== '') yield { address: target, fetched: true };
}

/**
 * Returns the addresses in an HTML document, as written: links, scripts, styles, images, media,
 * forms, refreshes.
 */
export function* documentLinks(html: string): Iterable<DocumentLink> {
  for (const tag of htmlTags(html)) {
    if (!tag.isEnd) yield* tagLinks(tag);
    if (tag.css !== undefined) yield* styleLinks(tag.css);
  }
}

function* tagLinks(tag: HtmlTag): Iterable<DocumentLink> {
  const isMeta = tag.name === 'link' && META_RELATIONS.has(attributeOf(tag, 'rel') ?? '');
  const isLink = isMeta || ['a', 'area', 'form'].includes(tag.name);
  for (const { name, value: written } of tag.attributes) {
    const value = written.trim();
    if (ADDRESSES.has(name)) yield { address: value, fetched: !isLink };
    else if (name === 'srcset') {
      for (const part of value.split(/,\s+/))
        yield { address: part.trim().split(/\s+/)[0] ?? '', fetched: true };
    } else if (name === 'style' && /url|image-set|\\/i.test(value)) yield* styleLinks(value);
    else if (
      tag.name === 'meta' &&
      name === 'content' &&
      attributeOf(tag, 'http-equiv')?.toLowerCase() === 'refresh'
    ) {
      yield { address: value.replace(/^[^=]*=/, ''), fetched: false };
    }
  }
}
