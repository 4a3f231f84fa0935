/** Manifests of builds lie here. */
export const MANIFEST_FOLDER = 'manifests/';

/** Where the manifest of a deployment's build is stored. */
export function manifestKeyOf(deploymentId: string): string {
  return `${MANIFEST_FOLDER}${deploymentId}.json`;
}

/** The deployment that a key under `MANIFEST_FOLDER` belongs to. */
export function deploymentOfManifest(key: string): string {
  return key.slice(MANIFEST_FOLDER.length, -'.json'.length);
}
