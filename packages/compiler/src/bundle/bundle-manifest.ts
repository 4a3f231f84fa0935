import { createHash } from 'node:crypto';
import type { SiteSecurity } from '@docent/format/access/site-settings.ts';
import { defaultLabels } from '@docent/format/build/default-slice.ts';
import type { BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { bundleIntegrationsNote } from '@docent/format/docs-json/integration-notes.ts';
import {
  BUNDLE_SCHEMA_VERSION,
  MANIFEST,
  writtenOptions,
} from '@docent/format/exports/bundle-layout.ts';
import type { BundleManifest, ManifestFile } from '@docent/format/exports/bundle-manifest.ts';
import type { ExportOptions } from '@docent/format/exports/export-options.ts';
import type { ExportReport } from '@docent/format/exports/export-report.ts';
import docent from '../../../../package.json' with { type: 'json' };
import { pagePolicy, policySources } from '../pages/page-policy.ts';
import { pageFile } from '../site/site-addresses.ts';

/** Fields of a manifest besides the files. */
export interface ManifestSource {
  build: Pick<SiteBuild, 'id' | 'config' | 'navigation' | 'pages' | 'scriptHosts'>;
  /**
   * Absolute address of the live site without a trailing slash: for canonical links, the sitemap,
   * and links to omitted pages.
   */
  origin: string;
  options: ExportOptions;
  /**
   * When the content was published: a property of the content, so that its exports are identical.
   */
  createdAt: Date;
  /**
   * What the site's owners allow browsers to do on its pages; by default, nothing beyond the site
   * itself.
   */
  security?: SiteSecurity;
}

/** Returns what is no fault of a site, and worth knowing of its bundles. */
export function bundleNotes({ config, files }: Pick<SiteBuild, 'config' | 'files'>): string[] {
  const manifest = `The site's own ${MANIFEST} is not in the bundle, whose manifest has that name.`;
  return [
    bundleIntegrationsNote(config) ?? [],
    Object.hasOwn(files, MANIFEST) ? manifest : [],
  ].flat();
}

/** Creates the manifest of a bundle whose other files are all known. */
export function bundleManifest(
  { build, origin, options, createdAt, security }: ManifestSource,
  pages: readonly BuiltPage[],
  report: ExportReport,
  files: ManifestFile[],
): BundleManifest {
  const hashes = new Map(files.map((file) => [file.path, file.sha256]));
  const written = writtenOptions(options);
  const version = createHash('sha256').update(
    JSON.stringify([docent.version, build.id, origin, written]),
  );
  const contentSecurityPolicy = bundlePolicy({ build, security });
  version.update(contentSecurityPolicy);
  for (const { path, sha256 } of files) version.update(`\n${sha256} ${path}`);
  return {
    schemaVersion: BUNDLE_SCHEMA_VERSION,
    exportVersion: version.digest('hex').slice(0, 32),
    docentVersion: docent.version,
    createdAt: createdAt.toISOString(),
    name: build.config.name,
    origin,
    options: written,
    redirects: build.config.redirects,
    contentSecurityPolicy,
    defaults: defaultLabels(build),
    report,
    pages: pages.map((page) => {
      const file = pageFile(page.href);
      return {
        path: page.path,
        href: page.href,
        file,
        title: page.title,
        sha256: hashes.get(file) ?? '',
      };
    }),
    files,
  };
}

/** Returns the `Content-Security-Policy` of the pages of a bundle. */
export function bundlePolicy({
  build,
  security,
}: Pick<ManifestSource, 'build' | 'security'>): string {
  return pagePolicy(policySources(build, security, "'self'"));
}
