import { type ContentNode, NodesValue, type PropValue } from '../expand/content-node.ts';

const INLINE_TAGS = new Set(
  'a abbr b code del em font i ins kbd mark q s samp small span strike strong sub sup u var'.split(' '),
);
const SILENT_TAGS = new Set('script style svg iframe noscript template object embed'.split(' '));
/** Props that readers see as text. */
const TEXT_PROPS = [
  'title',
  'label',
  'name',
  'path',
  'query',
  'body',
  'header',
  'type',
  'description',
  'caption',
  'tip',
  'headline',
];

/** Text of a prop that holds text or JSX. */
export function propText(value: PropValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return value instanceof NodesValue ? nodeProse(value.nodes) : '';
}

/** The prose of nodes for searching: words separated by white space, titles of components included, code blocks left out. */
export function nodeProse(nodes: readonly ContentNode[]): string {
  let text = '';
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'math') text += node.value;
    else if (node.type === 'element') {
      if (SILENT_TAGS.has(node.tag)) continue;
      const content = nodeProse(node.children);
      text += INLINE_TAGS.has(node.tag) ? content : ` ${content} `;
      if (node.tag === 'img' && typeof node.attributes.alt === 'string') text += ` ${node.attributes.alt} `;
    } else if (node.type === 'component') text += ` ${componentTitles(node.props)} ${nodeProse(node.children)} `;
  }
  return text;
}

/** The texts that a component shows besides its children. */
export function componentTitles(props: Readonly<Record<string, PropValue>>): string {
  const texts: string[] = [];
  for (const name of TEXT_PROPS) if (Object.hasOwn(props, name)) texts.push(propText(props[name]));
  return texts.filter((text) => text !== '').join(' ');
}

/** The code blocks in nodes, in order. */
export function nodeCode(nodes: readonly ContentNode[]): string[] {
  const blocks: string[] = [];
  for (const node of nodes) {
    if (node.type === 'code') blocks.push(node.value);
    else if (node.type === 'element') blocks.push(...nodeCode(node.children));
    else if (node.type === 'component') {
      if (node.name === 'CodeBlock') blocks.push(nodeProse(node.children).trim());
      else blocks.push(...nodeCode(node.children));
    }
  }
  return blocks;
}

/** White space made single spaces. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
