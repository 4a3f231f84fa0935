import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { JsonSyntaxError } from '../../core/docs-json/json-document.ts';
import { type UpgradedFile, upgradeFile } from '../../core/docs-json/upgrade-file.ts';
import { DocentError } from '../../core/errors.ts';
import { formatDiagnostic, type Output } from '../output.ts';

export interface UpgradeOptions {
  /** Replace an existing docs.json. */
  force?: boolean;
  /** Only print what would be written. */
  dryRun?: boolean;
}

/**
 * `docent upgrade <folder>`: converts an older mint.json to docs.json and reports the changes. The old file stays; it is ignored
 * once there is a docs.json.
 * @throws DocentError `build_failed` if there is no mint.json, it cannot be read, or a docs.json exists already
 */
export async function runUpgrade(folder: string, options: UpgradeOptions, output: Output): Promise<void> {
  const root = resolve(folder);
  const target = join(root, 'docs.json');
  const upgraded = upgradeText(await readOld(root));
  const isThere = (await stat(target).catch(() => undefined)) !== undefined;
  if (isThere && options.force !== true && options.dryRun !== true) {
    throw new DocentError('build_failed', `${target} already exists. Nothing was written; --force replaces it.`);
  }
  if (options.dryRun !== true) await writeAtOnce(target, upgraded.text);
  const { text, moved, lost, diagnostics } = upgraded;
  output.print(describe(upgraded, target, options.dryRun === true));
  output.json({ file: target, written: options.dryRun !== true, moved, lost, diagnostics, ...(options.dryRun ? { text } : {}) });
}

async function readOld(root: string): Promise<string> {
  try {
    return await readFile(join(root, 'mint.json'), 'utf8');
  } catch (error) {
    throw new DocentError('build_failed', `There is no mint.json in ${root} that can be read.`, { cause: error });
  }
}

function upgradeText(text: string): UpgradedFile {
  try {
    return upgradeFile(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column } = error.place;
    throw new DocentError('build_failed', `mint.json is not valid JSON. Line ${line}, column ${column}: ${error.message}.`);
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

function describe({ text, moved, lost, diagnostics }: UpgradedFile, target: string, isDry: boolean): string {
  const lines = isDry ? [text.trimEnd(), ''] : [];
  for (const { from, to } of moved) lines.push(`  ${from} is ${to} now`);
  for (const { name, instead } of lost) lines.push(`  ${name} is omitted: ${instead}`);
  lines.push(...diagnostics.map(formatDiagnostic));
  lines.push(isDry ? `This would be ${target}.` : `Wrote ${target}. You can delete mint.json now; it is no longer read.`);
  return lines.join('\n');
}
