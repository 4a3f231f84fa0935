import { exportedBuild } from '@docent/compiler/bundle/exported-build.ts';
import { comparableGroup } from '@docent/format/access/audience.ts';
import { mayRead } from '@docent/format/access/may-read.ts';
import { BoundedCache } from '@docent/format/bounded-cache.ts';
import type { BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { audienceKey, type CanRead } from '@docent/format/build/visible-build.ts';
import { oncePerObject } from '@docent/format/once.ts';
import type { SearchIndex } from '@docent/search/search-index.ts';
import type { LiveSite, Viewer } from '../ports/live-sites.ts';

/** Of what is seen by readers with groups, of all sites together. */
const MAX_VIEW_BYTES = 32 * 1024 * 1024;
/**
 * Of a page or file in a view: its place in lists, in the menu and in maps; what it is is shared
 * with the build.
 */
const BYTES_OF_ENTRY = 600;

type Identity = Omit<LiveSite, 'build' | 'searchIndex' | 'pageContent' | 'as' | 'narrowed'>;

interface View {
  site: LiveSite;
  organizationId: string;
}

/** What views of a site read from. */
export interface ViewSource {
  build: SiteBuild;
  openIndex(build: Pick<SiteBuild, 'pages' | 'searchIndex'>): Promise<SearchIndex>;
  readPage(page: BuiltPage): ReturnType<LiveSite['pageContent']>;
}

const pagesByPath = oncePerObject(
  ({ pages }: SiteBuild) => new Map(pages.map((page) => [page.path, page])),
);
const everything: CanRead = () => true;

/** The same, without what is for other groups only. */
function within(canRead: CanRead, groups: readonly string[]): CanRead {
  const names = new Set(groups.map(comparableGroup));
  return (audience) =>
    canRead(audience) && (!audience.groups || audience.groups.some((group) => names.has(group)));
}

/** What different readers see of sites: for all who may read the same, the same objects. */
export class ReaderViews {
  readonly #views = new BoundedCache<View>('reader_views', {
    maxBytes: MAX_VIEW_BYTES,
    sizeOf: ({ site: { build } }) =>
      BYTES_OF_ENTRY * (build.pages.length + Object.keys(build.files).length),
    ownerOf: ({ organizationId }) => organizationId,
  });

  /**
   * Returns a site as nobody in particular sees it; from there, `as` gives what a reader sees.
   * @param name identifies the site with its settings and its build among all
   */
  open(name: string, identity: Identity, source: ViewSource): LiveSite {
    const { build } = source;
    const make = (canRead: CanRead): LiveSite => {
      const seen = exportedBuild(build, canRead);
      return {
        ...identity,
        build: seen,
        searchIndex: () => source.openIndex(seen),
        pageContent: async (path) => {
          const page = pagesByPath(seen).get(path);
          return page && source.readPage(page);
        },
        as,
        narrowed: (groups) => viewOf(within(canRead, groups)),
      };
    };
    const canReadAs = (viewer: Viewer): CanRead =>
      viewer === 'owner' ? everything : (audience) => mayRead(viewer, audience, identity.access);
    const nobodyKey = audienceKey(build, canReadAs(undefined));
    const as = (viewer: Viewer): LiveSite => viewOf(canReadAs(viewer));
    const viewOf = (canRead: CanRead): LiveSite => {
      const key = audienceKey(build, canRead);
      if (key === nobodyKey) return forNobody;
      const view = `${name} ${key}`;
      const cachedView = this.#views.get(view);
      if (cachedView) return cachedView.site;
      const site = make(canRead);
      this.#views.set(view, { site, organizationId: identity.organizationId });
      return site;
    };
    const forNobody = make(canReadAs(undefined));
    return forNobody;
  }
}
