import { isOperationAnchor } from '../../anchors.ts';
import { inFolder, sourceRoot } from '../../docs-json/site-sources.ts';
import { escapeHtml } from '../../html.ts';
import type { ImageSize } from '../../image-size.ts';
import {
  decodeAddress,
  folderOf,
  joinPath,
  linkMark,
  resolveMarks,
  splitAddress,
} from '../../links.ts';
import { mediaTypeOf } from '../../media-types.ts';
import { didYouMean } from '../../nearest-name.ts';
import { inlinePicture } from '../../outside/address.ts';
import type { Place } from '../expressions/value.ts';
import { cleanAddress, isSafeLink, isSafeMedia, schemeOf } from '../nodes/html-policy.ts';
import type { AnchorLink } from './page-anchors.ts';
import type { PageSource, SiteContext } from './page-content.ts';
import type { PageRenderer } from './page-renderer.ts';

export type LinkTarget =
  | { kind: 'page'; path: string }
  | { kind: 'asset'; path: string }
  | { kind: 'external'; address: string }
  | { kind: 'anchor'; id: string }
  /** A missing file of the site. */
  | { kind: 'missing'; path: string }
  | { kind: 'refused' };

/** Paths that every published site serves without a source file. */
const GENERATED =
  /^\/(?:llms(?:-full)?\.txt|sitemap\.xml|robots\.txt|mcp|skill\.md|(?:.*\/)?rss\.xml)$/;

/**
 * Replaces a missing image: a quiet frame instead of a failing request. The image keeps its
 * alternative text.
 */
