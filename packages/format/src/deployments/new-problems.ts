import type { Diagnostic } from '../diagnostics.ts';
import { placesOf } from '../diagnostics.ts';

/** A problem at one place of the source. */
export interface Problem {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  remedy: string;
  /** Path in the documentation folder; empty if it is about no file. */
  file: string;
  line: number | undefined;
}

/**
 * Returns the problems that a change brings, errors first: those of a build that the build before
 * does not have. Lines move when something is written above them, so its words and its file
 * identify a problem.
 */
export function newProblems(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): Problem[] {
  const left = new Map<string, number>();
  for (const problem of before.flatMap(problemsOf))
    left.set(keyOf(problem), (left.get(keyOf(problem)) ?? 0) + 1);
  const news = after.flatMap(problemsOf).filter((problem) => {
    const count = left.get(keyOf(problem)) ?? 0;
    left.set(keyOf(problem), count - 1);
    return count <= 0;
  });
  const rank = ({ severity }: Problem) => (severity === 'error' ? 0 : 1);
  return news.sort((a, b) => rank(a) - rank(b));
}

function problemsOf(diagnostic: Diagnostic): Problem[] {
  const { severity, code, message, remedy } = diagnostic;
  if (severity === 'info') return [];
  return placesOf(diagnostic).map(({ file, line }) => ({
    severity,
    code,
    message,
    remedy,
    file: file ?? '',
    line,
  }));
}

const keyOf = ({ severity, code, message, file }: Problem) =>
  JSON.stringify([severity, code, message, file]);

/**
 * What makes the check of a pull request fail; each also what comes before it. A build that fails
 * always does.
 */
export const CHECK_RULES = ['builds', 'errors', 'links', 'warnings'] as const;
export type CheckRule = (typeof CHECK_RULES)[number];

/** What Vale does: nothing, report what it finds, or also make the check fail for its errors. */
export const VALE_RULES = ['off', 'reports', 'fails'] as const;
export type ValeRule = (typeof VALE_RULES)[number];

/** What makes the check of a pull request fail. */
export interface CheckRules {
  failsOn: CheckRule;
  /** Whether test questions that the live site answers and the preview does not make it fail. */
  failsOnAnswers?: boolean;
  vale?: ValeRule;
}

/** Returns whether a problem that a change brings makes its check fail. */
export function failsCheck({ severity, code }: Problem, { failsOn, vale }: CheckRules): boolean {
  if (code === 'vale-error' && vale === 'fails') return true;
  if (failsOn === 'builds') return false;
  if (severity === 'error' || failsOn === 'warnings') return true;
  return failsOn === 'links' && code === 'broken-link';
}
