import { type Expression, Parser, type Program } from 'acorn';
import acornJsx from 'acorn-jsx';
import { ExpressionError } from './value.ts';

const JsxParser = Parser.extend(acornJsx());
const options = { ecmaVersion: 'latest', sourceType: 'module' } as const;

function syntaxError(error: unknown): ExpressionError {
  // acorn is recursive, so extremely nested source overflows its stack with a RangeError.
  if (!(error instanceof SyntaxError)) return new ExpressionError('syntax', 'The expression is invalid: it is nested too deeply');
  const [, line, column] = / \((\d+):(\d+)\)$/.exec(error.message) ?? [];
  const message = `The expression is invalid: ${error.message.replace(/ \(\d+:\d+\)$/, '')}`;
  const at = line === undefined ? undefined : { line: Number(line), column: Number(column) + 1 };
  return new ExpressionError('syntax', message, at);
}

/** Returns where white space and comments end. A scan, because a regular expression for nested comments would backtrack. */
function skipComments(source: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < source.length && source.charCodeAt(at) <= 32) at++;
    let end = -1;
    if (source.startsWith('/*', at)) end = source.indexOf('*/', at + 2) + 2;
    else if (source.startsWith('//', at)) end = source.indexOf('\n', at) + 1 || source.length;
    if (end < 2) return at;
    at = end;
  }
}

/** How scanning an expression ended: at its closing brace, at the end of the text, at an error, or at the depth limit. */
export type ExpressionEnd = { at: number } | 'unfinished' | 'invalid' | 'too-deep';

/**
 * Finds the closing brace of an expression by JavaScript's rules.
 * @param source starts after the opening brace
 */
export function findExpressionEnd(source: string): ExpressionEnd {
  const start = skipComments(source, 0);
  if (source[start] === '}') return { at: start };
  const spread = source.startsWith('...', start) ? start + 3 : start;
  try {
    const expression = JsxParser.parseExpressionAt(source.slice(spread), 0, { ...options, preserveParens: true });
    const end = skipComments(source, spread + expression.end);
    if (source[end] === '}') return { at: end };
    return end >= source.length ? 'unfinished' : 'invalid';
  } catch (error) {
    if (!(error instanceof SyntaxError)) return 'too-deep';
    const { pos = 0, message } = error as SyntaxError & { pos?: number };
    if (message.startsWith('Not enough stack')) return 'too-deep';
    return spread + pos >= source.trimEnd().length || message.startsWith('Unterminated') ? 'unfinished' : 'invalid';
  }
}

/**
 * Returns the syntax tree of one expression, JSX included; undefined if it contains only comments. Throws an `ExpressionError` of
 * kind `syntax`.
 */
export function parseExpression(source: string): Expression | undefined {
  if (skipComments(source, 0) >= source.length) return undefined;
  const [statement, ...others] = parseModule(`(${source}\n)`).body;
  if (others.length > 0 || statement?.type !== 'ExpressionStatement') {
    throw new ExpressionError('syntax', 'The expression is invalid: it is more than one expression');
  }
  return statement.expression as Expression;
}

/** Returns the syntax tree of `import` and `export` lines or of a whole `.jsx` file. Throws like `parseExpression`. */
export function parseModule(source: string): Program {
  try {
    return JsxParser.parse(source, options);
  } catch (error) {
    throw syntaxError(error);
  }
}
