import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, parse } from 'acorn';

/** A regular expression of a source file. */
export interface FoundExpression {
  file: string;
  line: number;
  source: string;
  flags: string;
}

/** Placeholder for a part of an expression that is known only at run time. */
const UNKNOWN = 'x';

/**
 * Returns the regular expressions of a TypeScript file: literals, and calls of `RegExp` if their
 * arguments are constants of the file.
 */
export async function findExpressions(file: string): Promise<FoundExpression[]> {
  const text = stripTypeScriptTypes(await readFile(file, 'utf8'));
  const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  const constants = new Map<string, AnyNode>();
  const found: FoundExpression[] = [];
  const add = (node: AnyNode, source: string, flags: string) =>
    found.push({ file, line: node.loc?.start.line ?? 0, source, flags });
  for (const node of nodesOf(program)) {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      constants.set(node.id.name, node.init);
  }
  for (const node of nodesOf(program)) {
    if (node.type === 'Literal' && node.regex) add(node, node.regex.pattern, node.regex.flags);
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (!isCall || node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') continue;
    const [pattern, flags] = node.arguments;
    const source = pattern && textOf(pattern, constants);
    const flagsText = flags ? (textOf(flags, constants) ?? '') : '';
    if (source !== undefined) add(node, source, flagsText === UNKNOWN ? '' : flagsText);
  }
  return found;
}

function* nodesOf(node: unknown): Iterable<AnyNode> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && typeof node.type === 'string') yield node as AnyNode;
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) for (const one of child) yield* nodesOf(one);
    else yield* nodesOf(child);
  }
}

/** Returns the text of a constant; anything else becomes `UNKNOWN`. */
function textOf(
  node: AnyNode,
  constants: ReadonlyMap<string, AnyNode>,
  depth = 0,
): string | undefined {
  if (depth > 20) return UNKNOWN;
  const read = (inner: AnyNode) => textOf(inner, constants, depth + 1) ?? UNKNOWN;
  switch (node.type) {
    case 'Literal':
      return node.regex ? node.regex.pattern : String(node.value);
    case 'TemplateLiteral':
      return node.quasis
        .map(
          (part, index) =>
            part.value.cooked + (node.expressions[index] ? read(node.expressions[index]) : ''),
        )
        .join('');
    case 'BinaryExpression': {
      const [left, right] = [read(node.left as AnyNode), read(node.right)];
      if (node.operator !== '+') return UNKNOWN;
      return /^\d+$/.test(left) && /^\d+$/.test(right)
        ? String(Number(left) + Number(right))
        : left + right;
    }
    case 'Identifier': {
      const constant = constants.get(node.name);
      return constant ? read(constant) : UNKNOWN;
    }
    case 'MemberExpression':
      return node.property.type === 'Identifier' && node.property.name === 'source'
        ? read(node.object as AnyNode)
        : UNKNOWN;
    default:
      return UNKNOWN;
  }
}
