import { LRUCache } from 'lru-cache';
import { markdownToHast } from 'satteri';
import { parseWithCjkEmphasis } from './cjk-emphasis.ts';
import type { ContentNode, ElementNode } from './content-node.ts';
import { propertyAttributes } from './html-nodes.ts';
import type { SourceNode } from './source-node.ts';
import { MAX_MARKUP_RISK, nestingRisk, withoutDeepLines } from './source-risk.ts';

/** HTML elements allowed in plain Markdown; others are replaced by their contents. */
const PLAIN_TAGS = new Set(
  'a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th thead tr u ul var'.split(
    ' ',
  ),
);
const PLAIN_ATTRIBUTES = new Set(
  'href src alt title class align colspan rowspan start width height style id'.split(' '),
);
const SILENT_TAGS = new Set(
  'script style iframe object embed template noscript svg math'.split(' '),
);
const MAX_DEPTH = 60;
const MAX_LENGTH = 200_000;

/** Text without any Markdown syntax. */
const NO_MARKUP = /^[^`*_[\]<>&~\\\n|#!]*$/;

function isTooMuch(text: string): boolean {
  return (
    text.length > MAX_LENGTH ||
    nestingRisk(text) > MAX_MARKUP_RISK ||
    withoutDeepLines(text).lines.length > 0
  );
}

/** Returns the nodes of a caption or a title with inline Markdown. Tags in it are text. */
export function inlineMarkdownNodes(text: string): ContentNode[] {
  if (NO_MARKUP.test(text) || isTooMuch(text)) return [{ type: 'text', value: text }];
  const features = { frontmatter: false, gfm: true };
  const root = parseWithCjkEmphasis(
    text,
    (marked) => markdownToHast(marked, { features, position: false }) as SourceNode,
  );
  const nodes: ContentNode[] = [];
  for (const block of root.children ?? []) {
    if (block.type === 'element' && block.tagName === 'p')
      nodes.push(...convert(block.children ?? [], 0, true));
    else if (block.type !== 'text') return [{ type: 'text', value: text }];
  }
  return nodes;
}

/** Maximum characters of cached Markdown: the pages of one description repeat the same texts. */
const KEPT_CHARACTERS = 500_000;
const kept = new LRUCache<string, readonly ContentNode[]>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: (_, text) => text.length || 1,
  memoMethod: readBlock,
});

/**
 * Returns the nodes of a block of plain Markdown: descriptions in API documents. Keeps only
 * harmless HTML.
 */
export function markdownNodes(text: string): readonly ContentNode[] {
  return kept.memo(text);
}

function readBlock(text: string): ContentNode[] {
  if (isTooMuch(text)) return [{ type: 'text', value: text }];
  const features = { frontmatter: false, gfm: { footnotes: false }, rawHtml: text.includes('<') };
  const root = parseWithCjkEmphasis(
    text,
    (marked) => markdownToHast(marked, { features, position: false }) as SourceNode,
  );
  return convert(root.children ?? [], 0, false);
}

function convert(nodes: readonly SourceNode[], depth: number, showTags: boolean): ContentNode[] {
  const contentNodes: ContentNode[] = [];
  if (depth > MAX_DEPTH) return contentNodes;
  for (const node of nodes) {
    if (node.type === 'text' || (node.type === 'raw' && showTags))
      contentNodes.push({ type: 'text', value: node.value ?? '' });
    else if (node.type === 'element') contentNodes.push(...convertElement(node, depth, showTags));
  }
  return contentNodes;
}

function convertElement(node: SourceNode, depth: number, showTags: boolean): ContentNode[] {
  const tag = node.tagName ?? '';
  const children = node.children ?? [];
  if (SILENT_TAGS.has(tag)) return [];
  const code = tag === 'pre' ? children[0] : undefined;
  if (code?.tagName === 'code') {
    const value = code.children?.map((child) => child.value ?? '').join('') ?? '';
    return [
      {
        type: 'code',
        language: code.data?.lang ?? '',
        meta: code.data?.meta ?? '',
        value: value.replace(/\n$/, ''),
      },
    ];
  }
  const content = convert(children, depth + 1, showTags);
  return PLAIN_TAGS.has(tag)
    ? [{ type: 'element', tag, attributes: plainAttributes(node, tag), children: content }]
    : content;
}

/**
 * Descriptions are parts of a page, so their headings have no ids and no entries in its table of
 * contents.
 */
function plainAttributes(node: SourceNode, tag: string): ElementNode['attributes'] {
  const attributes: ElementNode['attributes'] = {};
  const isHeading = /^h[1-6]$/.test(tag);
  for (const [name, value] of Object.entries(propertyAttributes(node.properties))) {
    if (PLAIN_ATTRIBUTES.has(name) && !(isHeading && name === 'id')) attributes[name] = value;
  }
  if (isHeading) attributes['data-plain'] = true;
  return attributes;
}
