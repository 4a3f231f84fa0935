import type {
  AnonymousFunctionDeclaration,
  ArrowFunctionExpression,
  BlockStatement,
  CallExpression,
  ConditionalExpression,
  Expression,
  FunctionDeclaration,
  FunctionExpression,
  Literal,
  MemberExpression,
  NewExpression,
  ObjectExpression,
  SpreadElement,
  Super,
  TemplateLiteral,
  UnaryExpression,
} from 'acorn';
import type { JSXElement, JSXFragment } from 'estree-jsx';
import type { Budget } from './budget.ts';
import { memberOf } from './members.ts';
import { applyBinary, applyUnary, typeOf } from './operators.ts';
import { code, codeOfList, forNobody, personal } from './personal.ts';
import { bindList, runBlock, unavailable } from './statements.ts';
import {
  boundedText,
  type Caller,
  Closure,
  checkArrayLength,
  ExpressionError,
  isCallable,
  Native,
  ObjectValue,
  Personal,
  RegexValue,
  Scope,
  toText,
  Unusable,
  type Value,
} from './value.ts';

type FunctionNode =
  | ArrowFunctionExpression
  | FunctionExpression
  | FunctionDeclaration
  | AnonymousFunctionDeclaration;

/** What is called, and the object that it is a member of. */
interface Callee {
  value: Value;
  holder?: Value;
}

/** The page context of the interpreter. */
export interface JsxRenderer {
  renderJsx(node: JSXElement | JSXFragment, scope: Scope): Value;
  /** Reports that something which depends on the reader is used where it cannot. */
  reportFixed(): void;
}

/**
 * Evaluates the author's expressions by walking their syntax tree. Nothing here reaches the host:
 * values are custom classes, members are looked up in maps, and everything costs steps of a budget.
 */
export class Interpreter implements Caller {
  readonly #budget: Budget;
  readonly #jsx: JsxRenderer;
  readonly #hasBrowser: boolean;

  /** @param hasBrowser whether code that fails with `needs-browser` runs in the browser instead */
  constructor(budget: Budget, jsx: JsxRenderer, hasBrowser: boolean) {
    this.#budget = budget;
    this.#jsx = jsx;
    this.#hasBrowser = hasBrowser;
  }

  spend(steps: number): void {
    this.#budget.spend(steps);
  }

  /** Returns the value of an expression. Throws an `ExpressionError`. */
  evaluate(node: Expression, scope: Scope): Value {
    // Constants are free: `cols={2}` works also after another expression has used up the budget of
    // the page.
    if (node.type === 'Literal') return constant(node);
    this.#budget.spend(1);
    this.#budget.enter();
    try {
      return this.#dispatch(node, scope);
    } finally {
      this.#budget.leave();
    }
  }

  fixed(value: Value): Value {
    if (value instanceof Personal) this.#jsx.reportFixed();
    return forNobody(value);
  }

  /** Makes an operation on something that depends on the reader depend on the reader. */
  #personal(value: Value, write: () => Personal['code']): Value {
    return personal(value, write, () => this.#jsx.reportFixed());
  }

  /** Calls a function of the author or a built-in one. */
  call(callee: Value, args: readonly Value[]): Value {
    if (callee instanceof Native)
      return callee.run(
        args.map((arg) => this.fixed(arg)),
        this,
      );
    if (callee instanceof Unusable) throw unusable(callee);
    if (!(callee instanceof Closure))
      throw new ExpressionError('failed', 'A called value is not a function');
    this.#budget.spend(1);
    this.#budget.enter();
    try {
      const scope = new Scope(callee.scope);
      bindList(callee.params, [...args], scope, this);
      if (callee.body.type === 'BlockStatement')
        return runBlock(callee.body as BlockStatement, scope, this);
      return this.evaluate(callee.body as Expression, scope);
    } finally {
      this.#budget.leave();
    }
  }

  closure(node: FunctionNode, scope: Scope): Closure {
    if (node.async || node.generator)
      throw new ExpressionError('needs-browser', 'Asynchronous functions run only in browsers');
    return new Closure(node.params, node.body, scope);
  }

