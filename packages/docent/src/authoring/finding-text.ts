import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Diagnostic, otherPlacesText } from '@docent/format/diagnostics.ts';

/** Returns the text of a source line, or undefined if unknown. */
export type SourceLines = (file: string, line: number) => string | undefined;

/**
 * Returns the lines that findings refer to. Each file is read once. @param root the folder of the
 * site
 */
export async function linesOf(findings: readonly Diagnostic[], root: string): Promise<SourceLines> {
  const files = new Map<string, string[]>();
  for (const file of new Set(findings.map((finding) => finding.file))) {
    // The name in a finding is a source file, or one that could not be read from the source.
    const text = await readFile(resolve(root, file), 'utf8').catch(() => undefined);
    if (text !== undefined) files.set(file, text.split(/\r?\n/));
  }
  return (file, line) => files.get(file)?.[line - 1];
}

const MAX_EXCERPT = 100;

/** Formats findings for people: by file, each with its source line and the remedy. */
export function findingsText(findings: readonly Diagnostic[], lineOf: SourceLines): string {
  const files = [...Map.groupBy(findings, (finding) => finding.file)];
  return files
    .map(([file, ofFile]) =>
      [
        file === '' ? '(no file)' : file,
        ...ofFile.map((finding) => findingText(finding, lineOf)),
      ].join('\n'),
    )
    .join('\n\n');
}

function findingText(finding: Diagnostic, lineOf: SourceLines): string {
  const place = [finding.line, finding.column].filter((part) => part !== undefined).join(':');
  const lines = [
    `  ${place.padEnd(7)} ${finding.severity.padEnd(7)} ${finding.message}  [${finding.code}]`,
  ];
  const excerpt =
    finding.line === undefined
      ? undefined
      : excerptOf(lineOf(finding.file, finding.line), finding.column);
  if (excerpt) lines.push(`          | ${excerpt}`);
  lines.push(`          → ${finding.remedy}`);
  const others = otherPlacesText(finding);
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
