import type { SourcePart } from '@docent/compiler/source/folder-files.ts';
import { isHint } from '@docent/format/check/severities.ts';
import {
  countText,
  type Diagnostic,
  groupDiagnostics,
  placesOf,
  placeText,
  sortFindings,
} from '@docent/format/diagnostics.ts';
import type { Output } from '../kernel/output.ts';
import { findingsText, linesOf } from './finding-text.ts';
import { withLocalPlaces } from './local-sources.ts';

/** Maximum problems shown at once: those of a whole site would hide its address. */
const MAX_SHOWN = 12;
const MAX_FIXED = 5;

/**
 * Prints the problems of a site that changes: each when it appears, and a line when it is fixed.
 */
export class DevReport {
  readonly #root: string;
  readonly #output: Output;
  readonly #parts: readonly SourcePart[];
  /** The problems on the screen. */
  #shown = new Map<string, Diagnostic>();
  #summary = '';
  #last: Promise<void> = Promise.resolve();

  /**
   * @param root the folder of the site
   * @param parts its further sources
   */
  constructor(root: string, output: Output, parts: readonly SourcePart[] = []) {
    this.#root = root;
    this.#output = output;
    this.#parts = parts;
  }

  /** Prints a problem at once, before the others are known. */
  announce(problem: Diagnostic): void {
    this.#next(() => this.#printNew(this.#located([problem])));
  }

  /** Prints what has changed since the last call. @param problems all problems of the site */
  update(problems: readonly Diagnostic[]): void {
    this.#next(async () => {
      const current = this.#located(problems)
        .filter((problem) => !isHint(problem))
        .flatMap(apart);
      await this.#printNew(current);
      const keys = new Set(current.map(keyOf));
      this.#printFixed([...this.#shown].filter(([key]) => !keys.has(key)));
      const counted = groupDiagnostics(current);
      const summary = `${countText(counted, 'error')}, ${countText(counted, 'warning')}`;
      if (summary !== this.#summary) this.#output.note(summary);
      this.#summary = summary;
    });
  }

  /** Resolves when everything so far is printed. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #located(problems: readonly Diagnostic[]): Diagnostic[] {
    return withLocalPlaces(problems, this.#root, this.#parts);
  }

  /** Files are read meanwhile; the order of the lines stays. */
  #next(print: () => Promise<void>): void {
    this.#last = this.#last.then(print);
  }

  async #printNew(problems: readonly Diagnostic[]): Promise<void> {
    const added = problems.filter((problem) => !this.#shown.has(keyOf(problem)));
    for (const problem of added) this.#shown.set(keyOf(problem), problem);
    const groups = groupDiagnostics(sortFindings(added));
    // Errors are never cut off.
    const visibleGroups = [
      ...groups.filter(isError),
      ...groups.filter((group) => !isError(group)),
    ].slice(0, MAX_SHOWN);
    if (visibleGroups.length > 0)
      this.#output.note(
        `\n${findingsText(sortFindings(visibleGroups), await linesOf(visibleGroups, this.#root))}\n`,
      );
    const rest = groups.length - visibleGroups.length;
    if (rest > 0) this.#output.note(`… and ${rest} more; "docent check" lists all.`);
  }

  #printFixed(fixed: readonly [key: string, problem: Diagnostic][]): void {
    for (const [key] of fixed) this.#shown.delete(key);
    for (const [, one] of fixed.slice(0, MAX_FIXED))
      this.#output.note(`✓ fixed  ${placeText({ file: one.file })}  ${one.message}`);
    if (fixed.length > MAX_FIXED) this.#output.note(`✓ fixed  ${fixed.length - MAX_FIXED} more`);
  }
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

/** Returns one problem per place. */
function apart(problem: Diagnostic): Diagnostic[] {
  const { severity, code, message, remedy } = problem;
  return placesOf(problem).map((place) => ({ severity, code, message, remedy, ...place }));
}

/** Without the line, which moves while the author writes. */
function keyOf({ file, severity, code, message, remedy }: Diagnostic): string {
  return JSON.stringify([file, severity, code, message, remedy]);
}
