import type { Diagnostic } from '../diagnostics.ts';

const MAX_DIAGNOSTICS = 200;

/** Collects the diagnostics of one page, without duplicates and up to a limit. */
export class DiagnosticList {
  readonly items: Diagnostic[] = [];
  readonly #seen = new Set<string>();

  report(diagnostic: Diagnostic): void {
    const key = keyOf(diagnostic);
    if (this.#seen.has(key) || this.items.length >= MAX_DIAGNOSTICS) return;
    this.#seen.add(key);
    this.items.push(diagnostic);
  }

  /** Discards reports after the first `count`: they belong to an attempt that was replaced. */
  truncate(count: number): void {
    for (const diagnostic of this.items.splice(count)) this.#seen.delete(keyOf(diagnostic));
  }
}

function keyOf({ code, file, line, message }: Diagnostic): string {
  return `${code}|${file}|${line ?? ''}|${message}`;
}
