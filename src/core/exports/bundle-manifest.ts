import type { SiteConfig } from '../docs-json/site-config.ts';
import type { DefaultLabels } from '../navigation/default-labels.ts';
import type { ExportOptions } from './export-options.ts';
import type { ExportReport } from './export-report.ts';

/** Increased when the layout of a bundle changes in a way that readers of `manifest.json` must know. */
export const BUNDLE_SCHEMA_VERSION = 1;

export interface ManifestFile {
  /** Without a leading slash. */
  path: string;
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

export interface ManifestPage {
  /** As named in docs.json. */
  path: string;
  /** Public site path: `/guides/start`. */
  href: string;
  /** `guides/start.html` */
  file: string;
  title: string;
  sha256: string;
}

/** `manifest.json` of a bundle. */
export interface BundleManifest {
  schemaVersion: typeof BUNDLE_SCHEMA_VERSION;
  /** Identifies these bytes: a hash of the content, the options and the version of Docent. */
  exportVersion: string;
  docentVersion: string;
  /** Publication time of the content, ISO 8601; the same for every export of the same content. */
  createdAt: string;
  name: string;
  /** URL of the live site. */
  origin: string;
  options: ExportOptions;
  /** The site's original redirects, for servers that support them. */
  redirects: SiteConfig['redirects'];
  /** Headers for the pages of the bundle; absent in bundles of an older Docent. */
  contentSecurityPolicy?: string;
  /** The default version and language of readers; absent if there is not exactly one. */
  defaults: DefaultLabels;
  report: ExportReport;
  pages: ManifestPage[];
  /** Every file except `manifest.json` itself. */
  files: ManifestFile[];
}

/** Returns the options in a fixed order and without unset values, so that equal options serialize equally. */
export function writtenOptions(options: ExportOptions): ExportOptions {
  const { version, language, paths, omittedLinks, basePath, assistantUrl, analyticsUrl } = options;
  return {
    ...(version !== undefined && { version }),
    ...(language !== undefined && { language }),
    ...(paths !== undefined && { paths: [...new Set(paths)].sort() }),
    omittedLinks,
    basePath,
    ...(assistantUrl && { assistantUrl }),
    ...(analyticsUrl && { analyticsUrl }),
  };
}
