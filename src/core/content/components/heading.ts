import type { ElementNode } from '../expand/content-node.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { flagProp, numberProp, textProp } from './props.ts';

/** `Heading`: an ordinary heading with a level that can be computed; headings of Markdown and these are rendered alike. */
export const heading: ComponentRenderer = (node, page) => {
  const level = Math.min(Math.max(Math.round(numberProp(node, 'level') ?? 2), 1), 6);
  const attributes: ElementNode['attributes'] = {};
  const id = textProp(node, 'id');
  if (id !== undefined) attributes.id = id;
  if (flagProp(node, 'noAnchor')) attributes.noAnchor = true;
  return page.render([{ type: 'element', tag: `h${level}`, attributes, children: node.children, line: node.line }]);
};
