import type { AudienceCounts, BuildReport } from '@docent/format/build/site-build.ts';
import {
  countText,
  type Diagnostic,
  otherPlacesText,
  placeText,
} from '@docent/format/diagnostics.ts';
import { DocentError, type ErrorKind } from '@docent/format/errors.ts';
import type { QuestionReport } from '@docent/format/questions/question-report.ts';

/** Output of a command: results on standard output, everything else on standard error. */
export interface Output {
  /**
   * The result: a text for people, or with `--json` the value. @param hint a line on standard error
   * for people
   */
  result(text: string, value: object, hint?: string): void;
  /** A result for people. Not shown with `--json`. */
  print(text: string): void;
  /** The result for programs: one line, only with `--json`. */
  json(value: object): void;
  /** Progress; only on a terminal, overwritten by the next. */
  progress(text: string): void;
  /** A line on standard error. */
  note(text: string): void;
}

export function createOutput({ json: isJson = false }: { json?: boolean }): Output {
  // A reader that has enough (`docent schema | head`) is no failure.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', endOfReader);
  const showsProgress = process.stderr.isTTY === true && !isJson;
  let progressShown = false;
  const clear = () => {
    if (progressShown) process.stderr.write('\r\u001b[2K');
    progressShown = false;
  };
  return {
    result(text, value, hint) {
      this.print(text);
      this.json(value);
      if (hint !== undefined && !isJson) this.note(hint);
    },
    print(text) {
      clear();
      if (!isJson) process.stdout.write(`${forTerminal(text)}\n`);
    },
    json(value) {
      if (isJson) process.stdout.write(`${forTerminal(JSON.stringify(value))}\n`);
    },
    progress(text) {
      if (!showsProgress) return;
      clear();
      process.stderr.write(forTerminal(text));
      progressShown = true;
    },
    note(text) {
      clear();
      process.stderr.write(`${forTerminal(text)}\n`);
    },
  };
}

/** Control characters but tab and line feed, and those that reorder a line. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a text in which control characters are visible: `\u001b`. Names of people, branches and
 * pages are written by others, and must not move the cursor or change the title of the operator's
 * terminal. JSON stays the same value.
 */
export function forTerminal(text: string): string {
  return text.replace(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function endOfReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}

/** Formats a finding as `guides/start.mdx:12:3 warning [unknown-component] … → remedy`. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const others = otherPlacesText(diagnostic);
  const lines = [
    `${placeText(diagnostic)}  ${diagnostic.severity} [${diagnostic.code}] ${diagnostic.message}`,
    `    → ${diagnostic.remedy}`,
  ];
  if (others) lines.push(`    ${others}`);
  return lines.join('\n');
}

/** Formats rows as columns of equal width, with the first row as the header. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `1.2 MB` */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}

/** Formats the report for people: problems first, then a summary line with counts. */
export function formatReport(report: BuildReport): string {
  const count = (severity: Diagnostic['severity']) => countText(report.diagnostics, severity);
  const lines = report.diagnostics.map(formatDiagnostic);
  lines.push(
    `${report.pageCount} pages, ${report.failedPageCount} with an error block, ${report.fileCount} files; ` +
      `${count('error')}, ${count('warning')}; ${(report.durationMs / 1000).toFixed(1)} s`,
  );
  if (report.audiences) lines.push(formatAudiences(report.audiences));
  if (report.questions) lines.push(formatQuestions(report.questions));
  return lines.join('\n');
}

/** `Readers: 12 pages for everybody, staff 15, partner 13` */
export function formatAudiences({ pageCount, groups }: AudienceCounts): string {
  return `Readers: ${[`${pageCount} pages for everybody`, ...groups.map((group) => `${group.name} ${group.pageCount}`)].join(', ')}`;
}

function formatQuestions({ counts, changes }: QuestionReport): string {
  const { questions, first, inFive, answered } = counts;
  const lines = [
    `${questions} questions: ${first} found first, ${inFive} among the first five, ${answered} answered`,
  ];
  if (changes) {
    const { gained, lost, openCount } = changes;
    lines.push(
      `Compared with what is live: answers ${gained.length} more, loses ${lost.length}, ${openCount} open`,
    );
    lines.push(
      ...lost.map((question) => `- ${question}`),
      ...gained.map((question) => `+ ${question}`),
    );
  }
  return lines.join('\n');
}

/**
 * Exit codes: 0 done · 1 the documentation or the request was refused · 2 the call or a setting is
 * wrong · 3 something that is needed is not available (a busy port, a data folder in use, a server
 * that does not answer) · 70 an internal error.
 */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof DocentError)) return 70;
  if (error.code === 'invalid_setting') return 2;
  if (
    error.code === 'data_folder_in_use' ||
    error.code === 'port_in_use' ||
    error.code === 'database_too_new'
  )
    return 3;
  const byKind: Partial<Record<ErrorKind, number>> = {
    'not-yet': 3,
    unavailable: 3,
    internal: 70,
  };
  return byKind[error.kind] ?? 1;
}

/** Formats one clear line per error. */
export function describeError(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EMFILE' || code === 'ENFILE') {
    return `docent: The system allows no more open files (${code}); raise the limit, for example with "ulimit -n 65536".`;
  }
  if (!(error instanceof DocentError))
    return `docent: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  // The error of several settings has the line of each as its message.
  const faults = (error.errors ?? [])
    .filter(({ message }) => !error.message.includes(message))
    .map(({ path, message }) => `\n  ${path}: ${message}`);
  return `docent: ${error.message}${faults.join('')}`;
}

/** The day of a time in the API. */
export const dayOf = (time: string): string => time.slice(0, 10);

export const onOrOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

/** Who created something. */
export const makerName = (maker: { kind: string; name: string | null } | null): string =>
  maker?.name ?? maker?.kind ?? '-';
