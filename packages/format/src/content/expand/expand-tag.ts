import type { Expression } from 'acorn';
import type { JSXAttribute, JSXElement, JSXFragment, JSXSpreadAttribute } from 'estree-jsx';
import { readGroups } from '../../access/audience.ts';
import { didYouMean, nearestName } from '../../nearest-name.ts';
import { Interpreter, type JsxRenderer } from '../expressions/interpreter.ts';
import {
  Closure,
  ExpressionError,
  HostComponent,
  holdsCode,
  ObjectValue,
  type Scope,
  type Spender,
  type Value,
} from '../expressions/value.ts';
import {
  type ContentNode,
  type ElementNode,
  NodesValue,
  personalNode,
} from '../nodes/content-node.ts';
import { isBlank } from '../nodes/plain-nodes.ts';
import {
  componentNode,
  faultNode,
  findComponent,
  htmlElement,
  placeholder,
  plainProps,
  unknownNodes,
} from './expand-element.ts';
import { asExpressionError, type ExpandState, type TagCall } from './expand-state.ts';
import type { IslandList } from './island-list.ts';

/** Expands the call of a snippet without an import; undefined if it is none. */
type ExpandSnippet = (call: TagCall) => ContentNode[] | undefined;

/**
 * Converts tags to nodes: HTML elements, calls of built-in components, or the output of the page's
 * own components.
 */
export class TagExpander implements JsxRenderer {
  readonly interpreter: Interpreter;
  readonly #state: ExpandState;
  readonly #snippet: ExpandSnippet;
  constructor(state: ExpandState, snippet: ExpandSnippet) {
    this.#state = state;
    this.#snippet = snippet;
    this.interpreter = new Interpreter(state.budget, this, state.islands !== undefined);
  }

