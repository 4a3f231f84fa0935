import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { draftSite } from '@docent/compiler/site/draft-site.ts';
import { vitepressFolder } from '@docent/compiler/site/foreign-menu/vitepress-menu.ts';
import { titleFromPath } from '@docent/compiler/site/page-paths.ts';
import { openSourceFolder } from '@docent/compiler/source/source-tree.ts';
import { editorSchema } from '@docent/format/docs-json/json-schema.ts';
import { SCHEMA_FILE } from '@docent/format/docs-json/starter-site.ts';
import { type UpgradedFile, upgradeFile } from '@docent/format/docs-json/upgrade-file.ts';
import { DocentError } from '@docent/format/errors.ts';
import { JsonSyntaxError } from '@docent/format/json-document.ts';
import { formatDiagnostic, type Output } from '../kernel/output.ts';

export interface InitOptions {
  /** Name of the site; by default that of the folder. */
  name?: string;
}

/** Folders whose parent has the name of the project. */
const DOCUMENTATION_FOLDER = /^(?:docs?|documentation|website)$/i;

/**
 * `docent init [folder]`: writes a `docs.json` whose menu is that of MkDocs, VitePress, Docusaurus or GitBook, or has the pages and API descriptions of the folder, and two pages to begin
 * with if there are none. Never overwrites a file.
 * @throws DocentError `build_failed` if the folder is a site already, has a `mint.json`, or has the
 *   pages of VitePress in another folder
 */
export async function runInit(
  folder: string,
  { name }: InitOptions,
  output: Output,
): Promise<void> {
  const root = resolve(folder);
  await mkdir(root, { recursive: true });
  const source = openSourceFolder(root);
  if (source.has('docs.json'))
    throw new DocentError('build_failed', `${join(root, 'docs.json')} already exists.`);
  if (source.has('mint.json'))
    throw new DocentError(
      'build_failed',
      `${root} has a mint.json; convert it with "docent upgrade ${folder}".`,
    );
  const below = vitepressFolder(source);
  if (below !== undefined)
    throw new DocentError(
      'build_failed',
      `The pages of VitePress are in ${join(root, below)}, and their links start there. Run "docent init ${join(folder, below)}".`,
    );
  const { files, pageCount, menuFile, redirectCount } = draftSite(name ?? nameOf(root), source);
  for (const [path, text] of files) await writeFile(join(root, path), text, { flag: 'wx' });
  await writeSchema(root);
  const written = [...files.keys()];
  const lines = [
    `Wrote ${written.join(', ')}: a menu with ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}${menuFile === undefined ? '' : `, from ${menuFile}`}${redirectCount === 0 ? '' : `, and redirects from former addresses (${redirectCount})`}.`,
    `Preview it:  docent dev ${folder}`,
    `Publish it:  docent publish ${folder} --site <identifier>`,
  ];
  output.result(lines.join('\n'), { folder: root, written, pageCount, menuFile, redirectCount });
}

/** Writes the JSON Schema of docs.json for editors, which replaces that of an older version. */
async function writeSchema(root: string): Promise<void> {
  const target = join(root, SCHEMA_FILE);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${JSON.stringify(editorSchema())}\n`);
}

/** `acme-api/docs` → `Acme api` */
function nameOf(root: string): string {
  const folderName = basename(root);
  return (
    titleFromPath(
      DOCUMENTATION_FOLDER.test(folderName) ? basename(dirname(root)) || folderName : folderName,
    ) || 'Documentation'
  );
}

export interface UpgradeOptions {
  /** Replace an existing docs.json. */
  force?: boolean;
  /** Only print what would be written. */
  dryRun?: boolean;
}

/**
 * `docent upgrade <folder>`: converts an older mint.json to docs.json and reports the changes. The old file stays; it is ignored
 * once there is a docs.json.
 * @throws DocentError `build_failed` if there is no mint.json, it cannot be read, or a docs.json
 *   exists already
 */
export async function runUpgrade(
  folder: string,
  { force = false, dryRun = false }: UpgradeOptions,
  output: Output,
): Promise<void> {
  const root = resolve(folder);
  const target = join(root, 'docs.json');
  const upgraded = upgradeText(await readOld(root));
  const isThere = (await stat(target).catch(() => undefined)) !== undefined;
  if (isThere && !force && !dryRun) {
    throw new DocentError(
      'build_failed',
      `${target} already exists. Nothing was written; --force replaces it.`,
    );
  }
  if (!dryRun) {
    await writeAtOnce(target, upgraded.text);
    await writeSchema(root);
  }
  const { text, moved, lost, diagnostics } = upgraded;
  const result = {
    file: target,
    written: !dryRun,
    moved,
    lost,
    diagnostics,
    text: dryRun ? text : undefined,
  };
  output.result(describe(upgraded, target, dryRun), result);
}

async function readOld(root: string): Promise<string> {
  try {
    return await readFile(join(root, 'mint.json'), 'utf8');
  } catch (error) {
    throw new DocentError('build_failed', `There is no mint.json in ${root} that can be read.`, {
      cause: error,
    });
  }
}

function upgradeText(text: string): UpgradedFile {
  try {
    return upgradeFile(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column } = error.place;
    throw new DocentError(
      'build_failed',
      `mint.json is not valid JSON. Line ${line}, column ${column}: ${error.message}.`,
    );
  }
}

/** Replaces the file atomically: its readers see the old or the new content, never a part. */
async function writeAtOnce(target: string, text: string): Promise<void> {
  const draft = `${target}.${process.pid}.new`;
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

function describe(
  { text, moved, lost, diagnostics }: UpgradedFile,
  target: string,
  isDry: boolean,
): string {
  const lines = isDry ? [text.trimEnd(), ''] : [];
  for (const { from, to } of moved) lines.push(`  ${from} is ${to} now`);
  for (const { name, instead } of lost) lines.push(`  ${name} is omitted: ${instead}`);
  lines.push(...diagnostics.map(formatDiagnostic));
  lines.push(
    isDry
      ? `This would be ${target}.`
      : `Wrote ${target}. You can delete mint.json now; it is no longer read.`,
  );
  return lines.join('\n');
}
