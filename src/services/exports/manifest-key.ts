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
