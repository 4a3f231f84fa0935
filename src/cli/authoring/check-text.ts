import type { CheckResult } from '../../compiler/check-folder.ts';
import { countText, type Diagnostic, otherPlacesText } from '../../core/diagnostics.ts';

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
