import { type ImageSize, imageSizeAttributes } from '../image-size.ts';
import { linkMark } from '../links.ts';
import { embedOf, mapSourceSet, outsideAddress } from './address.ts';
import { rewriteCss } from './css-addresses.ts';
import {
  attributeOf,
  escapeAttribute,
  type HtmlAttribute,
  type HtmlTag,
  htmlTags,
  Replacements,
} from './html-tags.ts';

/** A resource of another server that a page shows. */
export interface OutsidePicture {
  /** `oembed`: the description of a video, which names its thumbnail. */
  kind: 'picture' | 'font' | 'poster' | 'oembed';
  address: string;
}

export interface LocalCopy {
  /** Site path without a leading slash. */
  path: string;
  size?: ImageSize;
  /**
   * A small SVG as a `data:` URL, for CSS: browsers load no mask from another file of a site that
   * is opened from disk.
   */
  inline?: string;
}

/** Matches every article with resources of other servers; links do not count. */
const OUTSIDE_SIGN = /srcset="|url\(|image-set\(|<image|<use|(?<! href)="(?:http|\/\/)/;

/** A quick check: most articles refer to other servers only in links. */
export function mayNameOutside(article: string): boolean {
  return OUTSIDE_SIGN.test(article);
}

/**
 * Returns the images and fonts of other servers in an article, without duplicates. Videos
 * themselves are not copied.
 */
export function outsidePictures(article: string): OutsidePicture[] {
  if (!mayNameOutside(article)) return [];
  const picturesByAddress = new Map<string, OutsidePicture>();
  visit(article, (picture) => {
    picturesByAddress.set(picture.address, picture);
    return undefined;
  });
  return [...picturesByAddress.values()];
}

/**
 * Makes an article show copies of resources of other servers. An image without a size gets that of
 * its copy to prevent layout shifts; a video gets its thumbnail for when it cannot be played.
 * @param copyOf returns undefined if there is no copy; the resource then stays
 */
export function withLocalPictures(
  article: string,
  copyOf: (address: string) => LocalCopy | undefined,
): string {
  return mayNameOutside(article) ? visit(article, ({ address }) => copyOf(address)) : article;
}

type Find = (picture: OutsidePicture) => LocalCopy | undefined;

function visit(article: string, find: Find): string {
  const out = new Replacements(article);
  for (const tag of htmlTags(article)) {
    if (!tag.isEnd)
      out.rewrite(
        tag,
        (attribute) => newAttribute(tag, attribute, find),
        (css) => localCss(css, find),
      );
  }
  return out.toString();
}

/** Returns the new attribute with a leading space; undefined if it stays. */
function newAttribute(
  tag: HtmlTag,
  { name, value }: HtmlAttribute,
  find: Find,
): string | undefined {
  switch (name) {
    case 'src':
      if (tag.name === 'iframe') return framePoster(value, find);
      return tag.name === 'img' ? localImage(tag, value, find) : undefined;
    case 'poster':
      return tag.name === 'video' ? localPicture(name, value, find)?.text : undefined;
    case 'href':
    case 'xlink:href':
      return tag.name === 'image' ? localPicture(name, value, find)?.text : undefined;
    case 'srcset': {
      let isLocal = false;
      const local = mapSourceSet(value, (address) => {
        const mark = localPicture(name, address, find)?.mark;
        isLocal ||= mark !== undefined;
        return mark ?? escapeAttribute(address);
      });
      return isLocal ? ` srcset="${local}"` : undefined;
    }
    case 'style': {
      if (!/url|image-set|\\/i.test(value)) return undefined;
      const css = localCss(value, find);
      return css === value ? undefined : ` style="${escapeAttribute(css)}"`;
    }
    default:
      return undefined;
  }
}

function localPicture(
  name: string,
  value: string,
  find: Find,
): { text: string; mark: string; copy: LocalCopy } | undefined {
  const address = outsideAddress(value);
  const copy = address === undefined ? undefined : find({ kind: 'picture', address });
  if (!copy) return undefined;
  const mark = linkMark('asset', `/${copy.path}`);
  return { text: ` ${name}="${mark}"`, mark, copy };
}

function localImage(tag: HtmlTag, value: string, find: Find): string | undefined {
  const local = localPicture('src', value, find);
  if (!local) return undefined;
  return (
    local.text +
    imageSizeAttributes(attributeOf(tag, 'width'), attributeOf(tag, 'height'), local.copy.size)
  );
}

function framePoster(value: string, find: Find): string | undefined {
  const { poster } = embedOf(value);
  const copy = poster && find(poster);
  return (
    copy && ` src="${escapeAttribute(value)}" data-poster="${linkMark('asset', `/${copy.path}`)}"`
  );
}

function localCss(css: string, find: Find): string {
  return rewriteCss(css, ({ kind, target }) => {
    const address = outsideAddress(target);
    if (address === undefined || kind === 'import') return target;
    const copy = find({ kind, address });
    return copy ? (copy.inline ?? linkMark('asset', `/${copy.path}`)) : target;
  });
}
