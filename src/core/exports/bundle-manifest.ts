import type { SiteConfig } from '../docs-json/site-config.ts';
import type { DefaultLabels } from '../navigation/default-labels.ts';
import type { ExportOptions } from './export-options.ts';
import type { ExportReport } from './export-report.ts';

/** Bumped when the layout of a bundle changes so that readers of `manifest.json` must know. */
export const BUNDLE_SCHEMA_VERSION = 1;

/** A file of a bundle. */
export interface ManifestFile {
  /** Without a leading slash. */
  path: string;
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/** A page of a bundle. */
export interface ManifestPage {
  /** As docs.json names it. */
  path: string;
  /** Site path that readers know: `/guides/start`. */
  href: string;
  /** `guides/start.html` */
  file: string;
  title: string;
  sha256: string;
}

/** `manifest.json` of a bundle. */
export interface BundleManifest {
  schemaVersion: typeof BUNDLE_SCHEMA_VERSION;
  /** Names these bytes: a hash of the content, the options and the version of Docent. */
  exportVersion: string;
  docentVersion: string;
  /** When the content was published, ISO 8601: an export of the same content has the same. */
  createdAt: string;
  name: string;
  /** Address of the live site. */
  origin: string;
  options: ExportOptions;
  /** The site's redirects as it has them, for servers that answer with real ones. */
  redirects: SiteConfig['redirects'];
  /** What pages of the bundle must be sent with; bundles of an older Docent have none. */
  contentSecurityPolicy?: string;
  /** The version and the language that readers see first; none where there is not exactly one. */
  defaults: DefaultLabels;
  report: ExportReport;
  pages: ManifestPage[];
  /** Every file but `manifest.json` itself. */
  files: ManifestFile[];
}

/**
 * The options in one order and without what is not set, so that equal options are written alike.
 */
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
