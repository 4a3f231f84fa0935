import type { Diagnostic } from '../diagnostics.ts';

/** How severe the problems of one code are; `off`: they are not reported. */
export type Severity = 'error' | 'warning' | 'off';

/** Code of a diagnostic → its severity. */
export type Severities = Readonly<Record<string, Severity>>;

/**
 * What fails `docent check`, although publishing only warns: readers get lost, or the page loses
 * its title.
 */
export const CHECK_SEVERITIES: Severities = {
  'broken-link': 'error',
  'frontmatter-syntax': 'error',
};

/**
 * Returns the diagnostics with the severity that the rules give them, without those that are off.
 * Hints that a rule names count too.
 */
export function withSeverities(
  diagnostics: readonly Diagnostic[],
  rules: Severities = {},
): Diagnostic[] {
  return diagnostics.flatMap((diagnostic) => {
    const severity = Object.hasOwn(rules, diagnostic.code) ? rules[diagnostic.code] : undefined;
    if (severity === undefined || isFatal(diagnostic)) return [diagnostic];
    return severity === 'off' ? [] : [{ ...diagnostic, severity }];
  });
}

/** Nothing can hide that a site has no build. */
function isFatal({ code }: Diagnostic): boolean {
  return code === 'build-failed';
}

/**
 * Returns whether a finding is a hint, shown on request. That the menu of a site follows its
 * folders concerns everybody.
 */
export function isHint({ severity, code }: Diagnostic): boolean {
  return severity === 'info' && code !== 'no-settings';
}

/** Returns whether a command fails: on errors, with `isStrict` on warnings too. */
export function hasFailed(diagnostics: readonly Diagnostic[], isStrict: boolean): boolean {
  return diagnostics.some(
    ({ severity }) => severity === 'error' || (isStrict && severity === 'warning'),
  );
}
