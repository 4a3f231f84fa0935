import { readFile, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type CheckResult, checkFolder } from '../../compiler/check-folder.ts';
import type { FetchOutside } from '../../compiler/outside/outside.ts';
import { DocentError } from '../../core/errors.ts';
import type { Output } from '../output.ts';
import { annotations, sarifLog } from './check-formats.ts';
import { checkText, type SourceLines } from './check-text.ts';

export interface CheckCommandOptions {
  /** Warnings fail the check too. */
  strict?: boolean;
  /** Also show what is no fault: unused files, pages in no menu. */
  all?: boolean;
  format?: 'text' | 'github' | 'sarif';
}

/**
 * `docent check <folder>`: compiles everything as publishing does and prints what is wrong.
 * @returns exit code: 1 where something has an error (with `strict` also a warning), else 0
 * @throws DocentError `invalid_setting` where there is no such folder
 */
export async function runCheck(
  folder: string,
  options: CheckCommandOptions,
  output: Output,
  fetchOutside?: FetchOutside,
): Promise<number> {
  const root = resolve(folder);
  const found = await stat(root).catch(() => undefined);
  if (!found?.isDirectory()) throw new DocentError('invalid_setting', `There is no folder ${folder}.`);
  const onProgress = (done: number, total: number) => output.progress(`Checking: ${done} of ${total} pages`);
  const result = await checkFolder(root, { onProgress, fetchOutside });
  const shown = options.all ? result.findings : result.findings.filter((one) => one.severity !== 'info');
  output.print(await printed({ ...result, findings: shown }, result.findings.length - shown.length, root, options));
  output.json({ ...result, findings: shown });
  const fails = shown.some((one) => one.severity === 'error' || (options.strict === true && one.severity === 'warning'));
  return fails ? 1 : 0;
}

async function printed(result: CheckResult, hiddenCount: number, root: string, options: CheckCommandOptions): Promise<string> {
  // Annotations stand in a repository, whose root is where the command runs.
  const prefix = relative(process.cwd(), root).replaceAll('\\', '/');
  if (options.format === 'github') return annotations(result.findings, prefix);
  if (options.format === 'sarif') return JSON.stringify(sarifLog(result.findings, prefix), null, 2);
  return checkText(result, hiddenCount, await linesOf(result, root));
}

/** The lines that findings are about, read once for each file. */
async function linesOf({ findings }: CheckResult, root: string): Promise<SourceLines> {
  const files = new Map<string, string[]>();
  for (const file of new Set(findings.map((one) => one.file))) {
    // A name that comes from a finding is a file of the source, or none that could be read there.
    const text = await readFile(resolve(root, file), 'utf8').catch(() => undefined);
    if (text !== undefined) files.set(file, text.split(/\r?\n/));
  }
  return (file, line) => files.get(file)?.[line - 1];
}
