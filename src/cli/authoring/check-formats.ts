import type { CheckResult } from '../../compiler/check-folder.ts';
import { countText, type Diagnostic, otherPlacesText, placesOf } from '../../core/diagnostics.ts';

/** Returns the text of a source line, or undefined if unknown. */
export type SourceLines = (file: string, line: number) => string | undefined;

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

const COMMANDS: Record<Diagnostic['severity'], string> = { error: 'error', warning: 'warning', info: 'notice' };

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
      return `::${COMMANDS[one.severity]} ${properties.join(',')}::${escapeData(`${one.message} ${one.remedy}`)}`;
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

const LEVELS: Record<Diagnostic['severity'], string> = { error: 'error', warning: 'warning', info: 'note' };

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
  const region =
    one.line === undefined
      ? {}
      : { region: { startLine: one.line, ...(one.column === undefined ? {} : { startColumn: one.column }) } };
  const uri = joined(prefix, one.file).split('/').map(encodeURIComponent).join('/');
  return {
    ruleId: one.code,
    level: LEVELS[one.severity],
    message: { text: `${one.message} ${one.remedy}` },
    locations: [{ physicalLocation: { artifactLocation: { uri }, ...region } }],
  };
}
