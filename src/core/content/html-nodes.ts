import { htmlToHast } from 'satteri';
import type { ContentNode, ElementNode } from './expand/content-node.ts';
import { madeElement } from './expand/embedded-file.ts';
import { attributeName, attributeValue } from './markdown/node-attributes.ts';
import type { SourceNode, SourceProperty } from './mdx/source-node.ts';
import { MAX_MARKUP_RISK, nestingRisk } from './mdx/source-risk.ts';

/** The attributes of an element from Markdown or HTML. */
export function propertyAttributes(properties: Record<string, SourceProperty> | undefined): ElementNode['attributes'] {
  const attributes: ElementNode['attributes'] = {};
  for (const key in properties) {
    const name = attributeName(key);
    const value = attributeValue(name, properties[key]);
    if (value !== undefined) attributes[name] = value;
  }
  return attributes;
}

const MAX_DEPTH = 100;

/** Converts HTML text to nodes. Untrusted like any other element: the renderer filters it. */
export function htmlNodes(markup: string): ContentNode[] {
  if (nestingRisk(markup) > MAX_MARKUP_RISK) return [{ type: 'text', value: markup.replace(/<[^<>]*>/g, '') }];
  return convert((htmlToHast(markup) as SourceNode).children ?? [], 0);
}

function convert(nodes: readonly SourceNode[], depth: number): ContentNode[] {
  const made: ContentNode[] = [];
  if (depth > MAX_DEPTH) return made;
  for (const node of nodes) {
    if (node.type === 'text') made.push({ type: 'text', value: node.value ?? '' });
    else if (node.type === 'element') {
      const children = convert(node.children ?? [], depth + 1);
      made.push(madeElement((node.tagName ?? 'span').toLowerCase(), propertyAttributes(node.properties), children));
    }
  }
  return made;
}
