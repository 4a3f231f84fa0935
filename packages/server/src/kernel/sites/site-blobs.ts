import { SEARCH_SCRIPTS_FOLDER } from '@docent/compiler/site/stored-search-scripts.ts';
import { DocentError } from '@docent/format/errors.ts';

/** Returns the blob key of the compiled pages of a site's last build. */
export function pagePackKeyOf(siteId: string): string {
  return `cache/pages/${siteId}`;
}

/** Returns where a site's copies of files from other servers are stored. */
export function outsideFolderOf(siteId: string): string {
  return `outside/${siteId}/`;
}

/** Folder of the manifests of builds. */
export const MANIFEST_FOLDER = 'manifests/';

/** Returns the key of the manifest of a deployment's build. */
export function manifestKeyOf(deploymentId: string): string {
  return `${MANIFEST_FOLDER}${deploymentId}.json`;
}

/** Returns the deployment of a key under `MANIFEST_FOLDER`. */
export function deploymentOfManifest(key: string): string {
  return key.slice(MANIFEST_FOLDER.length, -'.json'.length);
}

/**
 * The error of a file that a build names and the file store does not have, as after a restore
 * without it.
 * @param part what is missing: the manifest, a page …
 */
export function missingFrom(part: string): DocentError {
  return new DocentError(
    'site_files_missing',
    `The file store has lost a part of this site: ${part}. Publish or rebuild the site; "docent verify-store" lists all that is missing.`,
  );
}

/**
 * Returns whether a key only ever has one content: files are named by their hash, manifests by
 * their deployment, the scripts of a search index by its hash and their format.
 */
export function isImmutableKey(key: string): boolean {
  return (
    key.startsWith('files/') ||
    key.startsWith(MANIFEST_FOLDER) ||
    key.startsWith(SEARCH_SCRIPTS_FOLDER)
  );
}
