import type { AnyNode } from 'acorn';
import { parseValueAt } from './syntax.ts';

/** Functions and constants that refer to each other may do so this deep. */
const MAX_DEPTH = 30;
const MAX_VALUES = 20;

/**
 * Reads values that are written in a JavaScript or TypeScript file, without running it: literals,
 * lists, objects, constants and functions without conditions that return them. What is computed is
 * undefined.
 * @param text the file
 * @param before what stands before a value
 * @returns the values at the first such places
 */
export function literalsAfter(text: string, before: RegExp): unknown[] {
  const matches = [...text.matchAll(new RegExp(before, 'g'))].slice(0, MAX_VALUES);
  const values = matches.map(({ 0: { length }, index }) =>
    valueAt(text, index + length, MAX_DEPTH),
  );
  return values.filter((value) => value !== undefined);
}

function valueAt(text: string, offset: number, depth: number): unknown {
  try {
    return literalOf(parseValueAt(text, offset), text, depth);
  } catch {
    // Not the JavaScript that a value is written in.
    return undefined;
  }
}

function literalOf(node: AnyNode, text: string, depth: number): unknown {
  if (depth === 0) return undefined;
  const read = (child: AnyNode) => literalOf(child, text, depth - 1);
  switch (node.type) {
    case 'Literal':
      return node.value;
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? node.quasis[0]?.value.cooked : undefined;
    case 'ArrayExpression':
      return node.elements.flatMap((element) => {
        if (element === null) return [];
        if (element.type !== 'SpreadElement') return [read(element)];
        const spread = read(element.argument);
        return Array.isArray(spread) ? spread : [];
      });
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.flatMap((property): [string, unknown][] => {
          if (property.type === 'SpreadElement')
            return Object.entries(read(property.argument) ?? {});
          const { key, computed, value } = property;
          const name = key.type === 'Identifier' && !computed ? key.name : read(key);
          return typeof name === 'string' ? [[name, read(value)]] : [];
        }),
      );
    case 'Identifier':
      return constant(node.name, text, depth - 1);
    case 'CallExpression':
      return node.callee.type === 'Identifier'
        ? (constant(node.callee.name, text, depth - 1) ??
            (node.arguments[0] && read(node.arguments[0])))
        : undefined;
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement' ? undefined : read(node.body);
    default:
      return undefined;
  }
}

/** What a constant has, or a function returns. */
function constant(name: string, text: string, depth: number): unknown {
  const escaped = name.replaceAll('$', '\\$');
  const start = new RegExp(
    `\\b(?:const|let|var)\\s+${escaped}\\b[^=\\n]{0,200}=\\s*|\\bfunction\\s+${escaped}\\s*\\([^)]{0,500}\\)[^{]{0,200}\\{\\s*return\\s*`,
  ).exec(text);
  return start ? valueAt(text, start.index + start[0].length, depth) : undefined;
}
