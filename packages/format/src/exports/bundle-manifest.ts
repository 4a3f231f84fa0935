import * as z from 'zod';
import { DocentError } from '../errors.ts';
import { BUNDLE_SCHEMA_VERSION } from './bundle-layout.ts';
import type { ExportOptions } from './export-options.ts';
import type { ExportReport } from './export-report.ts';

/** Lower-case hex. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** `path` is without a leading slash. */
const manifestFile = z.object({ path: z.string(), sizeBytes: z.int().min(0), sha256: hash });
export type ManifestFile = z.infer<typeof manifestFile>;

const manifestPage = z.object({
  /** As named in docs.json. */
  path: z.string(),
  /** Public site path: `/guides/start`. */
  href: z.string(),
  /** `guides/start.html` */
  file: z.string(),
  title: z.string(),
  sha256: hash,
});

/** What readers of a manifest rely on; additions of a newer Docent are ignored. */
const schema = z.object({
  schemaVersion: z.literal(BUNDLE_SCHEMA_VERSION),
  /** Identifies these bytes: a hash of the content, the options and the version of Docent. */
  exportVersion: z.string(),
  /** Publication time of the content, ISO 8601; the same for every export of the same content. */
  createdAt: z.iso.datetime(),
  name: z.string(),
  /** URL of the live site. */
  origin: z.string(),
  options: z.object({
    basePath: z.string(),
    audience: z
      .union([z.enum(['public', 'all']), z.object({ groups: z.array(z.string()) })])
      .optional(),
    version: z.string().optional(),
    omittedLinks: z.enum(['live', 'text']),
  }),
  /** The site's original redirects, for servers that support them. */
  redirects: z.array(
    z.object({ source: z.string(), destination: z.string(), permanent: z.boolean() }),
  ),
  /** Headers for the pages of the bundle; absent in bundles of an older Docent. */
  contentSecurityPolicy: z
    .string()
    .regex(/^[ -~]{1,8000}$/)
    .optional(),
  /** The default version and language of readers; absent if there is not exactly one. */
  defaults: z.object({ version: z.string().optional(), language: z.string().optional() }),
  pages: z.array(manifestPage),
  /** Every file except `manifest.json` itself. */
  files: z.array(manifestFile),
});

/** `manifest.json` of a bundle. */
export interface BundleManifest extends z.infer<typeof schema> {
  docentVersion: string;
  options: ExportOptions;
  report: ExportReport;
}

/**
 * Reads `manifest.json` of a bundle.
 * @throws DocentError `invalid_archive` that names the position
 */
export function readBundleManifest(text: string): BundleManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DocentError('invalid_archive', 'The manifest of the bundle is not JSON.', { cause });
  }
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version === 'number' && version > BUNDLE_SCHEMA_VERSION) {
    throw new DocentError(
      'invalid_archive',
      `The bundle was made by a newer Docent (schema version ${version}); use that one.`,
    );
  }
  const read = schema.safeParse(value);
  if (read.success) return value as BundleManifest;
  const [issue] = read.error.issues;
  throw new DocentError(
    'invalid_archive',
    `The manifest of the bundle is not valid at /${issue?.path.join('/') ?? ''}: ${issue?.message}.`,
  );
}
