import type { Interpreter, JsxRenderer } from '../expressions/interpreter.ts';
import type { JsxAttribute, JsxChild, JsxElement, JsxFragment, JsxName, JsxSpreadAttribute } from '../expressions/syntax.ts';
import { ObjectValue, type Scope, type Value } from '../expressions/value.ts';
import { type ContentNode, NodesValue } from './content-node.ts';
import type { ExpandState } from './expand-state.ts';
import type { TagExpander } from './expand-tag.ts';

/** Converts JSX inside expressions to nodes. */
export class JsxExpander implements JsxRenderer {
  readonly #state: ExpandState;
  readonly #tags: TagExpander;
  constructor(state: ExpandState, tags: TagExpander) {
    this.#state = state;
    this.#tags = tags;
  }

  renderJsx(node: JsxElement | JsxFragment, scope: Scope, interpreter: Interpreter): Value {
    const children = node.children.flatMap((child) => this.#jsxChild(child, scope, interpreter));
    const nodes = node.type === 'JSXFragment' ? children : this.#jsxCall(node, children, scope, interpreter);
    this.#state.budget.emit(nodes);
    return new NodesValue(nodes);
  }

  #jsxChild(child: JsxChild, scope: Scope, interpreter: Interpreter): ContentNode[] {
    if (child.type === 'JSXText') {
      const value = jsxText(child.value);
      return value === '' ? [] : [{ type: 'text', value }];
    }
    if (child.type !== 'JSXExpressionContainer') return this.#state.toNodes(this.renderJsx(child, scope, interpreter));
    if (child.expression.type === 'JSXEmptyExpression') return [];
    return this.#state.toNodes(interpreter.evaluate(child.expression, scope));
  }

  #jsxCall(node: JsxElement, children: ContentNode[], scope: Scope, interpreter: Interpreter): ContentNode[] {
    const props = new Map<string, Value>();
    for (const attribute of node.openingElement.attributes) this.#jsxAttribute(attribute, props, scope, interpreter);
    const given = props.get('children');
    props.delete('children');
    const content = children.length === 0 && given !== undefined ? this.#state.toNodes(given) : children;
    const name = jsxName(node.openingElement.name);
    return this.#tags.expand({ name, props, children: content, scope, place: this.#state.place, inline: false }, interpreter);
  }

  #jsxAttribute(
    attribute: JsxAttribute | JsxSpreadAttribute,
    props: Map<string, Value>,
    scope: Scope,
    interpreter: Interpreter,
  ): void {
    if (attribute.type === 'JSXSpreadAttribute') {
      const spread = interpreter.evaluate(attribute.argument, scope);
      if (spread instanceof ObjectValue) for (const [key, value] of spread.fields) props.set(key, value);
      return;
    }
    const name =
      attribute.name.type === 'JSXIdentifier'
        ? attribute.name.name
        : `${attribute.name.namespace.name}:${attribute.name.name.name}`;
    const { value } = attribute;
    if (value === null) props.set(name, true);
    else if (value.type === 'Literal') props.set(name, value.value);
    else if (value.type !== 'JSXExpressionContainer') props.set(name, this.renderJsx(value, scope, interpreter));
    else if (value.expression.type !== 'JSXEmptyExpression') props.set(name, interpreter.evaluate(value.expression, scope));
  }
}

function jsxName(name: JsxName): string {
  if (name.type === 'JSXIdentifier') return name.name;
  if (name.type === 'JSXMemberExpression') return `${jsxName(name.object)}.${name.property.name}`;
  return `${name.namespace.name}:${name.name.name}`;
}

/** The text that JSX makes of the characters between tags: lines are trimmed and joined by one space, blank lines are dropped. */
function jsxText(raw: string): string {
  if (!raw.includes('\n')) return raw;
  const lines = raw.split(/\r?\n/);
  const kept: string[] = [];
  lines.forEach((line, index) => {
    let text = line.replaceAll('\t', ' ');
    if (index > 0) text = text.trimStart();
    if (index < lines.length - 1) text = text.trimEnd();
    if (text !== '') kept.push(text);
  });
  return kept.join(' ');
}
