import type { ExportOptions } from './export-options.ts';

/**
 * Increased when the layout of a bundle changes in a way that readers of `manifest.json` must know.
 */
export const BUNDLE_SCHEMA_VERSION = 1;

/**
 * What the name of a file in `_docent/` has if its content never changes, because it is named by it.
 * An expression for JavaScript, nginx and Apache.
 */
export const HASH_IN_NAME = '[-.][0-9a-f]{8,}[-.]';

/** Path of the manifest in a bundle. */
export const MANIFEST = 'manifest.json';

/**
 * Returns the options in a fixed order and without unset values, so that equal options serialize
 * equally.
 */
export function writtenOptions(options: ExportOptions): ExportOptions {
  const {
    version,
    language,
    paths,
    audience = 'public',
    omittedLinks,
    basePath,
    assistantUrl,
    analyticsUrl,
  } = options;
  return {
    ...(version !== undefined && { version }),
    ...(language !== undefined && { language }),
    ...(paths !== undefined && { paths: [...new Set(paths)].sort() }),
    ...(audience !== 'public' && {
      audience:
        typeof audience === 'string' ? audience : { groups: [...new Set(audience.groups)].sort() },
    }),
    omittedLinks,
    basePath,
    ...(assistantUrl && { assistantUrl }),
    ...(analyticsUrl && { analyticsUrl }),
  };
}
