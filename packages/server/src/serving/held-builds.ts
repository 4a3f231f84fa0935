import { BoundedCache } from '@docent/format/bounded-cache.ts';
import { readSiteBuild, type SiteBuild } from '@docent/format/build/site-build.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import type { SearchIndex } from '@docent/search/search-index.ts';
import { LRUCache } from 'lru-cache';
import { readSearchIndex } from '../audience/index-parts.ts';
import { missingFrom } from '../kernel/sites/site-blobs.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { LiveSite } from '../ports/live-sites.ts';

/**
 * Of one build under different settings, identifiers and hostnames, which share everything large.
 */
const MAX_SITES_OF_BUILD = 8;
/**
 * The manifests' share of the memory; indexes have the rest. Every page view needs a manifest, and
 * few need an index.
 */
const MANIFEST_SHARE = 1 / 3;
/**
 * Bytes of memory for a byte of a manifest: its objects, and the menus and maps that are made of
 * them. Measured on real documentation: 1.6 to 2.3.
 */
const MEMORY_OF_MANIFEST = 3;
/** Likewise of a search index, with what queries unpack: 1.7 to 1.8. */
const MEMORY_OF_INDEX = 2;

/** Where a deployment's build is. */
export interface BuildPlace {
  organizationId: string;
  deploymentId: string;
  manifestKey: string;
}

/** A build in memory. */
export interface HeldBuild {
  organizationId: string;
  manifestBytes: number;
  build: SiteBuild;
  /** The build as live sites, by their settings, so that each is prepared once. */
  sites: LRUCache<string, LiveSite>;
}

interface HeldIndex {
  organizationId: string;
  indexBytes: number;
  index: SearchIndex;
}

/**
 * The builds that are being served, each once however many settings, identifiers and hostnames it
 * is served with.
 */
export interface HeldBuilds {
  /** @throws DocentError `site_files_missing`; Error if the manifest is unreadable */
  open(place: BuildPlace): Promise<HeldBuild>;
  /** @throws DocentError `site_files_missing`; Error if the index is unreadable */
  openIndex(
    place: BuildPlace,
    build: Pick<SiteBuild, 'pages' | 'searchIndex'>,
  ): Promise<SearchIndex>;
  /** Removes a build that is not served any more. */
  drop(deploymentId: string): void;
  /** Number of builds in memory. */
  readonly count: number;
}

const decoder = new TextDecoder();

/**
 * @param maxBytes memory of all builds, of which one organization keeps at most half while others
 *   need it
 */
export function holdBuilds(blobs: Pick<BlobStore, 'read' | 'put'>, maxBytes: number): HeldBuilds {
  const ownerOf = ({ organizationId }: { organizationId: string }) => organizationId;
  const manifests = new BoundedCache<HeldBuild>('site_manifests', {
    maxBytes: Math.floor(maxBytes * MANIFEST_SHARE),
    sizeOf: ({ manifestBytes }) => MEMORY_OF_MANIFEST * manifestBytes,
    ownerOf,
  });
  const indexes = new BoundedCache<HeldIndex>('search_indexes', {
    maxBytes: Math.floor(maxBytes * (1 - MANIFEST_SHARE)),
    sizeOf: ({ indexBytes }) => MEMORY_OF_INDEX * indexBytes,
    ownerOf,
  });

  return {
    open: ({ organizationId, deploymentId, manifestKey }) =>
      manifests.load(deploymentId, async () => {
        const bytes = await blobs.read(manifestKey);
        if (!bytes) throw missingFrom(`the manifest of deployment ${deploymentId}`);
        const build = readSiteBuild(decoder.decode(bytes));
        const sites = new LRUCache<string, LiveSite>({ max: MAX_SITES_OF_BUILD });
        return { organizationId, manifestBytes: bytes.byteLength, build, sites };
      }),
    async openIndex({ organizationId, deploymentId }, build) {
      // By its content, which a build without changes shares with the one before; and by its owner,
      // who is answerable for its memory.
      const indexEntry = await indexes.load(
        `${organizationId} ${build.searchIndex.sha256}`,
        async () => {
          const bytes = await readSearchIndex(blobs, build);
          if (!bytes) throw missingFrom(`the search index of deployment ${deploymentId}`);
          return { organizationId, indexBytes: bytes.byteLength, index: loadSearchIndex(bytes) };
        },
      );
      return indexEntry.index;
    },
    drop: (deploymentId) => manifests.delete(deploymentId),
    get count() {
      return manifests.figures.entries;
    },
  };
}
