import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file of another project that the theme includes. */
interface LibraryFile {
  bytes: Uint8Array;
  /**
   * The client feature (`PageContent.elements`) that needs it: bundles without the feature omit the
   * file.
   */
  feature?: string;
}

const packageFolder = (entry: string): string => dirname(fileURLToPath(import.meta.resolve(entry)));

/**
 * The scripts included from the theme's typeface; text in others uses a font of the reader's
 * system.
 */
const TEXT_SCRIPTS = ['latin', 'latin-ext'] as const;

/** The typeface of the theme (Inter, variable), by file name. */
export async function textFonts(): Promise<Record<string, LibraryFile>> {
  const folder = join(packageFolder('@fontsource-variable/inter/index.css'), 'files');
  const entries = TEXT_SCRIPTS.map(async (script) => {
    const bytes = await readFile(join(folder, `inter-${script}-wght-normal.woff2`));
    return [`inter-${script}.woff2`, { bytes }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * The script that pages preload: text is never drawn a second time in it, because that would move
 * what stands below.
 */
const PRELOADED_SCRIPT = 'latin';

/**
 * Returns the font faces of the typeface, each for the characters in its file.
 * @param fontFile returns the name of a font next to the style sheet
 */
export async function textFontFaces(fontFile: (name: string) => string): Promise<string> {
  const css = await readFile(
    fileURLToPath(import.meta.resolve('@fontsource-variable/inter/index.css')),
    'utf8',
  );
  const faces = TEXT_SCRIPTS.map((script) => {
    const face = new RegExp(`inter-${script}-wght-normal \\*/\\s*(@font-face[^}]*\\})`).exec(
      css,
    )?.[1];
    if (face === undefined)
      throw new Error(`@fontsource-variable/inter has no face for ${script}.`);
    return face
      .replace("'Inter Variable'", 'Inter')
      .replace(
        /font-display:[^;]*/,
        `font-display: ${script === PRELOADED_SCRIPT ? 'optional' : 'swap'}`,
      )
      .replace(/src:[^;]*/, `src: url("${fontFile(`inter-${script}.woff2`)}") format("woff2")`);
  });
  return faces.join('\n');
}

/** The fonts of formulas, by file name. */
export async function formulaFonts(): Promise<Record<string, LibraryFile>> {
  const folder = join(packageFolder('katex/dist/katex.min.css'), 'fonts');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.woff2')).sort();
  const entries = names.map(
    async (name) =>
      [name, { bytes: await readFile(join(folder, name)), feature: 'katex' }] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Returns the style sheet of formulas, followed by our own rules for them.
 * @param fontFile returns the name of a font next to the style sheet
 */
export async function formulaStyles(
  ownStyles: string,
  fontFile: (name: string) => string,
): Promise<LibraryFile> {
  const css = await readFile(
    fileURLToPath(import.meta.resolve('katex/dist/katex.min.css')),
    'utf8',
  );
  const local = css.replace(
    /src:url\(fonts\/([\w-]+\.woff2)\) format\("woff2"\)[^;}]*/g,
    (_, name: string) => `src:url(${fontFile(name)}) format("woff2")`,
  );
  return { bytes: new TextEncoder().encode(`${local}\n${ownStyles}`), feature: 'katex' };
}

/**
 * The script that draws diagrams: one classic script, so that it also works in pages opened from
 * disk.
 */
export async function diagramLibrary(): Promise<LibraryFile> {
  const folder = packageFolder('mermaid');
  return { bytes: await readFile(join(folder, 'mermaid.min.js')), feature: 'docent-mermaid' };
}

/**
 * Browsers of the last two years or so: cascade layers, `color-mix`, popovers, `light-dark`,
 * `URL.parse`.
 */
export const TARGETS = ['chrome126', 'safari18', 'firefox126'];

/** Above this size, the last percent of compression costs more time than it is worth. */
const LARGE_BYTES = 1_000_000;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Returns the SHA-256 of a file's bytes, in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the name of a file with its content hash: `site.css` → `site-1a2b3c4d5e.css`. */
export function hashedName(logicalName: string, bytes: Uint8Array): string {
  const dot = logicalName.lastIndexOf('.');
  return `${logicalName.slice(0, dot)}-${sha256Of(bytes).slice(0, 10)}${logicalName.slice(dot)}`;
}

/** Writes a file and its compressed copies (`.br`, `.gz`). */
export async function writeCompressed(
  folder: string,
  file: string,
  bytes: Uint8Array,
): Promise<void> {
  const isLarge = bytes.length > LARGE_BYTES;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: isLarge ? 6 : 11,
    [constants.BROTLI_PARAM_LGWIN]: isLarge ? 24 : 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [brotli, zipped] = await Promise.all([
    compressBrotli(bytes, { params }),
    compressGzip(bytes, { level: isLarge ? 6 : 9 }),
  ]);
  const path = join(folder, file);
  await Promise.all([
    writeFile(path, bytes),
    writeFile(`${path}.br`, brotli),
    writeFile(`${path}.gz`, zipped),
  ]);
}
