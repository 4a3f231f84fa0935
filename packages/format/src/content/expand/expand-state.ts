import type { Diagnostic, DiagnosticList } from '../../diagnostics.ts';
import { Budget } from '../expressions/budget.ts';
import { globalScope } from '../expressions/globals.ts';
import {
  ExpressionError,
  ObjectValue,
  Personal,
  type Place,
  type Scope,
  type Value,
} from '../expressions/value.ts';
import { readSnippet, type SourceFile } from '../mdx/source-file.ts';
import { type ContentNode, NodesValue, personalNode } from '../nodes/content-node.ts';
import type { SiteContext } from '../page/page-content.ts';
import { IslandList } from './island-list.ts';

const FAILURES: Record<ExpressionError['kind'], [code: string, remedy: string]> = {
  syntax: ['mdx-syntax', 'Correct the expression, or escape a literal brace as \\{.'],
  'unknown-name': [
    'unknown-variable',
    'Define it, escape a literal brace as \\{, or put the text into `code`.',
  ],
  missing: ['missing-import', 'Correct the import.'],
  'needs-browser': ['needs-browser', 'Use static content or a built-in component.'],
  limit: ['expression-limit', 'Simplify the expression, or split the page.'],
  failed: ['expression-failed', 'Correct the expression.'],
};

/** A tag in a page or an expression, with its attributes and children evaluated. */
export interface TagCall {
  name: string;
  props: Map<string, Value>;
  children: ContentNode[];
  scope: Scope;
  place: Place;
  inline: boolean;
  /** Attributes that contain functions, or what only a browser can compute. */
  live?: ReadonlyMap<string, LiveAttribute>;
}

/** An attribute as written, for the component to compute in the browser. */
export interface LiveAttribute {
  source: string;
  /** Why it has no value here. */
  failure?: ExpressionError;
}

/** State shared by the parts of the expansion of one page. */
export class ExpandState {
  readonly site: SiteContext;
  readonly isComponent: (name: string) => boolean;
  readonly componentNames: ReadonlyMap<string, unknown>;
  readonly budget = new Budget();
  readonly globals = globalScope();
  /** Undefined if authors' components cannot run; placeholders are rendered then. */
  readonly islands: IslandList | undefined;
  /** Current nesting depth of the author's components. */
  ownDepth = 0;
  /**
   * Position of the innermost call from a page or a snippet; JSX inside expressions has no position
   * of its own.
   */
  place: Place = {};
  readonly #diagnostics: DiagnosticList;
  readonly #pageFile: string;

  constructor(
    site: SiteContext,
    pageFile: string,
    diagnostics: DiagnosticList,
    isComponent: (name: string) => boolean,
    componentNames: ReadonlyMap<string, unknown>,
  ) {
    this.site = site;
    this.componentNames = componentNames;
    this.isComponent = isComponent;
    if (site.islands) this.islands = new IslandList();
    this.#diagnostics = diagnostics;
    this.#pageFile = pageFile;
  }

  readSnippet(file: string): SourceFile | undefined {
    return readSnippet(file, this.site, this.isComponent);
  }

  report(diagnostic: Diagnostic): void {
    this.#diagnostics.report(diagnostic);
  }

  warn(code: string, message: string, remedy: string, place: Place = this.place): void {
    this.#reportAt('warning', code, message, remedy, place);
  }

  /**
   * Saves the current state. Returns a function that restores it when an attempt is abandoned for
   * an island.
   */
  attempt(): () => void {
    const reported = this.#diagnostics.items.length;
    const requestCount = this.islands?.requests.length ?? 0;
    return () => {
      this.#diagnostics.truncate(reported);
      this.islands?.requests.splice(requestCount);
    };
  }

  /**
   * Reports why an expression has no value. Internal errors become diagnostics too, never
   * exceptions.
   */
  reportFailure(error: unknown, consequence: string): ExpressionError {
    const failure = asExpressionError(error);
    const [code, remedy] = FAILURES[failure.kind];
    const severity = failure.kind === 'limit' || failure.kind === 'syntax' ? 'error' : 'warning';
    // A missing import was reported at the import.
    if (failure.kind !== 'missing')
      this.#reportAt(severity, code, `${consequence}: ${failure.message}.`, remedy, this.place);
    return failure;
  }

  #reportAt(
    severity: Diagnostic['severity'],
    code: string,
    message: string,
    remedy: string,
    place: Place,
  ): void {
    const file = place.file ?? this.#pageFile;
    this.report({ severity, code, message, remedy, file, line: place.line, column: place.column });
  }

  /** Returns what a value renders: text, JSX, lists of them; nothing for booleans and data. */
  toNodes(value: Value): ContentNode[] {
    if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', value }];
    if (typeof value === 'number') return [{ type: 'text', value: String(value) }];
    if (value instanceof NodesValue) return value.nodes;
    if (value instanceof Personal) return [personalNode(value.code, this.toNodes(value.value))];
    if (Array.isArray(value)) {
      this.budget.spend(value.length + 1);
      return value.flatMap((item) => this.toNodes(item));
    }
    if (value instanceof ObjectValue)
      this.warn(
        'expression-failed',
        'An object cannot be shown as text.',
        'Show one of its properties.',
      );
    return [];
  }
}

/** Converts any error to an interpreter error; a stack overflow becomes an exceeded limit. */
export function asExpressionError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof RangeError)
    return new ExpressionError(
      'limit',
      'The expression is nested too deeply, or its output is too large',
    );
  return new ExpressionError('failed', 'It could not be evaluated');
}
