import type { ContentNode, PropValue } from '../nodes/content-node.ts';
import { NodesValue } from '../nodes/content-node.ts';
import { ExpressionError, expressionLimits } from './value.ts';

const NODE_SIZE = 40;

/** Counts the work that one page causes and stops it at a limit. */
export class Budget {
  #steps = expressionLimits.steps;
  #output = expressionLimits.outputSize;
  #depth = 0;
  readonly #sizes = new WeakMap<ContentNode, number>();

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0)
      throw new ExpressionError('limit', 'The expressions of the page take too much work');
  }

  enter(): void {
    if (this.#depth >= expressionLimits.depth) {
      throw new ExpressionError(
        'limit',
        'The expression is nested too deeply, or recurses infinitely',
      );
    }
    this.#depth++;
  }

  leave(): void {
    this.#depth--;
  }

  /** Whether an expression is being evaluated right now. */
  get isRunning(): boolean {
    return this.#depth > 0;
  }

  /**
   * Charges for nodes that are added to the page. Repeated nodes are charged again, so doubling
   * cannot explode.
   */
  emit(nodes: readonly ContentNode[]): void {
    this.#output -= this.#sizeOf(nodes);
    if (this.#output < 0)
      throw new ExpressionError('limit', 'Expressions and snippets make the page too large');
  }

  #sizeOf(nodes: readonly ContentNode[]): number {
    let size = 0;
    for (const node of nodes) size += this.#sizeOfNode(node);
    return size;
  }

  #sizeOfNode(node: ContentNode): number {
    if (node.type === 'text') return node.value.length;
    if (node.type !== 'element' && node.type !== 'component')
      return NODE_SIZE + ('value' in node ? node.value.length : 0);
    const cachedSize = this.#sizes.get(node);
    if (cachedSize !== undefined) return cachedSize;
    const props = node.type === 'element' ? node.attributes : node.props;
    let size = NODE_SIZE + this.#sizeOf(node.children);
    for (const name in props) size += name.length + this.#sizeOfProp(props[name]);
    this.#sizes.set(node, size);
    return size;
  }

  #sizeOfProp(value: PropValue): number {
    if (typeof value === 'string') return value.length;
    if (value instanceof NodesValue) return this.#sizeOf(value.nodes);
    if (value === null || typeof value !== 'object') return 8;
    let size = 8;
    for (const item of Object.values(value)) size += this.#sizeOfProp(item);
    return size;
  }
}
