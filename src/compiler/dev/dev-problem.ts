import type { Diagnostic } from '../../core/diagnostics.ts';
import { errorMessage } from '../../core/error-message.ts';
import { DocentError } from '../../core/errors.ts';

const LINES_AROUND = 3;
/** Longer lines are truncated in an excerpt; a minified file's single line would fill the screen. */
const MAX_LINE_LENGTH = 240;

/** A diagnostic with the lines that it refers to. */
export interface DevProblem extends Omit<Diagnostic, 'code'> {
  code: string;
  excerpt?: ExcerptLine[];
}

export interface ExcerptLine {
  line: number;
  text: string;
  /** Whether this is the line of the diagnostic. */
  marked: boolean;
}

/** Adds the surrounding source lines to a diagnostic. */
export function withExcerpt(diagnostic: Diagnostic, readText: (path: string) => string | undefined): DevProblem {
  const { file, line } = diagnostic;
  const text = line === undefined ? undefined : textOf(file, readText);
  if (line === undefined || text === undefined) return diagnostic;
  const lines = text.split(/\r\n|\n|\r/);
  const first = Math.max(1, line - LINES_AROUND);
  const excerpt = lines.slice(first - 1, line + LINES_AROUND).map((found, index) => ({
    line: first + index,
    text: found.length > MAX_LINE_LENGTH ? `${found.slice(0, MAX_LINE_LENGTH)}…` : found,
    marked: first + index === line,
  }));
  return { ...diagnostic, excerpt };
}

function textOf(file: string, readText: (path: string) => string | undefined): string | undefined {
  try {
    return readText(file);
  } catch {
    // The file itself may be the problem.
    return undefined;
  }
}

/** Converts an error that prevents the build of the whole site to a diagnostic. */
export function siteFault(error: unknown): Diagnostic {
  if (!(error instanceof DocentError)) return unknownFault(error);
  const { place } = error;
  const faults = (error.errors ?? []).map((one) => one.message).filter((message) => !error.message.includes(message));
  return {
    severity: 'error',
    code: error.code,
    message: [error.message, ...faults].join(' '),
    remedy: 'Correct this and save; the previous version stays until then.',
    file: place?.file ?? '',
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(place?.column === undefined ? {} : { column: place.column }),
  };
}

/** For any cause, the author keeps the previous site. */
function unknownFault(error: unknown): Diagnostic {
  return {
    severity: 'error',
    code: 'internal_error',
    message: `The site could not be built: ${errorMessage(error)}.`,
    remedy: 'If the files are correct, report this as a bug.',
    file: '',
  };
}
