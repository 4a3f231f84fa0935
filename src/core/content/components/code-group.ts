import { attributes, type Html, html } from '../../html.ts';
import { blockIcon } from '../code/code-block.ts';
import { parseCodeMeta } from '../code/code-meta.ts';
import { type ComponentNode, type ContentNode, isComponent, NodesValue } from '../expand/content-node.ts';
import type { CodeBlockInput, ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { anyProp, flagProp, textProp } from './props.ts';
import { type TabView, tabList, tabPanels } from './tabs.ts';

/** `CodeGroup`: one frame, a tab for each block. A single block needs no tabs. */
export const codeGroup: ComponentRenderer = (node, page) => renderCodeGroup(node, page);

/** Renders the code among a node's children as a group of tabs, and whatever else is there under it. */
export function renderCodeGroup(node: ComponentNode, page: PageRenderer): Html {
  const blocks: CodeBlockInput[] = [];
  const rest = takeCode(node.children, blocks);
  const after = rest.length > 0 ? page.render(rest) : undefined;
  const only = blocks[0];
  if (only === undefined) return html`${after}`;
  if (blocks.length === 1) return html`${page.codeBlock(only)}${after}`;
  page.need('docent-tabs');
  const views = blocks.map((block, index) => codeTab(block, index, page));
  const dropdown = flagProp(node, 'dropdown');
  const choice = dropdown ? dropdownOf(views) : tabList(views, 0);
  return html`<docent-tabs class="d-code-group code-group" data-component="code-group"${attributes({ 'data-dropdown': dropdown })}><div class="d-code-bar">${choice}</div>${tabPanels(
    views,
    0,
    false,
  )}</docent-tabs>${after}`;
}

function dropdownOf(views: readonly TabView[]): Html {
  return html`<select class="d-code-select" aria-label="Code example">${views.map((view) => html`<option>${view.label}</option>`)}</select>`;
}

function codeTab(block: CodeBlockInput, index: number, page: PageRenderer): TabView {
  const meta = parseCodeMeta(block.language, block.meta);
  const label = meta.title ?? (meta.language || `Code ${index + 1}`);
  return {
    label,
    title: html`${label}`,
    icon: blockIcon(meta, block, page),
    panel: page.codeBlock({ ...block, inGroup: true }),
  };
}

/** Moves the code of `nodes` into `blocks`, out of wrappers too; returns the nodes that are none. */
function takeCode(nodes: readonly ContentNode[], blocks: CodeBlockInput[]): ContentNode[] {
  const rest: ContentNode[] = [];
  for (const node of nodes) {
    if (node.type === 'code') blocks.push({ language: node.language, meta: node.meta, code: node.value, line: node.line });
    else if (node.type === 'component' && node.name === 'CodeBlock') blocks.push(codeBlockInput(node));
    else if (node.type === 'component' && node.name === 'CodeGroup') rest.push(...takeCode(node.children, blocks));
    else if (node.type === 'element' && node.children.some(holdsCode)) rest.push(...takeCode(node.children, blocks));
    else if (node.type !== 'text' || node.value.trim() !== '') rest.push(node);
  }
  return rest;
}

function holdsCode(node: ContentNode): boolean {
  if (node.type === 'element') return node.children.some(holdsCode);
  return node.type === 'code' || isComponent(node, 'CodeBlock');
}

/** `CodeBlock`: a block whose options are props, for code that an expression makes. */
export const codeBlock: ComponentRenderer = (node, page) => page.codeBlock(codeBlockInput(node));

/** `Mermaid`: a diagram whose source is a prop or the text. */
export const mermaid: ComponentRenderer = (node, page) => {
  const value = textProp(node, 'chart', 'code', 'value', 'definition');
  const block = codeBlockInput(node);
  const source = value ?? (block.code.trim() === '' ? sourceOf(node.children) : block.code);
  return page.codeBlock({ ...block, language: 'mermaid', code: source.replace(/^\n+|(?<!\s)\s+$/g, '') });
};

const META_FLAGS = ['lines', 'wrap', 'nocopy', 'expandable', 'twoslash'];

function codeBlockInput(node: ComponentNode): CodeBlockInput {
  const words = META_FLAGS.filter((name) => flagProp(node, name));
  for (const [name, value] of [
    ['title', textProp(node, 'filename', 'title')],
    ['icon', textProp(node, 'icon')],
    ['highlight', lineNumbers(node, 'highlight')],
    ['focus', lineNumbers(node, 'focus')],
    ['placement', textProp(node, 'placement')],
    ['actions', node.props.actions === undefined ? undefined : String(flagProp(node, 'actions'))],
  ] as const) {
    if (value !== undefined) words.push(`${name}=${quoted(value)}`);
  }
  const icon = anyProp(node, 'icon');
  return {
    language: textProp(node, 'language', 'lang') ?? '',
    meta: words.join(' '),
    code: codeOf(node),
    line: node.line,
    ...(icon instanceof NodesValue ? { icon } : {}),
  };
}

function quoted(value: string): string {
  return value.includes('"') ? `'${value.replaceAll("'", '’')}'` : `"${value}"`;
}

/** `highlight="[1,3]"`, and the same as a real array. */
function lineNumbers(node: ComponentNode, name: string): string | undefined {
  const value = anyProp(node, name);
  return Array.isArray(value) ? value.join(',') : textProp(node, name);
}

function codeOf(node: ComponentNode): string {
  const value = anyProp(node, 'code', 'children');
  if (typeof value === 'string') return value;
  return sourceOf(value instanceof NodesValue ? value.nodes : node.children).replace(/^\n/, '');
}

/** The text of code among nodes, as it was written. */
export function sourceOf(nodes: readonly ContentNode[]): string {
  let out = '';
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'code' || node.type === 'math') out += node.value;
    else if (node.type === 'element' && node.tag === 'br') out += '\n';
    else if (node.type === 'element' || node.type === 'component') out += sourceOf(node.children);
  }
  return out;
}
