import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileEntry } from '@docent/format/build/site-build.ts';
import { DocentError } from '@docent/format/errors.ts';
import { mediaTypeOf } from '@docent/format/media-types.ts';

/** A built file, ready to serve in each encoding. */
export interface ServedFile {
  type: string;
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
}

/** A file of the theme: its name holds its hash, so it never changes. */
export interface ThemeFile extends ServedFile, FileEntry {
  /** `site-1a2b3c4d.css` */
  name: string;
  /** The client feature that needs the file; absent if every page needs it. */
  feature?: string;
}

/** The theme's stylesheet and scripts, by logical name (`site.css`). */
export type ThemeFiles = ReadonlyMap<string, ThemeFile>;

type ThemeManifest = Record<
  string,
  Pick<ThemeFile, 'sha256' | 'sizeBytes' | 'feature'> & { file: string }
>;

const themeFolder = fileURLToPath(new URL('../../../../dist/theme/', import.meta.url));

/** A file of the theme, of which a bundle has at most the identity. */
export type BundledThemeFile = Pick<ThemeFile, 'name' | 'sha256' | 'feature' | 'identity'>;

let themeFiles: Promise<ThemeFiles> | undefined;

/**
 * Loads the output of `scripts/build-theme.ts`, once per process.
 * @throws DocentError if the theme was not built
 */
export function loadThemeFiles(): Promise<ThemeFiles> {
  themeFiles ??= readThemeFiles();
  return themeFiles;
}

/**
 * Returns the files of the theme, each to be read when a bundle needs it: most bundles leave out
 * the largest.
 * @throws DocentError if the theme was not built
 */
export async function themeFilesOnDisk(): Promise<ReadonlyMap<string, BundledThemeFile>> {
  const files = Object.entries(await readThemeManifest()).map(
    ([logicalName, { file: name, sha256, feature }]) => {
      const get = () => readFileSync(join(themeFolder, name));
      const file = Object.defineProperty({ name, sha256, feature }, 'identity', { get });
      return [logicalName, file as BundledThemeFile] as const;
    },
  );
  return new Map(files);
}

async function readThemeFiles(): Promise<ThemeFiles> {
  const files = Object.entries(await readThemeManifest()).map(
    async ([logicalName, { file: name, ...entry }]) =>
      [logicalName, { name, ...entry, ...(await readForms(join(themeFolder, name))) }] as const,
  );
  return new Map(await Promise.all(files));
}

async function readThemeManifest(): Promise<ThemeManifest> {
  const manifest = await readFile(join(themeFolder, 'manifest.json'), 'utf8').catch((cause) => {
    throw new DocentError(
      'internal_error',
      'The theme is not built: run "node scripts/build.ts" once.',
      { cause },
    );
  });
  return JSON.parse(manifest) as ThemeManifest;
}

/** Reads a built file in each encoding. */
export async function readForms(path: string): Promise<ServedFile> {
  const [identity, br, gzip] = await Promise.all([
    readFile(path),
    readFile(`${path}.br`),
    readFile(`${path}.gz`),
  ]);
  return { type: mediaTypeOf(path) ?? 'application/octet-stream', identity, br, gzip };
}
