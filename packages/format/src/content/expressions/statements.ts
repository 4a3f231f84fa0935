import type {
  BlockStatement,
  Expression,
  ForOfStatement,
  ForStatement,
  Pattern,
  Statement,
  VariableDeclaration,
} from 'acorn';
import { memberOf } from './members.ts';
import {
  type Caller,
  type Closure,
  ExpressionError,
  ObjectValue,
  Scope,
  type Value,
} from './value.ts';

interface StatementRunner extends PatternReader, Caller {
  closure(node: Extract<Statement, { type: 'FunctionDeclaration' }>, scope: Scope): Closure;
}

/** How a statement completed: with a return value, by leaving a loop, or normally. */
type Completion = { value: Value } | 'break' | 'continue' | undefined;

/** Runs the body of a function and returns its result. */
export function runBlock(block: BlockStatement, scope: Scope, runner: StatementRunner): Value {
  const completion = runAll(block.body, scope, runner);
  return typeof completion === 'object' ? completion.value : undefined;
}

function runAll(
  statements: readonly Statement[],
  scope: Scope,
  runner: StatementRunner,
): Completion {
  for (const statement of statements) {
    if (statement.type === 'FunctionDeclaration')
      scope.bindings.set(statement.id.name, runner.closure(statement, scope));
  }
  for (const statement of statements) {
    const completion = run(statement, scope, runner);
    if (completion !== undefined) return completion;
  }
  return undefined;
}

function run(statement: Statement, scope: Scope, runner: StatementRunner): Completion {
  runner.spend(1);
  switch (statement.type) {
    case 'VariableDeclaration':
      declare(statement, scope, runner);
      return undefined;
    case 'ReturnStatement':
      return { value: statement.argument ? runner.evaluate(statement.argument, scope) : undefined };
    case 'IfStatement': {
      const chosen = runner.fixed(runner.evaluate(statement.test, scope))
        ? statement.consequent
        : statement.alternate;
      return chosen ? run(chosen, scope, runner) : undefined;
    }
    case 'BlockStatement':
      return runAll(statement.body, new Scope(scope), runner);
    case 'ExpressionStatement':
      runner.evaluate(statement.expression, scope);
      return undefined;
    case 'ForOfStatement':
      return runForOf(statement, scope, runner);
    case 'ForStatement':
      return runFor(statement, scope, runner);
    case 'WhileStatement':
      return loop(
        () => Boolean(runner.fixed(runner.evaluate(statement.test, scope))),
        () => run(statement.body, new Scope(scope), runner),
      );
    case 'SwitchStatement':
      return runSwitch(statement, scope, runner);
    case 'BreakStatement':
    case 'ContinueStatement':
      if (statement.label) throw unavailable('Labels');
      return statement.type === 'BreakStatement' ? 'break' : 'continue';
    case 'EmptyStatement':
    case 'FunctionDeclaration':
      return undefined;
    default:
      throw unavailable(statement.type);
  }
}

/** Why a kind of statement or expression has no result here. */
export function unavailable(what: string): ExpressionError {
  return new ExpressionError(
    'needs-browser',
    `JavaScript of this kind (${what}) runs only in browsers`,
  );
}

function declare({ declarations }: VariableDeclaration, scope: Scope, reader: PatternReader): void {
  for (const { id, init } of declarations)
    bindPattern(id, init ? reader.evaluate(init, scope) : undefined, scope, reader);
}

function loop(test: () => boolean, body: () => Completion, step?: () => void): Completion {
  while (test()) {
    const completion = body();
    if (completion === 'break') return undefined;
    if (typeof completion === 'object') return completion;
    step?.();
  }
  return undefined;
}

function runForOf(statement: ForOfStatement, scope: Scope, runner: StatementRunner): Completion {
  const items = runner.evaluate(statement.right, scope);
  const { left } = statement;
  if (!Array.isArray(items) || left.type !== 'VariableDeclaration') throw unavailable('for … of');
  const pattern = left.declarations[0]?.id;
  if (!pattern) throw unavailable('for … of');
  let index = 0;
  return loop(
    () => index < items.length,
    () => {
      const inner = new Scope(scope);
      bindPattern(pattern, items[index++], inner, runner);
      return run(statement.body, inner, runner);
    },
  );
}

