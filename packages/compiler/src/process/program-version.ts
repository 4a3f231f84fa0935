import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { codeFolder, packagesFolder } from './own-modules.ts';

/** Where the code is if it does not run from its bundle. */
const CODE = ['compiler', 'docent', 'format', 'search', 'server', 'symbol-reference', 'theme'];
/** The files of the theme, by their hashes, and the version. */
const MANIFESTS = ['dist/theme/manifest.json', 'package.json', 'package-lock.json'];

/** `chunk-2BWCD3MW.js` */
const NAMED_BY_CONTENT = /-[A-Z0-9]{8}\.js$/;

/**
 * Names the program by all of its code, whatever its version says, so that nothing of one version is
 * mistaken for that of another.
 * @param main the file that this process or thread runs
 * @param code the folder with its code
 */
export function programVersion(main = process.argv[1], code = codeFolder): string {
  const hash = createHash('sha256');
  const program = join(code, 'dist/program');
  const folders = main?.startsWith(program + sep)
    ? [program]
    : CODE.map((name) => join(code, 'packages', name, 'src'));
  for (const folder of folders.filter((path) => existsSync(path))) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((file) => /(?<!\.test)\.[jt]sx?$/.test(file)).sort()) {
      hash.update(`${name}\n`);
      if (folder !== program || !NAMED_BY_CONTENT.test(name))
        hash.update(readFileSync(join(folder, name)));
    }
  }
  const manifests = [
    ...MANIFESTS.map((file) => join(code, file)),
    join(packagesFolder, '.package-lock.json'),
  ];
  for (const file of manifests) if (existsSync(file)) hash.update(readFileSync(file));
  return hash.digest('hex');
}
