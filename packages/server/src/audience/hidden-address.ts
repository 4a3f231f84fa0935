import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { oncePerObject } from '@docent/format/once.ts';
import type { LiveSite } from '../ports/live-sites.ts';

/** Every address of a build's pages and files, without what other forms of them add. */
const addressesOf = oncePerObject(
  ({ pages, files }: SiteBuild) =>
    new Set([...pages.map(({ href }) => href), ...Object.keys(files).map((path) => `/${path}`)]),
);

/**
 * Returns whether there is a page or a file at a path for other viewers of a site, in any of its
 * forms: as HTML, as Markdown, as a feed or as a preview image.
 * @param path decoded, inside the site, with a leading slash
 */
export function isHiddenFrom(site: Pick<LiveSite, 'build' | 'as'>, path: string): boolean {
  const forms = [path, pagePathOf(path)];
  const isAt = ({ build }: Pick<LiveSite, 'build'>) =>
    forms.some((form) => addressesOf(build).has(form));
  return !isAt(site) && isAt(site.as('owner'));
}

function pagePathOf(path: string): string {
  const picture = /^\/_docent\/og(\/.*)\.(?:png|webp)$/.exec(path)?.[1];
  const page = (picture ?? path)
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/rss\.xml$/, '')
    .replace(/\.(?:html|mdx?)$/, '')
    .replace(/\/index$/, '');
  return page || '/';
}
