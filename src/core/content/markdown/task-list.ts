import type { ContentNode } from '../expand/content-node.ts';
import { nodeText } from './node-text.ts';

const MAX_NAME_LENGTH = 120;

/** The children of a list item; the box of a task, which Markdown leaves without a name, is named by what the item says. */
export function withNamedCheckbox(children: readonly ContentNode[]): readonly ContentNode[] {
  const [first, ...rest] = children;
  if (first?.type === 'text' && first.value.trim() === '' && rest.length > 0) {
    const named = withNamedCheckbox(rest);
    return named === rest ? children : [first, ...named];
  }
  if (first?.type !== 'element') return children;
  // In a list with space between its items the box stands in the first paragraph.
  if (first.tag === 'p') {
    const named = withNamedCheckbox(first.children);
    return named === first.children ? children : [{ ...first, children: [...named] }, ...rest];
  }
  const { attributes } = first;
  if (first.tag !== 'input' || attributes.type !== 'checkbox' || attributes['aria-label'] !== undefined) return children;
  const name = nodeText(rest).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH);
  return [{ ...first, attributes: { ...attributes, 'aria-label': name === '' ? 'Task' : name } }, ...rest];
}
