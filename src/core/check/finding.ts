import type { Diagnostic } from '../diagnostics.ts';

/** What a check of a documentation folder finds: what a build reports, and hints that are no faults (`info`). */
export interface Finding extends Omit<Diagnostic, 'severity'> {
  severity: Diagnostic['severity'] | 'info';
}

const RANK: Record<Finding['severity'], number> = { error: 0, warning: 1, info: 2 };

/** By file and line; what is worse first where they are the same. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => {
    if (a.file !== b.file) return a.file < b.file ? -1 : 1;
    return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || RANK[a.severity] - RANK[b.severity];
  });
}