export const MISSING_IMAGE = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120" viewBox="0 0 320 120"><rect x="1" y="1" width="318" height="118" rx="8" fill="#88888814" stroke="#88888855" stroke-dasharray="5 5"/><path d="M142 76l13-17 9 11 6-7 9 13z" fill="#88888888"/><circle cx="170" cy="52" r="4" fill="#88888888"/></svg>',
)}`;

/** That frame's own size. */
export const MISSING_IMAGE_SIZE: ImageSize = { width: 320, height: 120 };

/** Folders whose files other generators serve at the root of the site. */
const SERVED_FOLDERS = ['public', 'static'];

/** Resolves the addresses of one page and collects the files that the page needs. */
export class PageLinks {
  /** Site paths of the files that the page shows or links. */
  readonly assets = new Set<string>();
  /** Link targets within the page; checked once all ids are known. */
  readonly anchors: { id: string; place: Place | undefined }[] = [];
  /** Link targets on other pages; checked once all pages are known. */
  readonly anchorLinks: AnchorLink[] = [];
  readonly #page: PageSource;
  readonly #site: SiteContext;
  readonly #warn: PageRenderer['warn'];

  constructor(page: PageSource, site: SiteContext, warn: PageRenderer['warn']) {
    this.#page = page;
    this.#site = site;
    this.#warn = warn;
  }

  /** Returns the escaped value for `href="…"`; undefined for a forbidden address. */
  href(target: string, place?: Place): string | undefined {
    const link = this.resolve(target, place);
    if (link.kind === 'refused' || link.kind === 'missing') return undefined;
    if (link.kind === 'anchor') return escapeHtml(`#${link.id}`);
    return this.#write(link);
  }

  /**
   * Returns the escaped value for `src="…"` of images and media; undefined for a forbidden address.
   */
  src(target: string, place?: Place): string | undefined {
    const media = this.resolveMedia(target, place);
    if (media.kind === 'missing') return MISSING_IMAGE;
    return media.kind === 'refused' || media.kind === 'anchor' ? undefined : this.#write(media);
  }

  /**
   * Returns the escaped value for `src="…"` of a frame, which shows a page of the site, or a file.
   */
  frame(target: string, place?: Place): string | undefined {
    const { path } = splitAddress(cleanAddress(target).replaceAll('\\', '/'));
    const candidates = path === '' ? [] : this.#candidates(path);
    const isPage = candidates.some((candidate) => this.#findPage(candidate) !== undefined);
    return isPage && !candidates.some((candidate) => this.#isFile(candidate))
      ? this.href(target, place)
      : this.src(target, place);
  }

  /** Returns a small drawing of the site as a `data:` URL. */
  inlineSvg(target: string, place?: Place): string | undefined {
    const media = this.resolveMedia(target, place);
    const svg =
      media.kind === 'asset' && /\.svg$/i.test(media.path)
        ? this.#site.readText(media.path.slice(1))
        : undefined;
    return svg === undefined ? undefined : inlinePicture(svg);
  }

  /** Returns the size of the image behind `written`, a result of `src`; undefined if unknown. */
  imageSize(written: string): ImageSize | undefined {
    let path = '';
    resolveMarks(written, (kind, target) => {
      if (kind === 'asset') path = target.replace(/^\/|[?#][\s\S]*/g, '');
      return target;
    });
    return path === '' ? undefined : this.#site.imageSize?.(path);
  }

  #write(link: Extract<LinkTarget, { kind: 'page' | 'asset' | 'external' }>): string {
    if (link.kind === 'external') return escapeHtml(link.address);
    if (link.kind === 'asset') this.assets.add(link.path);
    return linkMark(link.kind, link.path);
  }

  /** Classifies the address of a link. Reports broken links. */
  resolve(target: string, place?: Place): LinkTarget {
    const address = cleanAddress(target);
    if (address.startsWith('#')) {
      const operation = this.#findOperation(address);
      if (operation !== undefined) return { kind: 'page', path: operation };
      this.anchors.push({ id: address.slice(1), place });
      return { kind: 'anchor', id: address.slice(1) };
    }
    if (schemeOf(address) !== '') {
      if (isSafeLink(address)) return { kind: 'external', address };
      const message = `Links with "${schemeOf(address)}:" are not published.`;
      this.#warn('unsafe-link', message, 'Link to a page or to an https URL.', place);
      return { kind: 'refused' };
    }
    if (/^[\\/]{2}/.test(address))
      return { kind: 'external', address: `https://${address.slice(2)}` };
    return this.#resolveInside(address, place);
  }

  #resolveInside(address: string, place: Place | undefined): LinkTarget {
    const { path, rest } = splitAddress(address.replaceAll('\\', '/'));
    if (path === '') return { kind: 'page', path: this.#page.href + rest };
    for (const candidate of this.#candidates(path)) {
      const page = this.#findPage(candidate);
      if (page !== undefined) {
        const target =
          page.includes('#') && rest.includes('#')
            ? page.slice(0, page.indexOf('#')) + rest
            : page + rest;
        if (!page.startsWith('/')) return { kind: 'external', address: target };
        this.#noteAnchor(target, place);
        return { kind: 'page', path: target };
      }
      if (!this.#isFile(candidate)) continue;
      const file = this.#asset(candidate, place);
      return file.kind === 'missing' ? { kind: 'page', path: candidate + rest } : file;
    }
    const sitePath = this.#candidates(path)[0] as string;
    if (!this.#candidates(path).some((candidate) => GENERATED.test(candidate))) {
      const remedy = didYouMean(
        this.#site.nearPage?.(sitePath),
        'Correct the link, or add a redirect.',
      );
      this.#warn('broken-link', `There is no page or file at "${path}".`, remedy, place);
    }
    return { kind: 'page', path: sitePath + rest };
  }

  #noteAnchor(target: string, place: Place | undefined): void {
    const hash = target.indexOf('#');
    const path = target.slice(0, hash).replace(/\?[\s\S]*/, '');
    if (hash < 0) return;
    if (path === this.#page.href) this.anchors.push({ id: target.slice(hash + 1), place });
    else {
      const { file = this.#page.file, line, column } = place ?? {};
      this.anchorLinks.push({ path, id: target.slice(hash + 1), file, line, column });
    }
  }

  /** Classifies the address of an image or other media. Reports missing files. */
  resolveMedia(target: string, place?: Place): LinkTarget {
    const address = cleanAddress(target);
    if (/^[\\/]{2}/.test(address))
      return { kind: 'external', address: `https://${address.slice(2)}` };
    if (schemeOf(address) !== '') {
      if (isSafeMedia(address)) return { kind: 'external', address };
      const message = `"${schemeOf(address)}:" is not a valid URL of an image or a video.`;
      this.#warn('unsafe-link', message, 'Use a file of the documentation or an https URL.', place);
      return { kind: 'refused' };
    }
    const path = address.replaceAll('\\', '/').replace(/[?#][\s\S]*/, '');
    if (path === '') return { kind: 'refused' };
    const candidates = this.#candidates(path);
    const filePath = candidates.find((candidate) => this.#isFile(candidate));
    if (filePath === undefined) {
      const missing = decodeAddress(candidates[0] as string);
      const near = this.#site.nearFile?.(missing.slice(1));
      const isServed = near !== undefined && mediaTypeOf(near) !== undefined;
      const remedy = didYouMean(
        isServed ? `/${near}` : undefined,
        'Correct the path, or add the file.',
      );
      this.#warn('missing-file', `There is no file "${path}".`, remedy, place);
      return { kind: 'missing', path: missing };
    }
    return this.#asset(filePath, place);
  }

  #asset(encodedPath: string, place: Place | undefined): LinkTarget {
    const path = decodeAddress(encodedPath);
    if (mediaTypeOf(path) !== undefined) return { kind: 'asset', path };
    const isDocument = /\.html?$/i.test(path);
    const remedy = isDocument
      ? 'Make it a page or a component, or host it elsewhere and use its https URL.'
      : 'Link to it where it is hosted, for example in the repository, or put it into a .zip archive.';
    const reason = isDocument
      ? ': HTML documents could run code of their own'
      : ', as sites do not serve files of its type';
    this.#warn(
      'unserved-file',
      `The file "${path.slice(1)}" is not published${reason}.`,
      remedy,
      place,
    );
    return { kind: 'missing', path };
  }

  /** Returns the site paths that an address can mean, most likely first. */
  #candidates(path: string): string[] {
    const atRoot = joinPath('', path);
    const { sources } = this.#site.config;
    const folder = sourceRoot(sources, this.#page.file);
    // A source is written as if it were the whole site.
    const roots = folder === '' ? [atRoot] : [inFolder(folder, atRoot), atRoot];
    const rooted = roots.map((candidate) => `/${candidate}`);
    // Sites that are served under /docs elsewhere, and repositories with a docs folder, have links
    // with this prefix.
    if (path.startsWith('/')) {
      const short = atRoot.replace(/^docs\//, '');
      const places = short === atRoot ? [] : [short];
      for (const served of SERVED_FOLDERS) places.push(`${served}/${atRoot}`);
      return [...rooted, ...places.map((place) => `/${inFolder(folder, place)}`)];
    }
    const beside = `/${joinPath(folderOf(this.#page.file), path)}`;
    const below = `/${joinPath(folderOf(this.#page.href.slice(1)), path)}`;
    // Authors also omit the leading slash.
    return [...new Set([beside, below, ...rooted])];
  }

  /** The texts of a description link to its operations as if all of them were on one page. */
  #findOperation(anchor: string): string | undefined {
    const description = this.#page.api?.description;
    if (description === undefined || !isOperationAnchor(anchor)) return undefined;
    return this.#site.pageHref(`/${description}${decodeAddress(anchor)}`);
  }

  #findPage(path: string): string | undefined {
    const bare = path.replace(/\.(?:mdx|md|html)$/, '');
    const folder = bare.replace(/\/(?:index|README)$/i, '') || '/';
    for (const candidate of new Set([path, bare, folder, decodeAddress(bare)])) {
      const href = this.#site.pageHref(candidate);
      if (href !== undefined) return href;
    }
    return undefined;
  }

  #isFile(path: string): boolean {
    return (
      path !== '/' && !/\.mdx?$/.test(path) && this.#site.hasFile(decodeAddress(path).slice(1))
    );
  }
}
