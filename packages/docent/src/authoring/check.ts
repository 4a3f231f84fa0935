import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type CheckResult, checkFolder } from '@docent/compiler/check-folder.ts';
import type { FetchOutside } from '@docent/compiler/outside/outside.ts';
import { hasFailed, isHint, type Severities } from '@docent/format/check/severities.ts';
import { countText, type Diagnostic, placesOf } from '@docent/format/diagnostics.ts';
import { DocentError } from '@docent/format/errors.ts';
import { gitFactsOf, pathInRepository } from '@docent/server/start/git-facts.ts';
import { localPagePack } from '@docent/server/start/local-page-pack.ts';
import { formatAudiences, type Output } from '../kernel/output.ts';
import { findingsText, linesOf, type SourceLines } from './finding-text.ts';
import { openLocalSources, type SourceFlag, withLocalPlaces } from './local-sources.ts';

export interface CheckCommandOptions extends SourceFlag {
  /** `false`: the pages of the last check are not used, and those of this one not kept. */
  cache?: boolean;
  /** Fail on warnings too. */
  strict?: boolean;
  /** Also show hints: unused files, pages missing from the menu. */
  all?: boolean;
  /** Readers of the site can sign in: pages with groups are checked too. */
  signIn?: boolean;
  format?: 'text' | 'github' | 'sarif';
  /** Severities by code; they take precedence over those of docs.json. */
  rule?: Severities;
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
  const stats = await stat(root).catch(() => undefined);
  if (!stats?.isDirectory())
    throw new DocentError('invalid_setting', `There is no folder ${folder}.`);
  const { result, hiddenCount } = await findingsOf(root, options, output, fetchOutside);
  output.result(await printed(result, hiddenCount, root, options), result);
  return hasFailed(result.findings, options.strict === true) ? 1 : 0;
}

/**
 * Checks a source before it is published. Prints what is found to standard error. @returns whether
 * it may be published
 */
export async function checkSource(
  root: string,
  options: CheckCommandOptions,
  output: Output,
  fetchOutside?: FetchOutside,
): Promise<boolean> {
  const { result, hiddenCount } = await findingsOf(root, options, output, fetchOutside);
  if (!hasFailed(result.findings, options.strict === true)) return true;
  output.note(await printed(result, hiddenCount, root, options));
  return false;
}

async function findingsOf(
  root: string,
  { all, rule, cache, source, signIn }: CheckCommandOptions,
  output: Output,
  fetchOutside: FetchOutside | undefined,
): Promise<{ result: CheckResult; hiddenCount: number }> {
  const onProgress = (done: number, total: number) =>
    output.progress(`Checking: ${done} of ${total} pages`);
  const [gitFacts, parts, pagePack] = await Promise.all([
    gitFactsOf(root),
    openLocalSources({ source }, root),
    localPagePack(process.env, root, 'check', cache),
  ]);
  const checked = await checkFolder(root, {
    onProgress,
    fetchOutside,
    gitFacts,
    parts,
    pagePack,
    rules: rule,
    canSignIn: signIn,
  });
  const result = { ...checked, findings: withLocalPlaces(checked.findings, root, parts) };
  const findings = all ? result.findings : result.findings.filter((finding) => !isHint(finding));
  return { result: { ...result, findings }, hiddenCount: result.findings.length - findings.length };
}

async function printed(
  result: CheckResult,
  hiddenCount: number,
  root: string,
  { format }: CheckCommandOptions,
): Promise<string> {
  const prefix = await pathInRepository(root);
  if (format === 'github') return annotations(result.findings, prefix);
  if (format === 'sarif') return JSON.stringify(sarifLog(result.findings, prefix), null, 2);
  return checkText(result, hiddenCount, await linesOf(result.findings, root));
}

/**
 * Formats findings for people: by file, each with its source line and the remedy, then a summary
 * line with counts.
 * @param hiddenCount number of hints that are not shown
 */
export function checkText(result: CheckResult, hiddenCount: number, lineOf: SourceLines): string {
  return [findingsText(result.findings, lineOf), summary(result, hiddenCount)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function summary(
  { findings, pageCount, fileCount, durationMs, audiences }: CheckResult,
  hiddenCount: number,
): string {
  const hints =
    hiddenCount === 0
      ? ''
      : `; ${hiddenCount} hint${hiddenCount === 1 ? '' : 's'} not shown (--all)`;
  const counts = `${countText(findings, 'error')}, ${countText(findings, 'warning')}`;
  return `${pageCount} pages, ${fileCount} files: ${counts}${hints}; ${(durationMs / 1000).toFixed(1)} s${audiences ? `\n${formatAudiences(audiences)}` : ''}`;
}

/**
 * Formats findings as workflow commands, which GitHub shows beside the lines of a pull request.
 * @param prefix path of the documentation folder from the root of the repository; empty if it is
 *   the root
 */
export function annotations(findings: readonly Diagnostic[], prefix: string): string {
  return findings
    .flatMap(apart)
    .map((finding) => {
      const place = {
        file: finding.file === '' ? undefined : joined(prefix, finding.file),
        line: finding.line?.toString(),
        col: finding.column?.toString(),
        title: finding.code,
      };
      const properties = Object.entries(place)
        .filter((entry): entry is [string, string] => entry[1] !== undefined)
        .map(([name, value]) => `${name}=${escapeProperty(value)}`);
      const command = finding.severity === 'info' ? 'notice' : finding.severity;
      return `::${command} ${properties.join(',')}::${escapeData(`${finding.message} ${finding.remedy}`)}`;
    })
    .join('\n');
}

/** Returns one finding per location, which is how these formats show them. */
function apart(finding: Diagnostic): Diagnostic[] {
  const { severity, code, message, remedy } = finding;
  return placesOf(finding).map((place) => ({ severity, code, message, remedy, ...place }));
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
  const rules = [...new Set(findings.map((finding) => finding.code))].sort().map((id) => ({ id }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'docent', rules } },
        results: findings.flatMap(apart).map((finding) => sarifResult(finding, prefix)),
      },
    ],
  };
}

function sarifResult(finding: Diagnostic, prefix: string): object {
  const region =
    finding.line === undefined
      ? undefined
      : { startLine: finding.line, startColumn: finding.column };
  const uri = joined(prefix, finding.file).split('/').map(encodeURIComponent).join('/');
  return {
    ruleId: finding.code,
    level: finding.severity === 'info' ? 'note' : finding.severity,
    message: { text: `${finding.message} ${finding.remedy}` },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
  };
}
