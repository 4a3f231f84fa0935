import type { Expression, Pattern } from 'acorn';
import { ExpressionError } from './error.ts';
import { memberOf } from './members.ts';
import { ObjectValue, type Scope, type Value } from './value.ts';

/** What destructuring needs of the interpreter: default values and computed keys are expressions. */
export interface PatternReader {
  evaluate(node: Expression, scope: Scope): Value;
  propertyKey(key: Expression, computed: boolean, scope: Scope): string;
}

/** Binds the names of a parameter or declaration to the parts of a value. */
export function bindPattern(pattern: Pattern, value: Value, scope: Scope, reader: PatternReader): void {
  switch (pattern.type) {
    case 'Identifier':
      scope.bindings.set(pattern.name, value);
      return;
    case 'AssignmentPattern':
      bindPattern(pattern.left, value === undefined ? reader.evaluate(pattern.right, scope) : value, scope, reader);
      return;
    case 'ObjectPattern':
      bindObject(pattern.properties, value, scope, reader);
      return;
    case 'ArrayPattern':
      bindArray(pattern.elements, value, scope, reader);
      return;
    default:
      throw new ExpressionError('needs-browser', 'This kind of assignment is not available on the server');
  }
}

type ObjectPatternPart = Extract<Pattern, { type: 'ObjectPattern' }>['properties'][number];

function bindObject(parts: readonly ObjectPatternPart[], value: Value, scope: Scope, reader: PatternReader): void {
  if (value === null || value === undefined) throw new ExpressionError('failed', `${value} is destructured`);
  const taken = new Set<string>();
  for (const part of parts) {
    if (part.type === 'RestElement') {
      const rest = value instanceof ObjectValue ? [...value.fields].filter(([key]) => !taken.has(key)) : [];
      bindPattern(part.argument, new ObjectValue(rest), scope, reader);
      continue;
    }
    const key = reader.propertyKey(part.key, part.computed, scope);
    taken.add(key);
    bindPattern(part.value, memberOf(value, key), scope, reader);
  }
}

function bindArray(parts: readonly (Pattern | null)[], value: Value, scope: Scope, reader: PatternReader): void {
  const items = typeof value === 'string' ? [...value] : value;
  if (!Array.isArray(items)) throw new ExpressionError('failed', 'A destructured value is not iterable');
  parts.forEach((part, index) => {
    if (part?.type === 'RestElement') bindPattern(part.argument, items.slice(index), scope, reader);
    else if (part) bindPattern(part, items[index], scope, reader);
  });
}