function runFor(statement: ForStatement, scope: Scope, runner: StatementRunner): Completion {
  const outer = new Scope(scope);
  const { init, test, update } = statement;
  if (init?.type === 'VariableDeclaration') declare(init, outer, runner);
  else if (init) runner.evaluate(init as Expression, outer);
  return loop(
    () => {
      runner.spend(1);
      return test ? Boolean(runner.fixed(runner.evaluate(test, outer))) : true;
    },
    () => run(statement.body, new Scope(outer), runner),
    () => void (update && runner.evaluate(update, outer)),
  );
}

function runSwitch(
  statement: Extract<Statement, { type: 'SwitchStatement' }>,
  scope: Scope,
  runner: StatementRunner,
): Completion {
  const value = runner.fixed(runner.evaluate(statement.discriminant, scope));
  let from = statement.cases.findIndex(
    ({ test }) => test && runner.fixed(runner.evaluate(test, scope)) === value,
  );
  if (from < 0) from = statement.cases.findIndex(({ test }) => !test);
  if (from < 0) return undefined;
  const completion = runAll(
    statement.cases.slice(from).flatMap(({ consequent }) => consequent),
    new Scope(scope),
    runner,
  );
  return completion === 'break' ? undefined : completion;
}

/**
 * What destructuring needs of the interpreter: default values and computed keys are expressions.
 */
interface PatternReader {
  evaluate(node: Expression, scope: Scope): Value;
  propertyKey(key: Expression, computed: boolean, scope: Scope): string;
}

/** Binds the names of a parameter or declaration to the parts of a value. */
export function bindPattern(
  pattern: Pattern,
  value: Value,
  scope: Scope,
  reader: PatternReader,
): void {
  switch (pattern.type) {
    case 'Identifier':
      scope.bindings.set(pattern.name, value);
      return;
    case 'AssignmentPattern':
      bindPattern(
        pattern.left,
        value === undefined ? reader.evaluate(pattern.right, scope) : value,
        scope,
        reader,
      );
      return;
    case 'ObjectPattern':
      bindObject(pattern.properties, value, scope, reader);
      return;
    case 'ArrayPattern':
      bindList(pattern.elements, typeof value === 'string' ? [...value] : value, scope, reader);
      return;
    default:
      throw new ExpressionError(
        'needs-browser',
        'This kind of assignment is not available on the server',
      );
  }
}

type ObjectPatternPart = Extract<Pattern, { type: 'ObjectPattern' }>['properties'][number];

function bindObject(
  parts: readonly ObjectPatternPart[],
  value: Value,
  scope: Scope,
  reader: PatternReader,
): void {
  if (value === null || value === undefined)
    throw new ExpressionError('failed', `${value} is destructured`);
  const taken = new Set<string>();
  for (const part of parts) {
    if (part.type === 'RestElement') {
      const rest =
        value instanceof ObjectValue ? [...value.fields].filter(([key]) => !taken.has(key)) : [];
      bindPattern(part.argument, new ObjectValue(rest), scope, reader);
      continue;
    }
    const key = reader.propertyKey(part.key, part.computed, scope);
    taken.add(key);
    bindPattern(part.value, memberOf(value, key), scope, reader);
  }
}

/** Binds parameters, or the elements of an array pattern. */
export function bindList(
  parts: readonly (Pattern | null)[],
  items: Value,
  scope: Scope,
  reader: PatternReader,
): void {
  if (!Array.isArray(items))
    throw new ExpressionError('failed', 'A destructured value is not iterable');
  parts.forEach((part, index) => {
    if (part?.type === 'RestElement') bindPattern(part.argument, items.slice(index), scope, reader);
    else if (part) bindPattern(part, items[index], scope, reader);
  });
}
