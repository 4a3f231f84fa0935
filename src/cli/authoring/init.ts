import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { draftSite } from '../../compiler/site/draft-site.ts';
import { titleFromPath } from '../../compiler/site/site-model.ts';
import { openSourceFolder } from '../../compiler/source/source-tree.ts';
import { DocentError } from '../../core/errors.ts';
import type { Output } from '../output.ts';

export interface InitOptions {
  /** Name of the site; by default that of the folder. */
  name?: string;
}

/** Folders whose parent has the name of the project. */
const DOCUMENTATION_FOLDER = /^(?:docs?|documentation|website)$/i;

/**
 * `docent init [folder]`: writes a `docs.json` whose menu has the pages and API descriptions of the folder, and two pages to begin
 * with if there are none. Never overwrites a file.
 * @throws DocentError `build_failed` if the folder is a site already, or has a `mint.json`
 */
export async function runInit(folder: string, { name }: InitOptions, output: Output): Promise<void> {
  const root = resolve(folder);
  await mkdir(root, { recursive: true });
  const source = openSourceFolder(root);
  if (source.has('docs.json')) throw new DocentError('build_failed', `${join(root, 'docs.json')} already exists.`);
  if (source.has('mint.json'))
    throw new DocentError('build_failed', `${root} has a mint.json; convert it with "docent upgrade ${folder}".`);
  const { files, pageCount } = draftSite(name ?? nameOf(root), source);
  for (const [path, text] of files) await writeFile(join(root, path), text, { flag: 'wx' });
  const written = [...files.keys()];
  output.json({ folder: root, written, pageCount });
  output.print(
    [
      `Wrote ${written.join(', ')}: a menu with ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}.`,
      `Preview it:  docent dev ${folder}`,
      `Publish it:  docent publish ${folder} --site <identifier>`,
    ].join('\n'),
  );
}

/** `acme-api/docs` → `Acme api` */
function nameOf(root: string): string {
  const own = basename(root);
  return titleFromPath(DOCUMENTATION_FOLDER.test(own) ? basename(dirname(root)) || own : own) || 'Documentation';
}
