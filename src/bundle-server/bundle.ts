import { API_CATALOG, API_CATALOG_TYPE } from '../compiler/site/agent-files.ts';
import { mediaTypeOf } from '../compiler/source/media-types.ts';
import type { BundleManifest } from '../core/exports/bundle-manifest.ts';
import { createRedirects } from '../core/site-files/redirects.ts';

/** A file of a bundle as it is served. */
export interface ServedFile {
  sha256: string;
  sizeBytes: number;
  /** Media type. */
  type: string;
  /** Its name holds its hash, so nothing else will ever stand there. */
  immutable: boolean;
}

/** A bundle whose files are all there. Nothing in it changes. */
export interface Bundle {
  /** Of the archive; names the bundle. */
  sha256: string;
  manifest: BundleManifest;
  /** By path, without a leading slash. */
  files: ReadonlyMap<string, ServedFile>;
  redirect: ReturnType<typeof createRedirects>;
}

const moreTypes = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['wasm', 'application/wasm'],
  ['webmanifest', 'application/manifest+json'],
]);

/** What Docent made for the pages has a hash in its name. */
const NAMED_BY_HASH = /^_docent\/.*[-.][0-9a-f]{8,}[-.]/;

/** What readers of the site have no use for: rules for other servers. */
const HIDDEN = /^(?:_redirects$|_hosting\/|\.(?!well-known\/))|\/\./;

export function bundleOf(sha256: string, manifest: BundleManifest): Bundle {
  const files = new Map<string, ServedFile>();
  for (const { path, sha256, sizeBytes } of manifest.files) {
    if (HIDDEN.test(path)) continue;
    files.set(path, { sha256, sizeBytes, type: typeOf(path), immutable: NAMED_BY_HASH.test(path) });
  }
  return { sha256, manifest, files, redirect: createRedirects(manifest.redirects) };
}

function typeOf(path: string): string {
  if (path === API_CATALOG) return API_CATALOG_TYPE;
  if (path.endsWith('rss.xml')) return 'application/rss+xml; charset=utf-8';
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return moreTypes.get(extension) ?? mediaTypeOf(path) ?? 'application/octet-stream';
}
