import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of another project that the theme brings along. */
export interface LibraryFile {
  bytes: Uint8Array;
  /** The client feature (`PageContent.elements`) that it is for: bundles without it leave the file out. */
  feature: string;
}

const packageFolder = (entry: string): string => dirname(fileURLToPath(import.meta.resolve(entry)));

/** The fonts of formulas, by file name. */
export async function formulaFonts(): Promise<Record<string, LibraryFile>> {
  const folder = join(packageFolder('katex/dist/katex.min.css'), 'fonts');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.woff2')).sort();
  const entries = names.map(async (name) => [name, { bytes: await readFile(join(folder, name)), feature: 'katex' }] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * The style sheet of formulas, and our own rules for them after it.
 * @param fontFile the name under which a font lies beside the style sheet
 */
export async function formulaStyles(ownStyles: string, fontFile: (name: string) => string): Promise<LibraryFile> {
  const css = await readFile(fileURLToPath(import.meta.resolve('katex/dist/katex.min.css')), 'utf8');
  const local = css.replace(
    /src:url\(fonts\/([\w-]+\.woff2)\) format\("woff2"\)[^;}]*/g,
    (_, name: string) => `src:url(${fontFile(name)}) format("woff2")`,
  );
  return { bytes: new TextEncoder().encode(`${local}\n${ownStyles}`), feature: 'katex' };
}

/** The script that draws diagrams: one classic script, so that it works in pages opened from the disk too. */
export async function diagramLibrary(): Promise<LibraryFile> {
  const folder = packageFolder('mermaid');
  return { bytes: await readFile(join(folder, 'mermaid.min.js')), feature: 'docent-mermaid' };
}
