import type { Diagnostic } from '../../diagnostics.ts';
import type { DiagnosticList } from '../diagnostic-list.ts';
import { Budget } from '../expressions/budget.ts';
import { ExpressionError } from '../expressions/error.ts';
import { globalScope } from '../expressions/globals.ts';
import { ObjectValue, type Place, type Value } from '../expressions/value.ts';
import { IslandList } from '../islands/island-list.ts';
import type { SiteContext } from '../site-context.ts';
import { type ContentNode, NodesValue } from './content-node.ts';

const FAILURES: Record<ExpressionError['kind'], [code: string, remedy: string]> = {
  syntax: ['mdx-syntax', 'Correct the expression, or write \\{ for a brace that is text.'],
  'unknown-name': ['unknown-variable', 'Define it, or write \\{ for a brace that is text, or put the text into `code`.'],
  missing: ['missing-import', 'Correct the import.'],
  'needs-browser': ['needs-browser', 'Use static content or a built-in component.'],
  limit: ['expression-limit', 'Simplify the expression, or split the page.'],
  failed: ['expression-failed', 'Correct the expression.'],
};

/** What the parts of the expansion of one page share. */
export class ExpandState {
  readonly site: SiteContext;
  readonly isComponent: (name: string) => boolean;
  readonly budget = new Budget();
  readonly globals = globalScope();
  /** Undefined where nothing can run the components of authors; those have placeholders then. */
  readonly islands: IslandList | undefined;
  /** How many of the author's own components are being computed, one inside the other. */
  ownDepth = 0;
  /** Where the innermost call from a page or a snippet stands; JSX inside expressions has no place of its own. */
  place: Place = {};
  readonly #diagnostics: DiagnosticList;
  readonly #pageFile: string;

  constructor(site: SiteContext, pageFile: string, diagnostics: DiagnosticList, isComponent: (name: string) => boolean) {
    this.site = site;
    this.isComponent = isComponent;
    if (site.islands) this.islands = new IslandList();
    this.#diagnostics = diagnostics;
    this.#pageFile = pageFile;
  }

  report(diagnostic: Diagnostic): void {
    this.#diagnostics.report(diagnostic);
  }

  warn(code: string, message: string, remedy: string, place: Place = this.place): void {
    this.#reportAt('warning', code, message, remedy, place);
  }

  /** Notes where things stand. The function that it gives goes back there, when an attempt is given up for an island. */
  attempt(): () => void {
    const reported = this.#diagnostics.items.length;
    const asked = this.islands?.requests.length ?? 0;
    return () => {
      this.#diagnostics.forgetAfter(reported);
      this.islands?.requests.splice(asked);
    };
  }

  /** Reports why an expression has no value. Errors that are not the author's become faults too, never exceptions. */
  reportFailure(error: unknown, consequence: string): ExpressionError {
    const failure = asExpressionError(error);
    const [code, remedy] = FAILURES[failure.kind];
    const severity = failure.kind === 'limit' || failure.kind === 'syntax' ? 'error' : 'warning';
    // A missing import was reported where it stands.
    if (failure.kind !== 'missing') this.#reportAt(severity, code, `${consequence}: ${failure.message}.`, remedy, this.place);
    return failure;
  }

  #reportAt(severity: Diagnostic['severity'], code: string, message: string, remedy: string, place: Place): void {
    const file = place.file ?? this.#pageFile;
    this.report({ severity, code, message, remedy, file, ...(place.line === undefined ? {} : { line: place.line }) });
  }

  /** What a value shows in a page: text, JSX, lists of them; nothing for switches and for data. */
  toNodes(value: Value): ContentNode[] {
    if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', value }];
    if (typeof value === 'number') return [{ type: 'text', value: String(value) }];
    if (value instanceof NodesValue) return value.nodes;
    if (Array.isArray(value)) {
      this.budget.spend(value.length + 1);
      return value.flatMap((item) => this.toNodes(item));
    }
    if (value instanceof ObjectValue)
      this.warn('expression-failed', 'An object cannot be shown as text.', 'Show one of its fields.');
    return [];
  }
}

/** Any error as one of the interpreter's; a stack that overflowed becomes a limit that was reached. */
export function asExpressionError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof RangeError) return new ExpressionError('limit', 'The expression is nested too deeply, or makes too much');
  return new ExpressionError('failed', 'It could not be computed');
}
