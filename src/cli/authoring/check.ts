import { readFile, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type CheckResult, checkFolder } from '../../compiler/check-folder.ts';
import type { FetchOutside } from '../../compiler/outside/outside.ts';
import { DocentError } from '../../core/errors.ts';
import { gitFactsOf } from '../git-facts.ts';
import type { Output } from '../output.ts';
import { annotations, checkText, type SourceLines, sarifLog } from './check-formats.ts';

export interface CheckCommandOptions {
  /** Fail on warnings too. */
  strict?: boolean;
  /** Also show hints: unused files, pages missing from the menu. */
  all?: boolean;
  format?: 'text' | 'github' | 'sarif';
}

/**
 * `docent check <folder>`: compiles everything as publishing does and prints the problems.
 * @returns exit code: 1 if there is an error (with `strict` also a warning), else 0
 * @throws DocentError `invalid_setting` if the folder does not exist
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
  const result = await checkFolder(root, { onProgress, fetchOutside, gitFacts: await gitFactsOf(root) });
  const shown = options.all ? result.findings : result.findings.filter((one) => one.severity !== 'info');
  output.print(await printed({ ...result, findings: shown }, result.findings.length - shown.length, root, options));
  output.json({ ...result, findings: shown });
  const fails = shown.some((one) => one.severity === 'error' || (options.strict === true && one.severity === 'warning'));
  return fails ? 1 : 0;
}

async function printed(result: CheckResult, hiddenCount: number, root: string, options: CheckCommandOptions): Promise<string> {
  // Annotations refer to paths from the repository root, which is where the command runs.
  const prefix = relative(process.cwd(), root).replaceAll('\\', '/');
  if (options.format === 'github') return annotations(result.findings, prefix);
  if (options.format === 'sarif') return JSON.stringify(sarifLog(result.findings, prefix), null, 2);
  return checkText(result, hiddenCount, await linesOf(result, root));
}

/** Returns the lines that findings refer to. Each file is read once. */
async function linesOf({ findings }: CheckResult, root: string): Promise<SourceLines> {
  const files = new Map<string, string[]>();
  for (const file of new Set(findings.map((one) => one.file))) {
    // The name in a finding is a source file, or one that could not be read from the source.
    const text = await readFile(resolve(root, file), 'utf8').catch(() => undefined);
    if (text !== undefined) files.set(file, text.split(/\r?\n/));
  }
  return (file, line) => files.get(file)?.[line - 1];
}