  /** Returns the name of a property in an object, a pattern or a member. */
  propertyKey(key: Expression, computed: boolean, scope: Scope): string {
    if (!computed && key.type === 'Identifier') return key.name;
    return toText(this.evaluate(key, scope), this);
  }

  #dispatch(node: Expression, scope: Scope): Value {
    switch (node.type) {
      case 'Identifier':
        return lookup(node.name, scope);
      case 'TemplateLiteral':
        return this.#template(node, scope);
      case 'MemberExpression':
        return this.#member(node, scope)?.value;
      case 'ChainExpression':
        return this.evaluate(node.expression, scope);
      case 'CallExpression':
        return this.#callExpression(node, scope);
      case 'NewExpression':
        return this.#new(node, scope);
      case 'ArrayExpression':
        return this.spreadInto(node.elements, scope);
      case 'ObjectExpression':
        return this.#object(node, scope);
      case 'UnaryExpression':
        return this.#unary(node, scope);
      case 'BinaryExpression':
        return this.#binary(
          node.operator,
          this.evaluate(node.left as Expression, scope),
          this.evaluate(node.right, scope),
        );
      case 'LogicalExpression': {
        const left = this.evaluate(node.left, scope);
        const value = forNobody(left);
        const { operator } = node;
        const takesRight =
          operator === '??'
            ? value === null || value === undefined
            : operator === '&&'
              ? value
              : !value;
        if (!(left instanceof Personal))
          return takesRight ? this.evaluate(node.right, scope) : left;
        const right = this.evaluate(node.right, scope);
        return this.#personal(takesRight ? forNobody(right) : value, () => [
          ...code`${left}`,
          operator,
          ...code`${right}`,
        ]);
      }
      case 'ConditionalExpression':
        return this.#conditional(node, scope);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.closure(node, scope);
      case 'ParenthesizedExpression':
        return this.evaluate(node.expression, scope);
      case 'AssignmentExpression':
        return this.#assign(
          node.left.type === 'Identifier' ? node.left.name : '',
          node.operator,
          node.right,
          scope,
        );
      case 'UpdateExpression':
        return this.#update(
          node.argument.type === 'Identifier' ? node.argument.name : '',
          node.operator,
          node.prefix,
          scope,
        );
      default:
        if (!isJsx(node)) throw unavailable(node.type);
        return this.#jsx.renderJsx(node, scope);
    }
  }

  #conditional(node: ConditionalExpression, scope: Scope): Value {
    const test = this.evaluate(node.test, scope);
    if (!(test instanceof Personal))
      return this.evaluate(test ? node.consequent : node.alternate, scope);
    const consequent = this.evaluate(node.consequent, scope);
    const alternate = this.evaluate(node.alternate, scope);
    const value = forNobody(test.value ? consequent : alternate);
    return this.#personal(value, () => code`${test}?${consequent}:${alternate}`);
  }

  /** What a reader does not have is nothing in a text, rather than the word `undefined`. */
  #template(node: TemplateLiteral, scope: Scope): Value {
    let text = '';
    let isPersonal = false;
    const parts: Value[] = [];
    node.quasis.forEach((quasi, index) => {
      const quote = quasi.value.cooked ?? quasi.value.raw;
      text += quote;
      parts.push(quote);
      const expression = node.expressions[index];
      if (!expression) return;
      const value = this.evaluate(expression, scope);
      isPersonal ||= value instanceof Personal;
      parts.push(value);
      const plain = value instanceof Personal ? (value.value ?? '') : value;
      text = boundedText(text + toText(plain, this), this);
    });
    if (!isPersonal) return text;
    return this.#personal(text, () => ['""', ...parts.flatMap((part) => code`+(${part}??"")`)]);
  }

  #binary(operator: string, left: Value, right: Value): Value {
    const value = applyBinary(operator, forNobody(left), forNobody(right), this);
    if (!(left instanceof Personal) && !(right instanceof Personal)) return value;
    return this.#personal(value, () => [...code`${left}`, ` ${operator} `, ...code`${right}`]);
  }

  /** Returns the member and its object; undefined if optional chaining stops. */
  #member(node: MemberExpression, scope: Scope): { holder: Value; value: Value } | undefined {
    if (node.object.type === 'Super')
      throw new ExpressionError('needs-browser', 'Classes run only in browsers');
    const holder = this.#chain(node.object, scope);
    if (
      holder === STOPPED ||
      (node.optional && (holder.value === null || holder.value === undefined))
    )
      return undefined;
    const key = this.propertyKey(node.property as Expression, node.computed, scope);
    return { holder: holder.value, value: memberOf(holder.value, key) };
  }

  /**
   * Evaluates the left part of a member or call; `STOPPED` if an optional link before it was empty.
   */
  #chain(node: Expression | Super, scope: Scope): Callee | typeof STOPPED {
    if (node.type === 'MemberExpression') return this.#member(node, scope) ?? STOPPED;
    return { value: this.evaluate(node as Expression, scope) };
  }

  #callExpression(node: CallExpression, scope: Scope): Value {
    const callee = this.#chain(node.callee, scope);
    if (callee === STOPPED) return undefined;
    if (node.optional && (callee.value === null || callee.value === undefined)) return undefined;
    if (callee.value === undefined && node.callee.type === 'MemberExpression') {
      throw new ExpressionError('needs-browser', 'A method is not available on the server');
    }
    const args = this.spreadInto(node.arguments, scope);
    const isPersonal =
      callee.value instanceof Personal || args.some((arg) => arg instanceof Personal);
    if (!isPersonal || callee.value instanceof Closure) return this.call(callee.value, args);
    const method = forNobody(callee.value);
    const value = isCallable(method) ? this.call(method, args.map(forNobody)) : undefined;
    return this.#personal(value, () => [
      ...this.#calleeCode(node, callee),
      '?.(',
      ...codeOfList(args),
      ')',
    ]);
  }

  /** Writes what is called: a field of the reader, a method of a value, or a function with a name. */
  #calleeCode({ callee }: CallExpression, { value, holder }: Callee): Personal['code'] {
    if (value instanceof Personal) return code`${value}`;
    if (!(value instanceof Native)) return code`${value}`;
    if (callee.type === 'Identifier') return [callee.name];
    const isGlobal = holder instanceof Native || (holder instanceof ObjectValue && holder.frozen);
    const object = callee.type === 'MemberExpression' ? callee.object : undefined;
    if (isGlobal && object?.type === 'Identifier') return [`${object.name}.${value.name}`];
    return code`${holder}[${value.name}]`;
  }

  /** Returns the values of list items or arguments, with spreads expanded. */
  spreadInto(nodes: readonly (Expression | SpreadElement | null)[], scope: Scope): Value[] {
    const items: Value[] = [];
    for (const node of nodes) {
      if (node?.type !== 'SpreadElement') {
        items.push(node ? this.evaluate(node, scope) : undefined);
        continue;
      }
      const spread = this.evaluate(node.argument, scope);
      const more = typeof spread === 'string' ? [...spread] : spread;
      if (!Array.isArray(more))
        throw new ExpressionError('failed', 'A spread value is not iterable');
      checkArrayLength(items.length + more.length);
      this.spend(more.length);
      for (const item of more) items.push(item);
    }
    return items;
  }

  #object(node: ObjectExpression, scope: Scope): ObjectValue {
    const fields: [string, Value][] = [];
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.evaluate(property.argument, scope);
        if (!(spread instanceof ObjectValue)) continue;
        this.spend(spread.fields.size);
        fields.push(...spread.fields);
      } else {
        if (property.kind !== 'init')
          throw new ExpressionError('needs-browser', 'Getters run only in browsers');
        fields.push([
          this.propertyKey(property.key, property.computed, scope),
          this.evaluate(property.value, scope),
        ]);
      }
    }
    return new ObjectValue(fields);
  }

  #unary(node: UnaryExpression, scope: Scope): Value {
    if (node.operator !== 'typeof') {
      const operand = this.evaluate(node.argument, scope);
      const value = applyUnary(node.operator, forNobody(operand));
      if (!(operand instanceof Personal)) return value;
      return this.#personal(value, () => [node.operator, ' ', ...code`${operand}`]);
    }
    if (node.argument.type === 'Identifier' && !scope.find(node.argument.name)) {
      // Code that asks whether there is a browser does something else in one.
      if (this.#hasBrowser && BROWSER_NAMES.has(node.argument.name))
        throw unknownName(node.argument.name);
      return 'undefined';
    }
    return typeOf(this.fixed(this.evaluate(node.argument, scope)));
  }

  /** `new Array(3)`; other constructors exist only in browsers. */
  #new(node: NewExpression, scope: Scope): Value {
    const callee = this.evaluate(node.callee as Expression, scope);
    if (callee instanceof Native && callee.name === 'Array')
      return this.call(callee, this.spreadInto(node.arguments, scope));
    throw new ExpressionError('needs-browser', 'Class instances exist only in browsers');
  }

  #assign(name: string, operator: string, right: Expression, scope: Scope): Value {
    const holder = this.#variable(name, scope);
    if (/^(?:\?\?|\|\||&&)=$/.test(operator)) {
      const before = holder.own(name);
      const isKept =
        operator === '??='
          ? before !== null && before !== undefined
          : operator === '||='
            ? before
            : !before;
      if (isKept) return before;
    }
    const value = this.evaluate(right, scope);
    const result = /^(?:|\?\?|\|\||&&)=$/.test(operator)
      ? value
      : this.#binary(operator.slice(0, -1), holder.own(name), value);
    holder.bindings.set(name, result);
    return result;
  }

  #update(name: string, operator: string, isPrefix: boolean, scope: Scope): Value {
    const holder = this.#variable(name, scope);
    const before = holder.own(name);
    const after = this.#binary(operator === '++' ? '+' : '-', before, 1);
    holder.bindings.set(name, after);
    return isPrefix ? after : before;
  }

  /**
   * The scope of an assignable variable: only scopes of running functions, so that page variables
   * stay constant.
   */
  #variable(name: string, scope: Scope): Scope {
    const holder = name === '' ? undefined : scope.find(name);
    if (!holder?.isLocal)
      throw new ExpressionError(
        'needs-browser',
        'Only local variables can be assigned on the server',
      );
    return holder;
  }
}

