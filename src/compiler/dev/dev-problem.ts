import type { Diagnostic } from '../../core/diagnostics.ts';
import { errorMessage } from '../../core/error-message.ts';
import { DocentError } from '../../core/errors.ts';

const LINES_AROUND = 3;
/** Longer lines are cut in an excerpt; a bundle's one line would fill the screen. */
const MAX_LINE_LENGTH = 240;

/** A diagnostic with the lines that it is about. */
export interface DevProblem extends Omit<Diagnostic, 'code'> {
  code: string;
  excerpt?: ExcerptLine[];
}

export interface ExcerptLine {
  line: number;
  text: string;
  /** Whether this is the line in question. */
  marked: boolean;
}

/** Adds to a diagnostic the lines around its place. */
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
    // The file itself may be what is wrong.
    return undefined;
  }
}

/** What keeps the whole site from being built, as a diagnostic. */
export function siteFault(error: unknown): Diagnostic {
  if (!(error instanceof DocentError)) return unknownFault(error);
  const { place } = error;
  const faults = (error.errors ?? []).map((one) => one.message).filter((message) => !error.message.includes(message));
  return {
    severity: 'error',
    code: error.code,
    message: [error.message, ...faults].join(' '),
    remedy: 'Correct this and save; the site as it was stays until then.',
    file: place?.file ?? '',
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(place?.column === undefined ? {} : { column: place.column }),
  };
}

/** The author goes on with the site as it was, whosever fault it is. */
function unknownFault(error: unknown): Diagnostic {
  return {
    severity: 'error',
    code: 'internal_error',
    message: `The site could not be made: ${errorMessage(error)}.`,
    remedy: 'If the files are as they should be, report this as a bug.',
    file: '',
  };
}
