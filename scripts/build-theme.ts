import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

const themeSource = fileURLToPath(new URL('../src/theme', import.meta.url));
const defaultOut = fileURLToPath(new URL('../dist/theme', import.meta.url));

/** Browsers of about two years: cascade layers, `color-mix`, popovers, `:has`. */
const TARGETS = ['chrome117', 'safari17', 'firefox125'];

const OWN_FILE = /^(?:site|search)-[0-9a-f]{10}\.(?:css|js)(?:\.br|\.gz)?$/;

/** What the build wrote, by logical name (`site.css`). */
export type ThemeManifest = Record<string, { file: string; sha256: string; sizeBytes: number }>;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The style sheets of the components are whatever lies in their folder, in the order of their names. */
async function styleEntry(): Promise<string> {
  const folder = join(themeSource, 'styles/components');
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.css')).sort() : [];
  return ['@import "./site.css";', ...names.map((name) => `@import "./components/${name}";`)].join('\n');
}

async function bundleStyles(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: await styleEntry(), resolveDir: join(themeSource, 'styles'), loader: 'css', sourcefile: 'theme.css' },
    bundle: true,
    minify: true,
    write: false,
    target: TARGETS,
    legalComments: 'none',
  });
  return outputFiles[0]!.contents;
}

/** Classic scripts, because a page opened from the disk may not load modules. */
async function bundleScript(name: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(themeSource, 'elements', name)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: TARGETS,
    legalComments: 'none',
  });
  return outputFiles[0]!.contents;
}

async function writeAsset(outFolder: string, logicalName: string, bytes: Uint8Array): Promise<ThemeManifest[string]> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const dot = logicalName.lastIndexOf('.');
  const file = `${logicalName.slice(0, dot)}-${sha256.slice(0, 10)}${logicalName.slice(dot)}`;
  const [brotli, zipped] = await Promise.all([
    compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    compressGzip(bytes, { level: 9 }),
  ]);
  await Promise.all([
    writeFile(join(outFolder, file), bytes),
    writeFile(join(outFolder, `${file}.br`), brotli),
    writeFile(join(outFolder, `${file}.gz`), zipped),
  ]);
  return { file, sha256, sizeBytes: bytes.length };
}

/** Only files that an earlier build made: the folder may be any that the caller names. */
async function removeOldAssets(outFolder: string): Promise<void> {
  const old = (await readdir(outFolder)).filter((name) => OWN_FILE.test(name));
  await Promise.all(old.map((name) => rm(join(outFolder, name))));
}

/**
 * Builds the style sheet and the scripts of the theme into `outFolder`, each under a name that holds its hash, beside it
 * the same compressed, and `manifest.json`. What lay in the folder is removed.
 */
export async function buildTheme(outFolder: string = defaultOut): Promise<ThemeManifest> {
  const [styles, site, search] = await Promise.all([bundleStyles(), bundleScript('site.ts'), bundleScript('search.ts')]);
  await mkdir(outFolder, { recursive: true });
  await removeOldAssets(outFolder);
  const assets = { 'site.css': styles, 'site.js': site, 'search.js': search };
  const entries = await Promise.all(
    Object.entries(assets).map(async ([name, bytes]) => [name, await writeAsset(outFolder, name, bytes)] as const),
  );
  const manifest: ThemeManifest = Object.fromEntries(entries);
  await writeFile(join(outFolder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

if (process.argv[1] && basename(process.argv[1]) === 'build-theme.ts') {
  const manifest = await buildTheme(process.argv[2]);
  for (const [name, entry] of Object.entries(manifest)) console.log(`${name}\t${entry.file}\t${entry.sizeBytes} bytes`);
}
