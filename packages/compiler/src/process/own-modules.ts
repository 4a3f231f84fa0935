import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Returns where a module of ours is, for the thread or the process that runs it: TypeScript in a
 * checkout, JavaScript in an installed package (`scripts/packages/` follows these calls as it
 * follows imports).
 * @param path as in an import: `./page-thread.ts`
 * @param importer `import.meta.url` of the caller
 */
export function moduleUrl(path: `${string}.ts`, importer: string): URL {
  return new URL(importer.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), importer);
}

/** The folder of our code, with a slash at its end: the checkout, or the installed package. */
export const codeFolder = fileURLToPath(new URL('../../../../', import.meta.url));

const MODULES = /^.*?[\\/]node_modules(?=[\\/])/;

/**
 * The folder with all installed packages: that of the checkout, or the outermost one around the
 * installed package.
 */
export const packagesFolder = MODULES.exec(codeFolder)?.[0] ?? `${codeFolder}node_modules`;

/**
 * Returns the path of a file of a package of which only files are used. A published package has a
 * copy of these files (`scripts/packages/`), so that nobody installs the rest.
 * @param specifier for example `@iconify-json/lucide/icons.json`
 */
export function packagedFile(specifier: string): string {
  const copy = `${codeFolder}data/${specifier}`;
  return existsSync(copy) ? copy : fileURLToPath(import.meta.resolve(specifier));
}
