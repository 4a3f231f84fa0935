import type { SiteBuild } from '@docent/format/build/site-build.ts';
import type { ExportOptions } from '@docent/format/exports/export-options.ts';
import { type ResolveLink, splitAddress } from '@docent/format/links.ts';
import { onceForEach } from '@docent/format/once.ts';

/** How a site's pages address each other and its files, in one use of the site. */
export interface SiteAddresses {
  linkStyle: 'clean' | 'html';
  /**
   * Returns the relative path from the page at `href` to the root of the site, with a trailing
   * slash.
   */
  rootPrefix(href: string): string;
  /** Returns the resolver for links on the page at `href`. */
  resolverFor(href: string): ResolveLink;
}

/**
 * Addresses on a server: absolute in the site; file addresses contain the start of the file's hash,
 * so that they can be cached forever.
 * @param basePath prefix of every path, `''` or `/sites/acme`
 */
export function hostedAddresses(basePath: string, build: Pick<SiteBuild, 'files'>): SiteAddresses {
  const resolve: ResolveLink = (kind, target) => {
    if (!target.startsWith('/')) return target;
    if (kind === 'page') return `${basePath}${target}`;
    const { path, rest } = splitAddress(target);
    const name = path.slice(1);
    const file = rest === '' && Object.hasOwn(build.files, name) ? build.files[name] : undefined;
    return `${basePath}${encodeURI(path)}${file ? `?v=${file.sha256.slice(0, 8)}` : rest}`;
  };
  return { linkStyle: 'clean', rootPrefix: () => `${basePath}/`, resolverFor: () => resolve };
}

/** What a bundle contains, and what replaces the rest of the site in it. */
export interface BundleContents {
  /** Returns whether the bundle contains the page at this href. */
  hasPage: (href: string) => boolean;
  /** Returns whether it contains the file at this path, without a leading slash. */
  hasFile: (path: string) => boolean;
  /** Returns where the site redirects this path to. */
  redirect?: (path: string) => { destination: string } | undefined;
  /** Address of the live site without a trailing slash. */
  origin: string;
  omittedLinks: ExportOptions['omittedLinks'];
}

/**
 * Placeholder in a document for the address of an omitted page, until `withoutOmitted` has turned
 * the link into plain text.
 */
const OMITTED = 'about:omitted';
/** Placeholder for a file that the source names and does not have: nothing is requested for it. */
const NO_FILE = 'data:,';
/** Addresses below it are handled by the server of the bundle, if at all. */
const SERVED = /^\/_docent\//;

/**
 * Addresses in a bundle: relative, with `.html`, so that they work at any sub-path and from disk.
 * If pages may be left out as plain text, the documents must be passed through `withoutOmitted`.
 */
export function bundleAddresses({
  hasPage,
  hasFile,
  redirect,
  origin,
  omittedLinks,
}: BundleContents): SiteAddresses {
  const rootPrefix = (href: string) => '../'.repeat(pageFile(href).split('/').length - 1) || './';
  const omitted = (target: string) => (omittedLinks === 'live' ? `${origin}${target}` : OMITTED);
  // Every page of one depth resolves the same way, so they share one function (and what the theme
  // caches by it).
  const resolverBelow = onceForEach((prefix: string): ResolveLink => {
    const inBundle = (path: string) => {
      if (hasPage(path)) return `${prefix}${encodeURI(pageFile(path))}`;
      return hasFile(path.slice(1)) || SERVED.test(path)
        ? `${prefix}${encodeURI(path.slice(1))}`
        : undefined;
    };
    return (kind, target) => {
      if (!target.startsWith('/')) return target;
      const { path, rest } = splitAddress(target);
      const file = inBundle(path);
      if (file !== undefined) return file + rest;
      if (kind === 'asset') return NO_FILE;
      const moved = splitAddress(redirect?.(path)?.destination ?? '');
      const movedTo = /^https?:/i.test(moved.path) ? moved.path : inBundle(moved.path);
      return movedTo === undefined ? omitted(target) : movedTo + (rest || moved.rest);
    };
  });
  return { linkStyle: 'html', rootPrefix, resolverFor: (href) => resolverBelow(rootPrefix(href)) };
}

/**
 * Returns whether an address from `bundleAddresses` represents a page that is left out as plain
 * text.
 */
export function isOmitted(address: string): boolean {
  return address === OMITTED;
}

/** Turns a document's links to omitted pages into plain text. */
export function withoutOmitted(document: string): string {
  return document.includes(OMITTED) ? document.replaceAll(` href="${OMITTED}"`, '') : document;
}

/**
 * Returns the file of a bundle that contains the page at `href`: `/guides/start` →
 * `guides/start.html`.
 */
export function pageFile(href: string): string {
  return href === '/' ? 'index.html' : `${href.slice(1)}.html`;
}
