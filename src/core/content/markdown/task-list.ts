import type { ContentNode } from '../expand/content-node.ts';
import { nodeText } from './node-text.ts';

const MAX_NAME_LENGTH = 120;

/** Returns the children of a list item; the checkbox of a task, unlabeled in Markdown, is labeled with the item's text. */
export function withNamedCheckbox(children: readonly ContentNode[]): readonly ContentNode[] {
  const [first, ...rest] = children;
  if (first?.type === 'text' && first.value.trim() === '' && rest.length > 0) {
    const named = withNamedCheckbox(rest);
    return named === rest ? children : [first, ...named];
  }
  if (first?.type !== 'element') return children;
  // In a loose list, the checkbox is in the first paragraph.
  if (first.tag === 'p') {
    const named = withNamedCheckbox(first.children);
    return named === first.children ? children : [{ ...first, children: [...named] }, ...rest];
  }
  const { attributes } = first;
  if (first.tag !== 'input' || attributes.type !== 'checkbox' || attributes['aria-label'] !== undefined) return children;
  const name = nodeText(rest).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH);
  return [{ ...first, attributes: { ...attributes, 'aria-label': name === '' ? 'Task' : name } }, ...rest];
}
