import { DocentError } from '../core/errors.ts';
import type { BundleManifest } from '../core/exports/bundle-manifest.ts';

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
    `The bundle has ${has}export version "${exportVersion}", and "${wanted}" is wanted; export that version, or change the setting.`,
  );
}
