import type { ExportOptions } from '../../core/exports/export-options.ts';
import type { ResolveLink } from '../../core/links.ts';
import type { SiteBuild } from '../../core/site-build.ts';

/** How a site's pages address each other and its files, in one use of the site. */
export interface SiteAddresses {
  linkStyle: 'clean' | 'html';
  /** What leads from the page at `href` to the root of the site, with a closing slash. */
  rootPrefix(href: string): string;
  /** The resolver for links that stand on the page at `href`. */
  resolverFor(href: string): ResolveLink;
}

/**
 * Addresses on a server: absolute in the site, files with the start of their hash so that they can be cached forever.
 * @param basePath what stands before every path, `''` or `/sites/acme`
 */
export function hostedAddresses(basePath: string, build: Pick<SiteBuild, 'files'>): SiteAddresses {
  const resolve: ResolveLink = (kind, target) => {
    if (!target.startsWith('/')) return target;
    if (kind === 'page') return `${basePath}${target}`;
    const { path, rest } = splitTarget(target);
    const file = fileAt(build, path);
    return `${basePath}${encodeURI(path)}${file && rest === '' ? `?v=${file.sha256.slice(0, 8)}` : rest}`;
  };
  return { linkStyle: 'clean', rootPrefix: () => `${basePath}/`, resolverFor: () => resolve };
}

/** What a bundle holds, and what stands for the rest of the site in it. */
export interface BundleContents {
  /** Whether the bundle holds the page at this href. */
  hasPage: (href: string) => boolean;
  /** Whether it holds the file at this path, without a leading slash. */
  hasFile: (path: string) => boolean;
  /** Where the site sends readers who come to this path. */
  redirect?: (path: string) => { destination: string } | undefined;
  /** Address of the live site without a trailing slash. */
  origin: string;
  omittedLinks: ExportOptions['omittedLinks'];
}

/** Stands in a document for the address of a page that is left out, until `withoutOmitted` has made plain text of the link. */
const OMITTED = 'about:omitted';
/** Stands for a file that the source names and does not have: nothing is asked for it. */
const NO_FILE = 'data:,';
/** Addresses below it are answered by whoever serves the bundle, if at all. */
const SERVED = /^\/_docent\//;

/**
 * Addresses in a bundle: relative, with `.html`, so that they work at any sub-path and from the disk. Where pages may be left
 * out as plain text, the documents must go through `withoutOmitted`.
 */
export function bundleAddresses({ hasPage, hasFile, redirect, origin, omittedLinks }: BundleContents): SiteAddresses {
  const resolvers = new Map<string, ResolveLink>();
  const rootPrefix = (href: string) => '../'.repeat(pageFile(href).split('/').length - 1) || './';
  const omitted = (target: string) => (omittedLinks === 'live' ? `${origin}${target}` : OMITTED);
  return {
    linkStyle: 'html',
    rootPrefix,
    resolverFor(href) {
      const prefix = rootPrefix(href);
      // Every page of one depth resolves alike, so they share one function (and what the theme caches by it).
      const known = resolvers.get(prefix);
      if (known) return known;
      const inBundle = (path: string) => {
        if (hasPage(path)) return `${prefix}${encodeURI(pageFile(path))}`;
        return hasFile(path.slice(1)) || SERVED.test(path) ? `${prefix}${encodeURI(path.slice(1))}` : undefined;
      };
      const resolve: ResolveLink = (kind, target) => {
        if (!target.startsWith('/')) return target;
        const { path, rest } = splitTarget(target);
        const file = inBundle(path);
        if (file !== undefined) return file + rest;
        if (kind === 'asset') return NO_FILE;
        const moved = splitTarget(redirect?.(path)?.destination ?? '');
        const movedTo = inBundle(moved.path);
        return movedTo === undefined ? omitted(target) : movedTo + (rest || moved.rest);
      };
      resolvers.set(prefix, resolve);
      return resolve;
    },
  };
}

/** Whether an address that `bundleAddresses` gave stands for a page that is left out as plain text. */
export function isOmitted(address: string): boolean {
  return address === OMITTED;
}

/** Makes plain text of the links of a document that lead to pages which are left out. */
export function withoutOmitted(document: string): string {
  return document.includes(OMITTED) ? document.replaceAll(` href="${OMITTED}"`, '') : document;
}

/** File of a bundle that holds the page at `href`: `/guides/start` → `guides/start.html`. */
export function pageFile(href: string): string {
  return href === '/' ? 'index.html' : `${href.slice(1)}.html`;
}

function splitTarget(target: string): { path: string; rest: string } {
  const end = target.search(/[?#]/);
  return end < 0 ? { path: target, rest: '' } : { path: target.slice(0, end), rest: target.slice(end) };
}

function fileAt(build: Pick<SiteBuild, 'files'>, path: string) {
  const name = path.slice(1);
  return Object.hasOwn(build.files, name) ? build.files[name] : undefined;
}
