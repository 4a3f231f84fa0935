import type { SiteBuild } from '../build/site-build.ts';
import { encodeUtf8 } from '../bytes.ts';
import { comparePages, type PageChanges } from './page-changes.ts';

const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;

/** Pages of one kind of change, by the titles that readers see. */
export interface ListedChange {
  kind: (typeof CHANGE_KINDS)[number];
  /** How many there are; more than are listed. */
  count: number;
  pages: { href: string; title: string }[];
}

/** What every page of a preview repeats: enough for a review, and a few kilobytes at most. */
const MAX_PAGES = 100;
const MAX_BYTES = 16 * 1024;

/**
 * Lists what a build changes in the pages of the live one.
 * @returns the kinds of change that there are; at most 100 pages and 16 KiB of titles and paths in
 *   total
 */
export function listChanges(
  live: { deploymentId: string; build: SiteBuild },
  build: SiteBuild,
): ListedChange[] {
  const changes = comparePages(live, build);
  const bounds = { pages: MAX_PAGES, bytes: MAX_BYTES };
  return CHANGE_KINDS.filter((kind) => changes[kind].count > 0).map((kind) => ({
    kind,
    count: changes[kind].count,
    pages: firstPages(
      changes[kind].pages,
      titlesOf(kind === 'removed' ? live.build : build),
      bounds,
    ),
  }));
}

function titlesOf({ pages }: SiteBuild): Map<string, string> {
  return new Map(pages.map(({ href, title }) => [href, title]));
}

/** Takes pages while they fit, and subtracts them from what is left for the next kind. */
function firstPages(
  hrefs: PageChanges['added']['pages'],
  titles: ReadonlyMap<string, string>,
  left: { pages: number; bytes: number },
): ListedChange['pages'] {
  const listed: ListedChange['pages'] = [];
  for (const href of hrefs) {
    const title = titles.get(href) || href;
    const bytes = encodeUtf8(href + title).length;
    if (left.pages === 0 || bytes > left.bytes) break;
    left.pages--;
    left.bytes -= bytes;
    listed.push({ href, title });
  }
  return listed;
}