function constant({ regex, value }: Literal): Value {
  if (regex) return new RegexValue(regex.pattern, regex.flags);
  return typeof value === 'bigint' ? Number(value) : (value as Value);
}

function lookup(name: string, scope: Scope): Value {
  const holder = scope.find(name);
  if (!holder) throw unknownName(name);
  const value = holder.own(name);
  if (value instanceof Unusable) throw unusable(value);
  return value;
}

function isJsx(node: { type: string }): node is JSXElement | JSXFragment {
  return node.type === 'JSXElement' || node.type === 'JSXFragment';
}

const STOPPED = Symbol('optional chain stopped');

/** Names of browsers and of React: code that uses them is valid, it just cannot run here. */
const BROWSER_NAMES = new Set(
  'window document navigator location history localStorage sessionStorage fetch console React globalThis self Date Intl URL URLSearchParams Map Set Promise RegExp Symbol setTimeout setInterval clearTimeout requestAnimationFrame matchMedia crypto performance structuredClone btoa atob arguments'.split(
    ' ',
  ),
);

/**
 * Returns whether the whole expression is a name that browsers know: no text in itself, so rather a
 * placeholder of the author.
 */
export function isBrowserName(source: string): boolean {
  return BROWSER_NAMES.has(source.trim());
}

function unknownName(name: string): ExpressionError {
  if (BROWSER_NAMES.has(name) || /^use[A-Z]/.test(name)) {
    return new ExpressionError('needs-browser', `"${name}" exists only in browsers`);
  }
  return new ExpressionError('unknown-name', `"${name}" is not defined here`);
}

function unusable(value: Unusable): ExpressionError {
  return new ExpressionError(value.kind, `"${value.name}" cannot be used here`);
}
