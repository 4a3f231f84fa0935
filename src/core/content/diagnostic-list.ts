import type { Diagnostic } from '../diagnostics.ts';

const MAX_DIAGNOSTICS = 200;

/** Collects what is noticed about one page; the same thing at the same place once, and never without end. */
export class DiagnosticList {
  readonly items: Diagnostic[] = [];
  readonly #seen = new Set<string>();

  report(diagnostic: Diagnostic): void {
    const key = `${diagnostic.code}|${diagnostic.file}|${diagnostic.line ?? ''}|${diagnostic.message}`;
    if (this.#seen.has(key) || this.items.length >= MAX_DIAGNOSTICS) return;
    this.#seen.add(key);
    this.items.push(diagnostic);
  }
}
