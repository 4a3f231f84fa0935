import { DocentError } from '../core/errors.ts';
import type { BundleManifest } from '../core/exports/bundle-manifest.ts';

/**
 * Holds a bundle to the version that is wanted.
 * @throws DocentError `invalid_archive`
 */
export function requireVersion({ options, exportVersion }: BundleManifest, wanted: string | undefined): void {
  if (wanted === undefined || wanted === options.version || wanted === exportVersion) return;
  const has = options.version === undefined ? '' : `version "${options.version}", `;
  throw new DocentError(
    'invalid_archive',
    `The bundle has ${has}export version "${exportVersion}", and "${wanted}" is wanted; export that version, or change the pin.`,
  );
}
