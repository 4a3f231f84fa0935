import { type ContentNode, NodesValue } from './content-node.ts';
import { componentNode, faultNode, findComponent, htmlElement, placeholder } from './expand-element.ts';
import { asExpressionError, type ExpandState } from './expand-state.ts';
import { ExpressionError } from './expression-error.ts';
import type { Interpreter } from './expression-interpreter.ts';
import { HostComponent, ObjectValue, type Place, type Scope, type Value } from './expression-value.ts';

/** One tag in a page or an expression, its attributes and children already computed. */
export interface TagCall {
  name: string;
  props: Map<string, Value>;
  children: ContentNode[];
  scope: Scope;
  place: Place;
  inline: boolean;
}

/** Turns tags into nodes: HTML elements, calls of our components, or what the page's own components render. */
export class TagExpander {
  readonly #state: ExpandState;
  readonly #legacySnippet: (call: TagCall) => ContentNode[];
  /** @param legacySnippet expands `<Snippet file="…" />` */
  constructor(state: ExpandState, legacySnippet: (call: TagCall) => ContentNode[]) {
    this.#state = state;
    this.#legacySnippet = legacySnippet;
  }

  expand(call: TagCall, interpreter: Interpreter): ContentNode[] {
    const { name, children, inline } = call;
    if (/^[a-z]/.test(name) && !name.includes('.')) return [this.#html(call)];
    try {
      const own = findComponent(name, call.scope);
      if (own) return this.#callOwn(own, call, interpreter);
      if (name === 'Snippet') return this.#legacySnippet(call);
      if (this.#state.isComponent(name)) {
        return [componentNode(name, call.props, children, call.place, (steps) => this.#state.budget.spend(steps))];
      }
    } catch (error) {
      return this.#failed(call, error);
    }
    if (name === 'Fragment' || name === 'React.Fragment') return children;
    const remedy = 'Correct its name, import it, or use a built-in component.';
    this.#state.warn('unknown-component', `Nothing defines the component <${name}>.`, remedy, call.place);
    return [faultNode(`Unknown component <${name}>`, inline), ...children];
  }

  #html({ name, props, children, place }: TagCall): ContentNode {
    return htmlElement(name, props, children, place.line, (attribute) => {
      const message = `${attribute} of <${name}> does nothing: pages carry no scripts.`;
      this.#state.warn('needs-browser', message, 'Use a link or a built-in component.', place);
    });
  }

  #callOwn(own: NonNullable<ReturnType<typeof findComponent>>, call: TagCall, interpreter: Interpreter): ContentNode[] {
    const { name, children, place, inline } = call;
    const props = new ObjectValue(call.props);
    if (own instanceof HostComponent) return own.render(props, children, place);
    if ('kind' in own) {
      if (own.kind === 'needs-browser') throw new ExpressionError('needs-browser', 'Its code runs in browsers only', name);
      return [faultNode(`<${name}> could not be loaded`, inline), ...children];
    }
    if (children.length > 0) props.fields.set('children', new NodesValue(children));
    const nodes = this.#state.toNodes(interpreter.call(own, [props]));
    this.#state.budget.emit(nodes);
    return nodes;
  }

  /** A component that gave no nodes. Running out of work is the fault of the whole expression, so it goes on up. */
  #failed({ name, children, inline }: TagCall, error: unknown): ContentNode[] {
    const failure = asExpressionError(error);
    if (failure.kind === 'limit' && this.#state.budget.isRunning) throw failure;
    if (failure.kind === 'needs-browser' || failure.kind === 'unknown-name') {
      const message = `<${name}> is shown as a placeholder: ${failure.message}.`;
      this.#state.warn('needs-browser', message, 'Use static content or a built-in component.');
      return [placeholder(name, inline), ...children];
    }
    this.#state.reportFailure(failure, `<${name}> is not shown`);
    return [faultNode(`<${name}> could not be shown`, inline), ...children];
  }
}
