import type { ResolveLink } from '../core/links.ts';
import type { SiteBuild } from '../core/site-build.ts';

/** How a site's pages address each other and its files, in one use of the site. */
export interface SiteAddresses {
  linkStyle: 'clean' | 'html';
  /** What leads from the page at `href` to the root of the site, with a closing slash. */
  rootPrefix(href: string): string;
  /** The resolver for links that stand on the page at `href`. */
  resolverFor(href: string): ResolveLink;
}

/**
 * Addresses on a server: absolute in the site, files with the start of their hash so that they can be cached for good.
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

/**
 * Addresses in a bundle: relative, with `.html`, so that they work at any sub-path and from the disk.
 * @param has whether the bundle holds the page at this href; links to other pages lead to `elsewhere`
 * @param elsewhere address of the live site without a trailing slash, for pages that were left out
 */
export function bundleAddresses(has: (href: string) => boolean, elsewhere: string): SiteAddresses {
  const resolvers = new Map<string, ResolveLink>();
  const rootPrefix = (href: string) => '../'.repeat(pageFile(href).split('/').length - 1) || './';
  return {
    linkStyle: 'html',
    rootPrefix,
    resolverFor(href) {
      const prefix = rootPrefix(href);
      // Every page of one depth resolves alike, so they share one function (and what the theme caches by it).
      const known = resolvers.get(prefix);
      if (known) return known;
      const resolve: ResolveLink = (kind, target) => {
        if (!target.startsWith('/')) return target;
        const { path, rest } = splitTarget(target);
        if (kind === 'asset') return `${prefix}${encodeURI(path.slice(1))}${rest}`;
        return has(path) ? `${prefix}${encodeURI(pageFile(path))}${rest}` : `${elsewhere}${target}`;
      };
      resolvers.set(prefix, resolve);
      return resolve;
    },
  };
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
