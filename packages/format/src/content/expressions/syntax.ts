import { type AnyNode, type Expression, type Node, Parser, type Program } from 'acorn';
import acornJsx from 'acorn-jsx';
import { ExpressionError } from './value.ts';

const JsxParser = Parser.extend(acornJsx());
const options = { ecmaVersion: 'latest', sourceType: 'module' } as const;

/**
 * Maximum depth of a syntax tree. Bundler and interpreter are recursive, and the bundler also nests
 * what is flat here: a list of expressions, and statements that it joins to one. Generated data is
 * wide, not deep.
 */
const MAX_DEPTH = 5_000;
const TOO_DEEP = `The code is too complex: it combines or nests more than ${MAX_DEPTH.toLocaleString('en')} expressions or statements`;

/**
 * @throws ExpressionError `limit`, with its place in the source, if a tree is deeper than
 *   `MAX_DEPTH`
 */
function requireDepth(root: Node, source: string): void {
  const open: [node: Node, depth: number][] = [[root, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, depth] = next;
    const inside = depth + 1 + joinedBelow(node as AnyNode);
    if (inside > MAX_DEPTH) throw tooDeep(source, node.start);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type === 'string') open.push([child, inside]);
      }
    }
  }
}

/** Returns by how many levels the bundler nests the children of a node. */
function joinedBelow(node: AnyNode): number {
  if (node.type === 'SequenceExpression') return node.expressions.length;
  if (node.type === 'SwitchCase') return joinable(node.consequent);
  return node.type === 'BlockStatement' || node.type === 'Program' || node.type === 'StaticBlock'
    ? joinable(node.body)
    : 0;
}

function joinable(statements: readonly Node[]): number {
  return statements.filter(({ type }) => type.endsWith('Statement')).length;
}

function tooDeep(source: string, offset: number): ExpressionError {
  const before = source.slice(0, offset);
  const at = { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
  return new ExpressionError('limit', TOO_DEEP, at);
}

function syntaxError(error: unknown): ExpressionError {
  // acorn is recursive, so extremely nested source overflows its stack, which it notices or not.
  if (!(error instanceof SyntaxError)) return new ExpressionError('limit', TOO_DEEP);
  const [, line, column] = / \((\d+):(\d+)\)$/.exec(error.message) ?? [];
  const at = line === undefined ? undefined : { line: Number(line), column: Number(column) + 1 };
  if (isOverflow(error)) return new ExpressionError('limit', TOO_DEEP, at);
  return new ExpressionError(
    'syntax',
    `The expression is invalid: ${error.message.replace(/ \(\d+:\d+\)$/, '')}`,
    at,
  );
}

function isOverflow({ message }: SyntaxError): boolean {
  return message.startsWith('Not enough stack');
}

/**
 * Returns where white space and comments end. A scan, because a regular expression for nested
 * comments would backtrack.
 */
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

/**
 * How scanning an expression ended: at its closing brace, at the end of the text, at an error, or
 * at the depth limit.
 */
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
    const expression = JsxParser.parseExpressionAt(source.slice(spread), 0, {
      ...options,
      preserveParens: true,
    });
    const end = skipComments(source, spread + expression.end);
    requireDepth(expression, source);
    if (source[end] === '}') return { at: end };
    return end >= source.length ? 'unfinished' : 'invalid';
  } catch (error) {
    if (!(error instanceof SyntaxError)) return 'too-deep';
    const { pos = 0, message } = error as SyntaxError & { pos?: number };
    if (isOverflow(error)) return 'too-deep';
    return spread + pos >= source.trimEnd().length || message.startsWith('Unterminated')
      ? 'unfinished'
      : 'invalid';
  }
}

/**
 * Returns the syntax tree of one expression, JSX included; undefined if it contains only comments.
 * @throws ExpressionError `syntax`, or `limit` if it is too deep
 */
export function parseExpression(source: string): Expression | undefined {
  if (skipComments(source, 0) >= source.length) return undefined;
  const [statement, ...others] = parseModule(`(${source}\n)`).body;
  if (others.length > 0 || statement?.type !== 'ExpressionStatement') {
    throw new ExpressionError(
      'syntax',
      'The expression is invalid: it is more than one expression',
    );
  }
  return statement.expression as Expression;
}

/**
 * Returns the syntax tree of the value that starts at an offset, whatever follows it: the end of the
 * text, a comma, or what is no expression. Throws like `parseExpression`.
 * @param isCut whether the source ends where the parser failed before
 */
export function parseValueAt(source: string, offset: number, isCut = false): Expression {
  let value: Expression;
  try {
    value = JsxParser.parseExpressionAt(source, offset, options);
  } catch (error) {
    const before = source.slice(0, Number((error as { pos?: unknown }).pos)).trimEnd();
    // A comma at the end of a list is no operator.
    if (isCut || !before.endsWith(',') || before.length <= offset) throw syntaxError(error);
    return parseValueAt(before.slice(0, -1), offset, true);
  }
  requireDepth(value, source);
  return value.type === 'SequenceExpression' ? (value.expressions[0] as Expression) : value;
}

/**
 * Returns the syntax tree of `import` and `export` lines or of a whole `.jsx` file. Throws like
 * `parseExpression`.
 */
export function parseModule(source: string): Program {
  let program: Program;
  try {
    program = JsxParser.parse(source, options);
  } catch (error) {
    throw syntaxError(error);
  }
  requireDepth(program, source);
  return program;
}
