import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocentError } from '../../core/errors.ts';
import type { FileEntry } from '../../core/site-build.ts';
import { mediaTypeOf } from '../../core/site-files/media-types.ts';

/** A file of the theme, ready to serve: its name holds its hash, so it never changes. */
export interface ThemeFile extends FileEntry {
  /** `site-1a2b3c4d.css` */
  name: string;
  bytes: Buffer;
  brotli: Buffer;
  gzip: Buffer;
  /** The client feature that needs the file; absent if every page needs it. */
  feature: string | undefined;
}

/** The theme's stylesheet and scripts, by logical name (`site.css`). */
export type ThemeFiles = ReadonlyMap<string, ThemeFile>;

interface ManifestEntry {
  file: string;
  sha256: string;
  sizeBytes: number;
  feature?: string;
}

export const themeFolder = fileURLToPath(new URL('../../../dist/theme', import.meta.url));

/**
 * Loads the output of `scripts/build-theme.ts`.
 * @throws DocentError if the theme was not built
 */
export async function loadThemeFiles(folder: string = themeFolder): Promise<ThemeFiles> {
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch((cause) => {
    throw new DocentError('internal_error', 'The theme is not built: run "node scripts/build.ts" once.', { cause });
  });
  const entries = Object.entries(JSON.parse(manifest) as Record<string, ManifestEntry>);
  const files = await Promise.all(
    entries.map(async ([logicalName, entry]): Promise<[string, ThemeFile]> => {
      const path = join(folder, entry.file);
      const [bytes, brotli, gzip] = await Promise.all([readFile(path), readFile(`${path}.br`), readFile(`${path}.gz`)]);
      const { file: name, sha256, sizeBytes, feature } = entry;
      const type = mediaTypeOf(name) ?? 'application/octet-stream';
      return [logicalName, { name, sha256, sizeBytes, type, bytes, brotli, gzip, feature }];
    }),
  );
  return new Map(files);
}
