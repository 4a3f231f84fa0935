import { type Expression, Parser, type Program } from 'acorn';
import acornJsx from 'acorn-jsx';
import { ExpressionError } from './expression-error.ts';

export interface JsxIdentifier {
  type: 'JSXIdentifier';
  name: string;
}
export interface JsxMemberExpression {
  type: 'JSXMemberExpression';
  object: JsxName;
  property: JsxIdentifier;
}
export interface JsxNamespacedName {
  type: 'JSXNamespacedName';
  namespace: JsxIdentifier;
  name: JsxIdentifier;
}
export type JsxName = JsxIdentifier | JsxMemberExpression | JsxNamespacedName;

export interface JsxAttribute {
  type: 'JSXAttribute';
  name: JsxIdentifier | JsxNamespacedName;
  value: null | { type: 'Literal'; value: string } | JsxExpressionContainer | JsxElement | JsxFragment;
}
export interface JsxSpreadAttribute {
  type: 'JSXSpreadAttribute';
  argument: Expression;
}
export interface JsxExpressionContainer {
  type: 'JSXExpressionContainer';
  expression: Expression | { type: 'JSXEmptyExpression' };
}
export interface JsxText {
  type: 'JSXText';
  value: string;
}
export type JsxChild = JsxText | JsxExpressionContainer | JsxElement | JsxFragment;
export interface JsxElement {
  type: 'JSXElement';
  openingElement: { name: JsxName; attributes: (JsxAttribute | JsxSpreadAttribute)[] };
  children: JsxChild[];
}
export interface JsxFragment {
  type: 'JSXFragment';
  children: JsxChild[];
}

const JsxParser = Parser.extend(acornJsx());
const options = { ecmaVersion: 'latest', sourceType: 'module' } as const;

function syntaxError(error: unknown): ExpressionError {
  // acorn recurses, so source that nests without end overflows its stack with a RangeError.
  const message = error instanceof SyntaxError ? error.message.replace(/ \(\d+:\d+\)$/, '') : 'it is nested too deeply';
  return new ExpressionError('syntax', `The expression cannot be read: ${message}`);
}

/** Whether the source has no code in it. A scan, because an expression for nested comments would backtrack. */
function isOnlyComments(source: string): boolean {
  let at = 0;
  for (;;) {
    while (at < source.length && source.charCodeAt(at) <= 32) at++;
    if (at >= source.length) return true;
    let end = -1;
    if (source.startsWith('/*', at)) end = source.indexOf('*/', at + 2) + 2;
    else if (source.startsWith('//', at)) end = source.indexOf('\n', at) + 1 || source.length;
    if (end < 2) return false;
    at = end;
  }
}

/**
 * The syntax tree of one expression, JSX included; undefined where there are only comments.
 * Throws an `ExpressionError` of kind `syntax`.
 */
export function parseExpression(source: string): Expression | undefined {
  if (isOnlyComments(source)) return undefined;
  let program: Program;
  try {
    program = JsxParser.parse(`(${source}\n)`, options);
  } catch (error) {
    throw syntaxError(error);
  }
  const statement = program.body[0];
  if (program.body.length !== 1 || statement?.type !== 'ExpressionStatement') {
    throw new ExpressionError('syntax', 'The expression cannot be read: it is more than one expression');
  }
  return statement.expression as Expression;
}

/** The syntax tree of `import` and `export` lines or of a whole `.jsx` file. Throws like `parseExpression`. */
export function parseModule(source: string): Program {
  try {
    return JsxParser.parse(source, options);
  } catch (error) {
    throw syntaxError(error);
  }
}
