import { ExpressionError } from '../expressions/error.ts';
import type { Interpreter } from '../expressions/interpreter.ts';
import { Closure, HostComponent, ObjectValue, type Scope } from '../expressions/value.ts';
import { canBeIsland, isHandler, islandNode, typeOf } from '../islands/island-call.ts';
import { type ContentNode, NodesValue } from './content-node.ts';
import { componentNode, faultNode, findComponent, htmlElement, placeholder, plainProps } from './expand-element.ts';
import { asExpressionError, type ExpandState, type TagCall } from './expand-state.ts';
import { unknownNodes } from './expand-unknown.ts';

/** Snippet calls without an import. */
export interface SnippetCalls {
  /** Expands `<Snippet file="…" />`. */
  legacy(call: TagCall): ContentNode[];
  /** Expands a snippet whose import was forgotten; undefined if no snippet has that name. */
  forgotten(call: TagCall): ContentNode[] | undefined;
}

/** Converts tags to nodes: HTML elements, calls of built-in components, or the output of the page's own components. */
export class TagExpander {
  readonly #state: ExpandState;
  readonly #snippets: SnippetCalls;
  constructor(state: ExpandState, snippets: SnippetCalls) {
    this.#state = state;
    this.#snippets = snippets;
  }

  expand(call: TagCall, interpreter: Interpreter): ContentNode[] {
    const { name, children } = call;
    if (/^[a-z]/.test(name) && !name.includes('.')) return [this.#html(call)];
    const giveUp = this.#state.attempt();
    try {
      const own = findComponent(name, call.scope);
      const unknown = [...(call.live?.values() ?? [])].find(({ failure }) => failure)?.failure;
      if (own && unknown) throw unknown;
      this.#reportLive(call);
      if (own) return this.#noted(call, this.#callOwn(own, call, interpreter), own instanceof Closure);
      if (name === 'Snippet') return this.#snippets.legacy(call);
      if (this.#state.isComponent(name)) {
        return [componentNode(name, call.props, children, call.place, (steps) => this.#state.budget.spend(steps))];
      }
      const meant = tagInVariable(name, call.scope);
      if (meant !== undefined) return this.expand({ ...call, name: meant }, interpreter);
    } catch (error) {
      return this.#failed(call, error, giveUp);
    }
    if (name === 'Fragment' || name === 'React.Fragment') return children;
    const forgotten = this.#snippets.forgotten(call);
    if (forgotten) return forgotten;
    const remedy = 'Correct its name, import it, or use a built-in component.';
    this.#state.warn('unknown-component', `There is no component <${name}>.`, remedy, call.place);
    return unknownNodes(call);
  }

  #html(call: TagCall): ContentNode {
    const { name, props, children, place } = call;
    const isLive = [...(call.live ?? [])].some(([key, { failure }]) => failure !== undefined || isHandler(key));
    if (isLive && this.#state.islands) return islandNode(call, this.#state);
    return htmlElement(name, props, name === 'details' ? withSummaryFirst(children) : children, place.line, (attribute) => {
      const message = `${attribute} of <${name}> has no effect: pages contain no scripts`;
      // The component that contains this element must run as a whole.
      if (this.#state.islands && this.#state.budget.isRunning && isHandler(attribute))
        throw new ExpressionError('needs-browser', message, name);
      this.#state.warn('needs-browser', `${message}.`, 'Use a link or a built-in component.', place);
    });
  }

  /** Attributes that are dropped for built-in components, which do not run in the browser. */
  #reportLive({ live }: TagCall): void {
    for (const [name, { failure }] of live ?? []) {
      if (failure) this.#state.reportFailure(failure, `The attribute ${name} is removed`);
    }
  }

  #callOwn(own: NonNullable<ReturnType<typeof findComponent>>, call: TagCall, interpreter: Interpreter): ContentNode[] {
    const { name, children, place } = call;
    const props = new ObjectValue(call.props);
    if (own instanceof HostComponent) return own.render(props, children, place);
    if ('kind' in own) {
      if (own.kind === 'needs-browser') throw new ExpressionError('needs-browser', 'Its code runs only in browsers', name);
      return unknownNodes(call);
    }
    if (children.length > 0) props.fields.set('children', new NodesValue(children));
    this.#state.ownDepth++;
    try {
      const nodes = this.#state.toNodes(interpreter.call(own, [props]));
      this.#state.budget.emit(nodes);
      return nodes;
    } finally {
      this.#state.ownDepth--;
    }
  }

  /** A call that shows nothing leaves an empty text, because code around it may look at its props. */
  #noted(call: TagCall, made: ContentNode[], isCode: boolean): ContentNode[] {
    const { props, children } = call;
    const { islands, ownDepth, budget } = this.#state;
    if (!islands || ownDepth > 0) return made;
    const nodes: ContentNode[] = made.length > 0 ? made : [{ type: 'text', value: '' }];
    const type = isCode ? typeOf(call, this.#state) : undefined;
    islands.noteCall({ props: plainProps(props, (steps) => budget.spend(steps)), children, type }, nodes);
    return nodes;
  }

  /** A component that returned no nodes. An exceeded limit fails the whole expression, so it is rethrown. */
  #failed(call: TagCall, error: unknown, giveUp: () => void): ContentNode[] {
    const { name, children, inline } = call;
    const failure = asExpressionError(error);
    if (failure.kind === 'limit' && this.#state.budget.isRunning) throw failure;
    if (failure.kind === 'needs-browser' || failure.kind === 'unknown-name') {
      if (this.#state.islands) {
        // A tag inside another component, or with a name that only the expression knows, runs with it.
        if (this.#state.ownDepth > 0 || !canBeIsland(call, this.#state))
          throw new ExpressionError('needs-browser', failure.message, name);
        giveUp();
        return this.#noted(call, [islandNode(call, this.#state)], true);
      }
      const message = `<${name}> is shown as a placeholder: ${failure.message}.`;
      this.#state.warn('needs-browser', message, 'Use static content or a built-in component.');
      return [placeholder(name, inline), ...children];
    }
    this.#state.reportFailure(failure, `<${name}> is not shown`);
    return failure.kind === 'limit' ? [faultNode(`<${name}> could not be shown`, inline), ...children] : unknownNodes(call);
  }
}

/** Moves a summary out of the paragraph that it shares with the text after it, otherwise browsers ignore it. */
function withSummaryFirst(children: ContentNode[]): ContentNode[] {
  const [first, ...rest] = children;
  const [summary, ...text] = first?.type === 'element' && first.tag === 'p' ? first.children : [];
  if (first?.type !== 'element' || summary?.type !== 'element' || summary.tag !== 'summary') return children;
  const hasText = text.some((node) => node.type !== 'text' || node.value.trim() !== '');
  return [summary, ...(hasText ? [{ ...first, children: text }] : []), ...rest];
}

/** The tag in a variable: `({ as: Tag = 'b' }) => <Tag>…</Tag>`. */
function tagInVariable(name: string, scope: Scope): string | undefined {
  const value = scope.find(name)?.own(name);
  return typeof value === 'string' && /^[a-z][a-z\d]*$/.test(value) ? value : undefined;
}
