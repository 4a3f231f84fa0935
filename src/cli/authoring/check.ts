import { readFile, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type CheckResult, checkFolder } from '../../compiler/check-folder.ts';
import type { FetchOutside } from '../../compiler/outside/outside.ts';
import { countText, type Diagnostic, otherPlacesText, placesOf } from '../../core/diagnostics.ts';
import { DocentError } from '../../core/errors.ts';
import { gitFactsOf } from '../git-facts.ts';
import type { Output } from '../output.ts';

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
  const reported = { ...result, findings: shown };
  output.result(await printed(reported, result.findings.length - shown.length, root, options), reported);
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

/** Returns the text of a source line, or undefined if unknown. */
type SourceLines = (file: string, line: number) => string | undefined;

const MAX_EXCERPT = 100;

/**
 * Formats findings for people: by file, each with its source line and the remedy, then a summary line with counts.
 * @param hiddenCount number of hints that are not shown
 */
export function checkText(result: CheckResult, hiddenCount: number, lineOf: SourceLines): string {
  const parts: string[] = [];
  for (const [file, findings] of Map.groupBy(result.findings, (one) => one.file)) {
    parts.push([file === '' ? '(no file)' : file, ...findings.map((one) => findingText(one, lineOf))].join('\n'));
  }
  parts.push(summary(result, hiddenCount));
  return parts.join('\n\n');
}

function findingText(one: Diagnostic, lineOf: SourceLines): string {
  const place = [one.line, one.column].filter((part) => part !== undefined).join(':');
  const lines = [`  ${place.padEnd(7)} ${one.severity.padEnd(7)} ${one.message}  [${one.code}]`];
  const excerpt = one.line === undefined ? undefined : excerptOf(lineOf(one.file, one.line), one.column);
  if (excerpt) lines.push(`          | ${excerpt}`);
  lines.push(`          → ${one.remedy}`);
  const others = otherPlacesText(one);
  if (others) lines.push(`          ${others}`);
  return lines.join('\n');
}

/** Returns the part of the line around the column, without control characters. */
function excerptOf(line: string | undefined, column = 1): string | undefined {
  if (line === undefined || line.trim() === '') return undefined;
  const start = column > MAX_EXCERPT ? column - MAX_EXCERPT / 2 : 0;
  const part = line.slice(start, start + MAX_EXCERPT).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  return `${start > 0 ? '…' : ''}${part.trim()}${line.length > start + MAX_EXCERPT ? '…' : ''}`;
}

function summary({ findings, pageCount, fileCount, durationMs }: CheckResult, hiddenCount: number): string {
  const hints = hiddenCount === 0 ? '' : `; ${hiddenCount} hint${hiddenCount === 1 ? '' : 's'} not shown (--all)`;
  const counts = `${countText(findings, 'error')}, ${countText(findings, 'warning')}`;
  return `${pageCount} pages, ${fileCount} files: ${counts}${hints}; ${(durationMs / 1000).toFixed(1)} s`;
}

/**
 * Formats findings as workflow commands, which GitHub shows beside the lines of a pull request.
 * @param prefix path of the documentation folder from the root of the repository; empty if it is the root
 */
export function annotations(findings: readonly Diagnostic[], prefix: string): string {
  return findings
    .flatMap(apart)
    .map((one) => {
      const place = {
        file: one.file === '' ? undefined : joined(prefix, one.file),
        line: one.line?.toString(),
        col: one.column?.toString(),
        title: one.code,
      };
      const properties = Object.entries(place)
        .filter((entry): entry is [string, string] => entry[1] !== undefined)
        .map(([name, value]) => `${name}=${escapeProperty(value)}`);
      const command = one.severity === 'info' ? 'notice' : one.severity;
      return `::${command} ${properties.join(',')}::${escapeData(`${one.message} ${one.remedy}`)}`;
    })
    .join('\n');
}

/** Returns one finding per location, which is how these formats show them. */
function apart(one: Diagnostic): Diagnostic[] {
  const { severity, code, message, remedy } = one;
  return placesOf(one).map((place) => ({ severity, code, message, remedy, ...place }));
}

/** A line break would start another command, which a file name or text must not be able to do. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function joined(prefix: string, file: string): string {
  return prefix === '' ? file : `${prefix}/${file}`;
}

/** Formats findings as SARIF 2.1.0, the exchange format of code scanners. */
export function sarifLog(findings: readonly Diagnostic[], prefix: string): object {
  const rules = [...new Set(findings.map((one) => one.code))].sort().map((id) => ({ id }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      { tool: { driver: { name: 'docent', rules } }, results: findings.flatMap(apart).map((one) => sarifResult(one, prefix)) },
    ],
  };
}

function sarifResult(one: Diagnostic, prefix: string): object {
  const region = one.line === undefined ? undefined : { startLine: one.line, startColumn: one.column };
  const uri = joined(prefix, one.file).split('/').map(encodeURIComponent).join('/');
  return {
    ruleId: one.code,
    level: one.severity === 'info' ? 'note' : one.severity,
    message: { text: `${one.message} ${one.remedy}` },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
  };
}
