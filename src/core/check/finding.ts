import type { Diagnostic } from '../diagnostics.ts';

/** A result of checking a documentation folder: a build diagnostic, or a hint that is not a problem (`info`). */
export type Finding = Diagnostic;

const RANK: Record<Finding['severity'], number> = { error: 0, warning: 1, info: 2 };

/** Sorts by file and line, then by severity. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => {
    if (a.file !== b.file) return a.file < b.file ? -1 : 1;
    return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || RANK[a.severity] - RANK[b.severity];
  });
}