  expand(call: TagCall): ContentNode[] {
    const { name, children } = call;
    if (/^[a-z]/.test(name) && !name.includes('.')) return [this.#html(call)];
    const giveUp = this.#state.attempt();
    try {
      const component = findComponent(name, call.scope);
      const unknown = [...(call.live?.values() ?? [])].find(({ failure }) => failure)?.failure;
      if (component && unknown) throw unknown;
      this.#reportLive(call);
      if (component)
        return this.#noted(call, this.#callOwn(component, call), component instanceof Closure);
      if (name === 'Visibility' && call.props.has('groups')) return [forGroups(call, this.#state)];
      if (name !== 'Snippet' && this.#state.isComponent(name))
        return [componentNode(call, this.#state.budget)];
      const meant = tagInVariable(name, call.scope);
      if (meant !== undefined) return this.expand({ ...call, name: meant });
      if (name === 'Fragment' || name === 'React.Fragment') return children;
      const snippet = this.#snippet(call);
      if (snippet) return snippet;
    } catch (error) {
      return this.#failed(call, error, giveUp);
    }
    const meant = nearestName(name, this.#state.componentNames.keys());
    const remedy = didYouMean(
      meant,
      'Correct its name, import it, or use a built-in component.',
      (suggestion) => `<${suggestion}>`,
    );
    this.#state.warn('unknown-component', `There is no component <${name}>.`, remedy, call.place);
    return unknownNodes(call);
  }

  #html(call: TagCall): ContentNode {
    const { name, props, children, place } = call;
    const isLive = [...(call.live ?? [])].some(
      ([key, { failure }]) => failure !== undefined || isHandler(key),
    );
    const { islands, budget } = this.#state;
    if (isLive && islands) return islandNode(call, islands, budget);
    return htmlElement(
      name,
      props,
      name === 'details' ? withSummaryFirst(children) : children,
      place.line,
      (attribute) => {
        const message = `${attribute} of <${name}> has no effect: pages contain no scripts`;
        // The component that contains this element must run as a whole.
        if (islands && budget.isRunning && isHandler(attribute))
          throw new ExpressionError('needs-browser', message);
        this.#state.warn(
          'needs-browser',
          `${message}.`,
          'Use a link or a built-in component.',
          place,
        );
      },
    );
  }

  /** Attributes that are dropped for built-in components, which do not run in the browser. */
  #reportLive({ live }: TagCall): void {
    for (const [name, { failure }] of live ?? []) {
      if (failure) this.#state.reportFailure(failure, `The attribute ${name} is removed`);
    }
  }

  #callOwn(component: NonNullable<ReturnType<typeof findComponent>>, call: TagCall): ContentNode[] {
    const { children, place } = call;
    const props = new ObjectValue(call.props);
    if (component instanceof HostComponent) return component.render(props, children, place);
    if ('kind' in component) {
      if (component.kind === 'needs-browser')
        throw new ExpressionError('needs-browser', 'Its code runs only in browsers');
      return unknownNodes(call);
    }
    if (children.length > 0) props.fields.set('children', new NodesValue(children));
    this.#state.ownDepth++;
    try {
      const nodes = this.#state.toNodes(this.interpreter.call(component, [props]));
      this.#state.budget.emit(nodes);
      return nodes;
    } finally {
      this.#state.ownDepth--;
    }
  }

  /**
   * A call that shows nothing leaves an empty text, because code around it may look at its props.
   */
  #noted(call: TagCall, output: ContentNode[], isCode: boolean): ContentNode[] {
    const { props, children } = call;
    const { islands, ownDepth, budget } = this.#state;
    if (!islands || ownDepth > 0) return output;
    const nodes: ContentNode[] = output.length > 0 ? output : [{ type: 'text', value: '' }];
    const type = isCode ? typeOf(call, this.#state) : undefined;
    islands.noteCall({ props: plainProps(props, budget), children, type }, nodes);
    return nodes;
  }

  /**
   * A component that returned no nodes. An exceeded limit fails the whole expression, so it is
   * rethrown.
   */
  #failed(call: TagCall, error: unknown, giveUp: () => void): ContentNode[] {
    const { name, children, inline } = call;
    const failure = asExpressionError(error);
    if (failure.kind === 'limit' && this.#state.budget.isRunning) throw failure;
    if (failure.kind === 'needs-browser' || failure.kind === 'unknown-name') {
      const { islands, budget } = this.#state;
      if (islands) {
        // A tag inside another component, or with a name that only the expression knows, runs with
        // it.
        if (this.#state.ownDepth > 0 || !canBeIsland(call, this.#state))
          throw new ExpressionError('needs-browser', failure.message);
        giveUp();
        return this.#noted(call, [islandNode(call, islands, budget)], true);
      }
      const message = `<${name}> is shown as a placeholder: ${failure.message}.`;
      this.#state.warn('needs-browser', message, 'Use static content or a built-in component.');
      return [placeholder(name, inline), ...children];
    }
    this.#state.reportFailure(failure, `<${name}> is not shown`);
    return failure.kind === 'limit'
      ? [faultNode(`<${name}> could not be shown`, inline), ...children]
      : unknownNodes(call);
  }

  reportFixed(): void {
    this.#state.warn(
      'personal-expression',
      'What depends on `user` is the same for every reader here.',
      'Use `user` in text, in conditions (`&&`, `? :`), and in calls without functions of your own.',
    );
  }

  renderJsx(node: JSXElement | JSXFragment, scope: Scope): Value {
    const children = node.children.flatMap((child) => this.#jsxChild(child, scope));
    const nodes = node.type === 'JSXFragment' ? children : this.#jsxCall(node, children, scope);
    this.#state.budget.emit(nodes);
    return new NodesValue(nodes);
  }

  #jsxChild(child: JSXElement['children'][number], scope: Scope): ContentNode[] {
    if (child.type === 'JSXText') {
      const value = jsxText(child.value);
      return value === '' ? [] : [{ type: 'text', value }];
    }
    if (child.type === 'JSXElement' || child.type === 'JSXFragment')
      return this.#state.toNodes(this.renderJsx(child, scope));
    return child.expression.type === 'JSXEmptyExpression'
      ? []
      : this.#state.toNodes(this.#evaluate(child.expression, scope));
  }

  /** The types of JSX are for the trees of every parser; ours is acorn's. */
  #evaluate(expression: JSXSpreadAttribute['argument'], scope: Scope): Value {
    return this.interpreter.evaluate(expression as Expression, scope);
  }

  #jsxCall(node: JSXElement, children: ContentNode[], scope: Scope): ContentNode[] {
    const props = new Map<string, Value>();
    for (const attribute of node.openingElement.attributes)
      this.#jsxAttribute(attribute, props, scope);
    const childrenProp = props.get('children');
    props.delete('children');
    const content =
      children.length === 0 && childrenProp !== undefined
        ? this.#state.toNodes(childrenProp)
        : children;
    const name = jsxName(node.openingElement.name);
    return this.expand({
      name,
      props,
      children: content,
      scope,
      place: this.#state.place,
      inline: false,
    });
  }

  #jsxAttribute(
    attribute: JSXAttribute | JSXSpreadAttribute,
    props: Map<string, Value>,
    scope: Scope,
  ): void {
    if (attribute.type === 'JSXSpreadAttribute') {
      const spread = this.#evaluate(attribute.argument, scope);
      if (spread instanceof ObjectValue)
        for (const [key, value] of spread.fields) props.set(key, value);
      return;
    }
    const name = jsxName(attribute.name);
    const { value } = attribute;
    if (value === null) props.set(name, true);
    else if (value.type === 'Literal') props.set(name, value.value as string);
    else if (value.type !== 'JSXExpressionContainer') props.set(name, this.renderJsx(value, scope));
    else if (value.expression.type !== 'JSXEmptyExpression')
      props.set(name, this.#evaluate(value.expression, scope));
  }
}

/**
 * Moves a summary out of the paragraph that it shares with the text after it, otherwise browsers
 * ignore it.
 */
function withSummaryFirst(children: ContentNode[]): ContentNode[] {
  const [first, ...rest] = children;
  const [summary, ...text] = first?.type === 'element' && first.tag === 'p' ? first.children : [];
  if (first?.type !== 'element' || summary?.type !== 'element' || summary.tag !== 'summary')
    return children;
  return [summary, ...(isBlank(text) ? [] : [{ ...first, children: text }]), ...rest];
}

/** The tag in a variable: `({ as: Tag = 'b' }) => <Tag>…</Tag>`. */
function tagInVariable(name: string, scope: Scope): string | undefined {
  const value = scope.find(name)?.own(name);
  return typeof value === 'string' && /^[a-z][a-z\d]*$/.test(value) ? value : undefined;
}

/** Content for readers with any of some groups: nothing of it is in what others get. */
function forGroups(
  { name, props, children, place }: TagCall,
  { budget }: ExpandState,
): ContentNode {
  const { groups, ...others } = plainProps(props, budget);
  const names = JSON.stringify(readGroups(groups ?? '') ?? []);
  const inside = new NodesValue([{ type: 'component', name, props: others, children, ...place }]);
  const test = `user.groups?.some((group)=>${names}.includes(group))`;
  return { ...personalNode([test, '&&', inside], []), ...place };
}

function jsxName(name: JSXElement['openingElement']['name']): string {
  if (name.type === 'JSXIdentifier') return name.name;
  if (name.type === 'JSXMemberExpression') return `${jsxName(name.object)}.${name.property.name}`;
  return `${name.namespace.name}:${name.name.name}`;
}

/**
 * The text that JSX makes of the characters between tags: lines are trimmed and joined by one
 * space, blank lines are dropped.
 */
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

function isHandler(attribute: string): boolean {
  return /^on[A-Z]/.test(attribute);
}

/** Returns whether the call means the same outside its expression. */
function canBeIsland({ name, props, scope, live }: TagCall, { budget }: ExpandState): boolean {
  const holder = scope.find(name.split('.', 1)[0] as string);
  if (holder?.isLocal) return false;
  for (const [key, value] of props) {
    if (!live?.has(key) && holdsCode(value, budget)) return false;
  }
  return true;
}

/** The placeholder of a call that the sandbox and the browser make. */
function islandNode(
  { name, props, children, place, live }: TagCall,
  islands: IslandList,
  budget: Spender,
): ElementNode {
  const plain = plainProps(new Map([...props].filter(([key]) => !live?.has(key))), budget);
  let attributes = '{...props}';
  for (const [key, { source }] of live ?? []) attributes += ` ${key}={${source}\n}`;
  return islands.add(name, `(props) => <${name} ${attributes}/>`, plain, children, place);
}

/**
 * The component of a call and its props that are code, for code of the same file; undefined if they
 * mean something else there.
 */
function typeOf(call: TagCall, state: ExpandState): { code: string; file: string } | undefined {
  if (!canBeIsland(call, state)) return undefined;
  const live = [...(call.live ?? [])].map(
    ([key, { source }]) => `${JSON.stringify(key)}:(${source}\n)`,
  );
  return { code: `[${call.name},{${live.join()}}]`, file: call.place.file ?? '' };
}
