import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The rules and the build determine a page. */
const CODE_FOLDERS = ['src/core', 'src/compiler'];
/** Installed by npm: highlighter, icons, parser. */
const INSTALLED = ['node_modules/.package-lock.json', 'package-lock.json', 'package.json'];

let known: string | undefined;

/**
 * Identifies the compiler by the code that it consists of, so that the output of one version is never mistaken for that of
 * another, whatever the package version says.
 */
export function compilerVersion(): string {
  known ??= readVersion();
  return known;
}

function readVersion(): string {
  const all = createHash('sha256')
    .update(process.version)
    .update(process.versions.icu ?? '');
  for (const folder of CODE_FOLDERS) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter(isCode).sort()) all.update(`${file}\n`).update(readFileSync(join(root, folder, file)));
  }
  for (const file of INSTALLED) all.update(`${file}\n`).update(readIfThere(join(root, file)));
  return all.digest('hex');
}

function isCode(file: string): boolean {
  return file.endsWith('.ts') && !file.endsWith('.test.ts');
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
