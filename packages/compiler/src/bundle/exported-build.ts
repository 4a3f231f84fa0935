import { createHash } from 'node:crypto';
import type { BuiltPage, IndexEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import {
  audienceKey,
  type CanRead,
  visibleBuild,
  visiblePages,
} from '@docent/format/build/visible-build.ts';
import { oncePerObject } from '@docent/format/once.ts';

/** Incremented when the same pages of an index give another index. */
const PARTS_FORMAT = 1;

/** Returns the build of an export, which has nothing that its audience may not read. */
export function exportedBuild(build: SiteBuild, canRead: CanRead): SiteBuild {
  const key = audienceKey(build, canRead);
  if (key !== undefined)
    return visibleBuild(build, canRead, key, visibleIndexOf(build, visiblePages(build, canRead)));
  return build.restricted === undefined ? build : openPart(build);
}

const openPart = oncePerObject(({ restricted: _, ...open }: SiteBuild): SiteBuild => open);

/**
 * Names the search index of some pages of a build by what it consists of; `visibleIndex` makes it.
 * @param pages those that a reader may read, in the order of the site
 */
export function visibleIndexOf(build: SiteBuild, pages: readonly BuiltPage[]): IndexEntry {
  const { restricted } = build;
  if (
    pages.length === build.pages.length &&
    pages.every((page, place) => page === build.pages[place])
  )
    return build.searchIndex;
  const partOf = restricted?.searchIndex ?? build.searchIndex;
  if (pages.length === build.pages.length + (restricted?.pages.length ?? 0)) return partOf;
  const name = `${PARTS_FORMAT} ${partOf.sha256} ${pages.map(({ path }) => path).join('\n')}`;
  return { ...partOf, sha256: createHash('sha256').update(name).digest('hex'), partOf };
}

/**
 * Makes the search index of the pages of a build.
 * @param whole the index that it is a part of
 */
export async function visibleIndex(
  whole: Uint8Array,
  { pages }: Pick<SiteBuild, 'pages'>,
): Promise<Uint8Array> {
  const { subsetIndex } = await import('@docent/search/shards/subset-index.ts');
  const paths = new Set(pages.map(({ path }) => path));
  return subsetIndex(whole, (path) => paths.has(path));
}
