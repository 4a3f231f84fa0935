import { API_CATALOG, API_CATALOG_TYPE } from '../compiler/site/agent-files.ts';
import { DocentError } from '../core/errors.ts';
import type { BundleManifest } from '../core/exports/bundle-manifest.ts';
import { mediaTypeOf } from '../core/site-files/media-types.ts';
import { createRedirects } from '../core/site-files/redirects.ts';

export interface ServedFile {
  sha256: string;
  sizeBytes: number;
  /** Media type. */
  type: string;
  /** Its name contains its hash, so its content never changes. */
  immutable: boolean;
}

/** A complete bundle. Immutable. */
export interface Bundle {
  /** Of the archive; identifies the bundle. */
  sha256: string;
  manifest: BundleManifest;
  /** By path, without a leading slash. */
  files: ReadonlyMap<string, ServedFile>;
  /** Site paths of pages, by the paths of their HTML and their Markdown. */
  pageOfFile: ReadonlyMap<string, string>;
  redirect: ReturnType<typeof createRedirects>;
}

const moreTypes = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['wasm', 'application/wasm'],
  ['webmanifest', 'application/manifest+json'],
]);

/** Files that Docent generated for the pages have a hash in their name. */
const NAMED_BY_HASH = /^_docent\/.*[-.][0-9a-f]{8,}[-.]/;

/** Files that readers of the site do not need: rules for other servers. */
const HIDDEN = /^(?:_redirects$|_hosting\/|\.(?!well-known\/))|\/\./;

export function bundleOf(sha256: string, manifest: BundleManifest): Bundle {
  const files = new Map<string, ServedFile>();
  for (const { path, sha256, sizeBytes } of manifest.files) {
    if (HIDDEN.test(path)) continue;
    files.set(path, { sha256, sizeBytes, type: typeOf(path), immutable: NAMED_BY_HASH.test(path) });
  }
  const pageOfFile = new Map(
    manifest.pages.flatMap(({ file, href }) => [
      [file, href],
      [file.replace(/\.html$/, '.md'), href],
    ]),
  );
  return { sha256, manifest, files, pageOfFile, redirect: createRedirects(manifest.redirects) };
}

function typeOf(path: string): string {
  if (path === API_CATALOG) return API_CATALOG_TYPE;
  if (path.endsWith('rss.xml')) return 'application/rss+xml; charset=utf-8';
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return moreTypes.get(extension) ?? mediaTypeOf(path) ?? 'application/octet-stream';
}

/** Returns whether a bundle has the wanted version, by its label or by its export version. */
export function hasVersion({ options, exportVersion }: BundleManifest, wanted: string | undefined): boolean {
  return wanted === undefined || wanted === options.version || wanted === exportVersion;
}

/**
 * Requires a bundle to have the wanted version.
 * @throws DocentError `invalid_archive`
 */
export function requireVersion(manifest: BundleManifest, wanted: string | undefined): void {
  if (hasVersion(manifest, wanted)) return;
  const { options, exportVersion } = manifest;
  const has = options.version === undefined ? '' : `version "${options.version}", `;
  throw new DocentError(
    'invalid_archive',
    `The bundle has ${has}export version "${exportVersion}", but "${wanted}" is configured; export that version, or change the setting.`,
  );
}
