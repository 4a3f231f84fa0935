import type { Diagnostic } from '../diagnostics.ts';

const MAX_DIAGNOSTICS = 200;

/** Collects what is noticed about one page; the same thing at the same place once, and never without end. */
export class DiagnosticList {
  readonly items: Diagnostic[] = [];
  readonly #seen = new Set<string>();

  report(diagnostic: Diagnostic): void {
    const key = keyOf(diagnostic);
    if (this.#seen.has(key) || this.items.length >= MAX_DIAGNOSTICS) return;
    this.#seen.add(key);
    this.items.push(diagnostic);
  }

  /** Forgets what was reported after the first `count`: it belonged to an attempt that another way took the place of. */
  forgetAfter(count: number): void {
    for (const diagnostic of this.items.splice(count)) this.#seen.delete(keyOf(diagnostic));
  }
}

function keyOf({ code, file, line, message }: Diagnostic): string {
  return `${code}|${file}|${line ?? ''}|${message}`;
}
