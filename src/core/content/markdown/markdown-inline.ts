import type { ContentNode, ElementNode } from '../expand/content-node.ts';
import { isBlockTag } from '../html-policy.ts';
import { markdownForm } from './node-prose.ts';
import { nodeText } from './node-text.ts';

/** How the Markdown of one page writes addresses. */
export interface MarkdownLinks {
  href(target: string): string;
  src(target: string): string;
}

const MARKS = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '*'],
  ['i', '*'],
  ['del', '~~'],
  ['s', '~~'],
]);
const SILENT_TAGS = new Set('script style svg noscript template embed'.split(' '));

/** Escapes text for Markdown. */
export function escapeMarkdown(text: string): string {
  let close = -1;
  return text.replace(/[\\`*[]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!])/giu, (sign, at: number) => {
    if (sign !== '[') return `\\${sign}`;
    if (close < at) close = text.indexOf(']', at);
    if (close < 0) close = text.length;
    return text[close + 1] === '(' ? '\\[' : '[';
  });
}

/** Returns `code` in as many backticks as its content needs. */
export function inlineCode(code: string): string {
  if (code === '') return '';
  let ticks = '`';
  while (code.includes(ticks)) ticks += '`';
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return ticks + space + code.replace(/\n/g, ' ') + space + ticks;
}

/** Renders nodes as inline Markdown; `around` are the enclosing tags. */
export function inlineMarkdown(nodes: readonly ContentNode[], links: MarkdownLinks, around: readonly string[] = []): string {
  let out = '';
  for (const node of nodes) {
    if (node.type === 'text') out += escapeMarkdown(node.value);
    else if (node.type === 'code') out += inlineCode(node.value);
    else if (node.type === 'math') out += node.display ? `$$${node.value}$$` : `$${node.value}$`;
    else if (node.type === 'element') out += inlineElement(node, links, around);
    else if (node.type === 'component') out += inlineMarkdown(markdownForm(node), links, around);
  }
  return out;
}

function inlineElement(node: ElementNode, links: MarkdownLinks, around: readonly string[]): string {
  const { tag, attributes } = node;
  if (SILENT_TAGS.has(tag)) return '';
  if (tag === 'code') return inlineCode(nodeText(node.children));
  if (tag === 'br') return '\n';
  if (tag === 'img') return attributes.src === undefined ? '' : `![${text(attributes.alt)}](${links.src(text(attributes.src))})`;
  if (tag === 'input') return attributes.type === 'checkbox' ? (attributes.checked ? '[x]' : '[ ]') : '';
  if (tag === 'iframe' || tag === 'video' || tag === 'audio') return mediaLink(node, links);
  const mark = MARKS.get(tag);
  const content = inlineMarkdown(node.children, links, mark || tag === 'a' ? [...around, mark ?? tag] : around);
  // Markdown has no link inside a link, and no bold inside bold.
  if (around.includes(mark ?? tag)) return content;
  if (tag === 'a') return link(node, content, links);
  const trimmed = content.trim();
  if (isBlockTag(tag) || tag === 'li') return trimmed === '' ? '' : `\n${trimmed}\n`;
  if (!mark || trimmed === '') return content;
  return content.replace(trimmed, () => mark + trimmed + mark);
}

const text = (value: string | number | boolean | undefined): string =>
  value === undefined || typeof value === 'boolean' ? '' : String(value);

function link(node: ElementNode, content: string, links: MarkdownLinks): string {
  const { attributes } = node;
  if (attributes['data-footnote-ref'] !== undefined) return `[^${nodeText(node.children)}]`;
  if (attributes['data-footnote-backref'] !== undefined) return '';
  const href = text(attributes.href);
  if (href === '' || content.trim() === '') return content;
  return `[${content.trim().replace(/(?<!\s)\s*\n\s*/g, ' ')}](${links.href(href)})`;
}

function mediaLink(node: ElementNode, links: MarkdownLinks): string {
  const source = node.children.find((child) => child.type === 'element' && child.tag === 'source');
  const src = text(node.attributes.src) || (source?.type === 'element' ? text(source.attributes.src) : '');
  if (src === '') return '';
  const kind = node.tag === 'iframe' ? 'Embedded content' : node.tag === 'video' ? 'Video' : 'Audio';
  return `[${escapeMarkdown(text(node.attributes.title) || kind)}](${links.src(src)})`;
}
