import { readFile } from 'node:fs/promises';
import { mayRead } from '@docent/format/access/may-read.ts';
import { defaultSiteSecurity, defaultSiteSettings } from '@docent/format/access/site-settings.ts';
import type { BuiltPage, FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import { STORED_FORMS } from '@docent/format/build/stored-forms.ts';
import { readSiteConfig } from '@docent/format/docs-json/read-site-config.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { SearchIndex } from '@docent/search/search-index.ts';
import { loadBundleIndex } from '@docent/search/shards/load-bundle-index.ts';
import {
  type LiveSite,
  type LiveSites,
  PUBLIC_ACCESS,
  type SiteAccess,
} from '../ports/live-sites.ts';
import { BUNDLE_SITE, requireBundle, type ServedBundle } from './bundle-app.ts';
import type { Bundle, BundleStore } from './bundle-store.ts';

const noFile: FileEntry = { sha256: '', sizeBytes: 0, type: '' };

interface BundleSitesOptions {
  served: ServedBundle;
  store: BundleStore;
  /** Address of pages in answers; defaults to the live site's. */
  publicUrl: string | undefined;
  /** Who may read it; everybody by default. */
  access?: SiteAccess | undefined;
}

/** Exposes the served bundle as the only live site, whatever name is requested. */
export function bundleSites(options: BundleSitesOptions): LiveSites {
  const { served } = options;
  let cacheEntry: { bundle: Bundle; site: LiveSite } | undefined;
  const find = async (): Promise<LiveSite> => {
    const bundle = requireBundle(served);
    if (cacheEntry?.bundle !== bundle) cacheEntry = { bundle, site: bundleSite(bundle, options) };
    return cacheEntry.site;
  };
  return { find, findShown: find, heldCount: 1, invalidate() {}, outdate() {} };
}

/** Returns a function that reads a file of a bundle, and throws if there is none. */
export function bundleReader(
  { files }: Bundle,
  store: BundleStore,
): (path: string) => Promise<Uint8Array> {
  return async (path) => {
    const file = files.get(path);
    if (!file) throw new Error(`The bundle has no file ${path}.`);
    return readFile(store.filePath(file.sha256));
  };
}

/**
 * Presents a bundle as the site that the use cases expect: its pages, their Markdown, and the
 * search index that readers' browsers use too.
 */
function bundleSite(
  bundle: Bundle,
  { store, publicUrl, access = PUBLIC_ACCESS }: BundleSitesOptions,
): LiveSite {
  const { manifest, files } = bundle;
  const read = bundleReader(bundle, store);
  const readText = async (path: string) => new TextDecoder().decode(await read(path));
  let index: Promise<SearchIndex> | undefined;
  const pageFiles = new Map(manifest.pages.map(({ path, file }) => [path, file]));
  const whole: LiveSite = {
    siteId: BUNDLE_SITE,
    organizationId: BUNDLE_SITE,
    slug: BUNDLE_SITE,
    hostnames: [],
    security: defaultSiteSecurity,
    settings: { ...defaultSiteSettings, publicUrl: publicUrl ?? null },
    access,
    // The parts of a bundle are for whoever may read any of it: the audience of its export.
    as: (viewer) =>
      viewer === 'owner' || mayRead(viewer, { isPublic: false }, access) ? whole : empty,
    narrowed: () => whole,
    deploymentId: bundle.sha256,
    build: buildOf(bundle),
    publicUrl: publicUrl ?? manifest.origin,
    searchIndex() {
      index ??= loadBundleIndex(files.keys(), read);
      index.catch(() => {
        index = undefined;
      });
      return index;
    },
    async pageContent(path) {
      const file = pageFiles.get(path);
      if (file === undefined) return undefined;
      const [html, markdown] = await Promise.all([
        readText(file),
        readText(file.replace(/\.html$/, '.md')),
      ]);
      return { html, aside: '', toc: [], markdown, elements: [] };
    },
  };
  const empty: LiveSite = {
    ...whole,
    build: { ...whole.build, pages: [] },
    narrowed: () => empty,
    async searchIndex() {
      throw new DocentError('sign_in_required', 'Readers of this site sign in.');
    },
    pageContent: async () => undefined,
  };
  return whole.as(undefined);
}

/** The parts of a build that a bundle contains. */
function buildOf({ manifest }: Bundle): SiteBuild {
  const settings = {
    theme: 'mint',
    name: manifest.name,
    colors: { primary: '#000000' },
    navigation: { pages: ['index'] },
  };
  const readText = (path: string) => (path === 'docs.json' ? JSON.stringify(settings) : undefined);
  const pages = manifest.pages.map(({ path, href, title }): BuiltPage => {
    return { path, href, title, file: '', mode: 'default', content: noFile };
  });
  return {
    formatVersion: STORED_FORMS.build.writes,
    id: manifest.exportVersion,
    config: readSiteConfig({ readText }).config,
    navigation: { roots: [], global: [] },
    pages,
    files: {},
    styles: [],
    scripts: [],
    icons: {},
    codeThemeStyle: '',
    searchIndex: noFile,
    report: {
      pageCount: pages.length,
      failedPageCount: 0,
      fileCount: 0,
      durationMs: 0,
      diagnostics: [],
    },
  };
}
