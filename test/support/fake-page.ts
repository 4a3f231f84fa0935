import { components } from '@docent/format/content/components/registry.ts';
import type { Highlighter, PageRenderer } from '@docent/format/content/page/page-renderer.ts';
import { emptyHtml, escapeHtml, type Html, html, trustedHtml } from '@docent/format/html.ts';
import { renderCodeBlock } from '../../packages/format/src/content/code/code-block.ts';
import {
  type ComponentNode,
  type ContentNode,
  NodesValue,
  type PropValue,
} from '../../packages/format/src/content/nodes/content-node.ts';

/** A highlighter with one kind of token: words in capitals. */
export const fakeHighlighter: Highlighter = {
  load: async () => [],
  highlight: (code) =>
    code.split('\n').map((line) => {
      const pieces = line.split(/(\b[A-Z]{2,}\b)/).filter((text) => text !== '');
      return pieces.map((text) => ({ text, kind: /^[A-Z]{2,}$/.test(text) ? 2 : 0 }));
    }),
};

/** A page that records the calls of components. */
export interface FakePage extends PageRenderer {
  toc: string[];
  needed: Set<string>;
  asides: string[];
  warnings: string[];
}

/**
 * Creates a renderer for tests of components: it renders nodes with the real components and escapes
 * like the real one.
 */
export function fakePage(): FakePage {
  const ids = new Map<string, number>();
  const page: FakePage = {
    toc: [],
    needed: new Set(),
    asides: [],
    warnings: [],
    render: (nodes) => trustedHtml(nodes.map((node) => renderNode(node, page).value).join('')),
    inlineMarkdown: (text) =>
      trustedHtml(escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>')),
    markdown: (text) => html`<p>${text}</p>`,
    uniqueId(text) {
      const slug = text.toLowerCase().replace(/[\s.]+/g, '-');
      const count = (ids.get(slug) ?? 0) + 1;
      ids.set(slug, count);
      return count === 1 ? slug : `${slug}-${count}`;
    },
    addTocEntry: (depth, id, text) => void page.toc.push(`${depth} ${id} ${text}`),
    icon(icon) {
      if (icon instanceof NodesValue) return page.render(icon.nodes);
      return typeof icon === 'string'
        ? html`<svg class="d-icon" data-icon="${icon}"></svg>`
        : emptyHtml;
    },
    codeBlock: (block) => renderCodeBlock(block, page, fakeHighlighter),
    href: (target) => escapeHtml(`link:${target}`),
    src: (target) => escapeHtml(`file:${target}`),
    need: (element) => void page.needed.add(element),
    addAside: (markup) => void page.asides.push(markup.value),
    warn: (code) => void page.warnings.push(code),
  };
  return page;
}

function renderNode(node: ContentNode, page: PageRenderer): Html {
  if (node.type === 'text') return html`${node.value}`;
  if (node.type === 'code')
    return page.codeBlock({ language: node.language, meta: node.meta, code: node.value });
  if (node.type === 'component')
    return components.get(node.name)?.html(node, page) ?? html`?${node.name}`;
  if (node.type !== 'element') return html`(${node.type})`;
  const attributes = Object.entries(node.attributes).map(
    ([name, value]) => ` ${name}="${escapeHtml(String(value))}"`,
  );
  return trustedHtml(
    `<${node.tag}${attributes.join('')}>${page.render(node.children).value}</${node.tag}>`,
  );
}

/** Shorthand for a text node. */
export function text(value: string): ContentNode {
  return { type: 'text', value };
}

/** Shorthand for an element without attributes. */
export function element(tag: string, ...children: (ContentNode | string)[]): ContentNode {
  return { type: 'element', tag, attributes: {}, children: children.map(toNode) };
}

/** Shorthand for a block of code. */
export function code(language: string, meta: string, value: string): ContentNode {
  return { type: 'code', language, meta, value };
}

/** Shorthand for a call of a component. */
export function call(
  name: string,
  props: Record<string, PropValue> = {},
  ...children: (ContentNode | string)[]
): ComponentNode {
  return { type: 'component', name, props, children: children.map(toNode) };
}

function toNode(child: ContentNode | string): ContentNode {
  return typeof child === 'string' ? text(child) : child;
}
