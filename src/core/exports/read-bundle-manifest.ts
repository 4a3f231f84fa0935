import { z } from 'zod';
import { DocentError } from '../errors.ts';
import { BUNDLE_SCHEMA_VERSION, type BundleManifest } from './bundle-manifest.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** What readers of a manifest rely on; additions of a newer Docent are ignored. */
const schema = z.object({
  schemaVersion: z.literal(BUNDLE_SCHEMA_VERSION),
  exportVersion: z.string(),
  createdAt: z.iso.datetime(),
  name: z.string(),
  origin: z.string(),
  options: z.looseObject({ basePath: z.string(), version: z.string().optional(), omittedLinks: z.enum(['live', 'text']) }),
  redirects: z.array(z.looseObject({ source: z.string(), destination: z.string(), permanent: z.boolean() })),
  contentSecurityPolicy: z
    .string()
    .regex(/^[ -~]{1,8000}$/)
    .optional(),
  defaults: z.looseObject({ version: z.string().optional(), language: z.string().optional() }),
  pages: z.array(z.looseObject({ path: z.string(), href: z.string(), file: z.string(), title: z.string(), sha256: hash })),
  files: z.array(z.object({ path: z.string(), sizeBytes: z.int().min(0), sha256: hash })),
});

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
    throw new DocentError('invalid_archive', `The bundle was made by a newer Docent (schema version ${version}); use that one.`);
  }
  const read = schema.safeParse(value);
  if (read.success) return value as BundleManifest;
  const [issue] = read.error.issues;
  throw new DocentError(
    'invalid_archive',
    `The manifest of the bundle is not valid at /${issue?.path.join('/') ?? ''}: ${issue?.message}.`,
  );
}
