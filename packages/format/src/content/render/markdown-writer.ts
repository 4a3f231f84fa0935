import { codeOfPre } from '../components/code-group.ts';
import {
  type CodeNode,
  type ContentNode,
  type ElementNode,
  nodeText,
} from '../nodes/content-node.ts';
import { isBlockTag } from '../nodes/html-policy.ts';
import { isBlockNode, markdownForm, nodeCode, nodeProse, squeeze } from './node-prose.ts';

const INLINE_TAGS = new Set(
  'a abbr b br button cite code del docent-island docent-slot em font i img input ins kbd label mark math q s samp small span strike strong sub sup svg u var wbr'.split(
    ' ',
  ),
);
/** Elements around items of a list that are not items themselves. */
const LIST_WRAPPERS = new Set([
  'docent-island',
  'docent-slot',
  'docent-part',
  'div',
  'span',
  'section',
]);
const SILENT_TAGS = new Set('script style noscript template embed'.split(' '));

/** Converts nodes to pieces of Markdown. */
export class MarkdownWriter {
  readonly #links: MarkdownLinks;
  #depth = 0;
  constructor(links: MarkdownLinks) {
    this.#links = links;
  }

  /** Returns the headings and blocks of nodes. */
  pieces(nodes: readonly ContentNode[]): Piece[] {
    if (this.#depth > 100) return [];
    this.#depth++;
    const pieces: Piece[] = [];
    let run: ContentNode[] = [];
    const endRun = (): void => {
      const markdown = this.#inline(run).replace(/\n\s*\n/g, '\n');
      if (markdown !== '') pieces.push(block(markdown, run));
      run = [];
    };
    for (const node of nodes) {
      if (isInline(node)) run.push(node);
      else {
        endRun();
        pieces.push(...this.#blockPieces(node));
      }
    }
    endRun();
    this.#depth--;
    return pieces;
  }

  /** Returns nodes as one block, with headings as bold lines. */
  #text(nodes: readonly ContentNode[]): string {
    const withoutHeadings = this.pieces(nodes).map((piece) =>
      piece.level > 0 ? { ...piece, markdown: `**${piece.markdown.replace(/^#+ /, '')}**` } : piece,
    );
    return joinPieces(withoutHeadings);
  }

  #inline(nodes: readonly ContentNode[], around: readonly string[] = []): string {
    return inlineMarkdown(nodes, this.#links, around).trim();
  }

  #blockPieces(node: ContentNode): Piece[] {
    if (node.type === 'code') return [block(fence(node), [node])];
    if (node.type === 'math') return [block(`$$\n${node.value}\n$$`, [node])];
    if (node.type === 'component') return this.pieces(markdownForm(node));
    return node.type === 'element' ? this.#elementPieces(node) : [];
  }

  #elementPieces(node: ElementNode): Piece[] {
    const { tag, children } = node;
    if (SILENT_TAGS.has(tag)) return [];
    const level = /^h([1-6])$/.exec(tag)?.[1];
    if (level) return this.#heading(node, Number(level));
    if (tag === 'li') return this.#item(node);
    if (tag === 'ul' || tag === 'ol') return [block(this.#list(node), [node])];
    if (tag === 'blockquote') return [block(quote(this.#text(children)), [node])];
    if (tag === 'hr') return [block('---', [])];
    if (tag === 'table') return [block(tableMarkdown(node, this.#links), [node])];
    if (tag === 'pre') return this.#blockPieces(codeOfPre(node));
    if (tag === 'section' && node.attributes['data-footnotes'] !== undefined)
      return this.#footnotes(node);
    if (tag === 'summary' || tag === 'dt' || tag === 'figcaption') return this.#marked(node, '**');
    if (tag === 'iframe' || tag === 'video' || tag === 'audio')
      return this.#marked({ ...node, tag: 'span', children: [node] }, '');
    if (tag === 'a') return this.#blockLink(node);
    return this.pieces(children);
  }

  /** Footnotes as definitions, to which the references in the text belong. */
  #footnotes(section: ElementNode): Piece[] {
    return elementsOf(section.children, 'li').map((item, index): Piece => {
      const markdown = `[^${index + 1}]: ${indent(this.#text(item.children), 4)}`;
      return { ...block(markdown, item.children), tight: true };
    });
  }

  #marked(node: ElementNode, mark: string): Piece[] {
    const markdown = this.#inline(node.children, [mark]).replace(/(?<!\s)\s*\n\s*/g, ' ');
    return markdown === '' ? [] : [block(mark + markdown + mark, node.children)];
  }

  /** A link around blocks, which Markdown does not support: its text becomes the link. */
  #blockLink(node: ElementNode): Piece[] {
    const label = squeeze(nodeProse(node.children));
    const { href } = node.attributes;
    if (typeof href !== 'string' || label === '') return this.pieces(node.children);
    return [block(`[${escapeMarkdown(label)}](${this.#links.href(href)})`, node.children)];
  }

  #heading(node: ElementNode, level: number): Piece[] {
    const markdown = this.#inline(node.children).replace(/(?<!\s)\s*\n\s*/g, ' ');
    if (markdown === '') return [];
    const text = nodeText(node.children);
    return [{ markdown: `${'#'.repeat(level)} ${markdown}`, text, code: [], level, node }];
  }

  /**
   * An item outside a list: consecutive items form a list. A numbered one may contain sections, so
   * its pieces stay separate.
   */
  #item(node: ElementNode): Piece[] {
    const { value } = node.attributes;
    const mark = value === undefined ? '- ' : `${value}. `;
    if (value === undefined) {
      const content = this.#text(node.children);
      return content === ''
        ? []
        : [{ ...block(mark + indent(content, mark.length), [node]), tight: true }];
    }
    return this.pieces(node.children).map((piece, index): Piece => {
      if (piece.level > 0) return piece;
      const start = index === 0 ? mark : ' '.repeat(mark.length);
      return { ...piece, markdown: start + indent(piece.markdown, mark.length) };
    });
  }

  #list(node: ElementNode): string {
    const first = Number(node.attributes.start ?? 1) || 1;
    const items = this.#itemsOf(node.children).map((content, index) => {
      const mark = node.tag === 'ol' ? `${first + index}. ` : '- ';
      return mark + indent(content, mark.length);
    });
    return items.join('\n');
  }

  /**
   * The contents of the items of a list. Components may hold the items, and what authors put beside
   * items is one too.
   */
  #itemsOf(nodes: readonly ContentNode[]): string[] {
    const items: string[] = [];
    for (const node of nodes) {
      if (node.type === 'component') items.push(...this.#itemsOf(markdownForm(node)));
      else if (node.type === 'element' && LIST_WRAPPERS.has(node.tag))
        items.push(...this.#itemsOf(node.children));
      else if (
        node.type === 'element' &&
        (node.tag === 'ul' || node.tag === 'ol') &&
        items.length > 0
      )
        items.push(`${items.pop()}\n${this.#list(node)}`);
      else {
        const isItem = node.type === 'element' && node.tag === 'li';
        const content = isItem ? tightItem(this.pieces(node.children)) : this.#text([node]);
        if (isItem || content !== '') items.push(content);
      }
    }
    return items;
  }
}

/** An item whose nested list directly follows its text. */
function tightItem(pieces: readonly Piece[]): string {
  const [first = '', second, ...rest] = pieces.map(({ markdown }) => markdown);
  if (second === undefined) return first;
  return [first + (/^(?:-|\d+\.) /.test(second) ? '\n' : '\n\n') + second, ...rest].join('\n\n');
}

function isInline(node: ContentNode): boolean {
  if (node.type === 'text') return true;
  if (node.type === 'math') return !node.display;
  if (node.type === 'element')
    return INLINE_TAGS.has(node.tag) && !node.children.some((child) => !isInline(child));
  return node.type === 'component' && !isBlockNode(node);
}

/** The elements of these tags, inside any container: sections of a table, components. */
function elementsOf(nodes: readonly ContentNode[], ...tags: string[]): ElementNode[] {
  return nodes.flatMap((node) => {
    if (node.type === 'component') return elementsOf(markdownForm(node), ...tags);
    if (node.type !== 'element') return [];
    return tags.includes(node.tag) ? [node] : elementsOf(node.children, ...tags);
  });
}

/** A GitHub Flavored Markdown table. The first row is the header. */
function tableMarkdown(table: ElementNode, links: MarkdownLinks): string {
  const rows = elementsOf(table.children, 'tr').map((row) =>
    elementsOf(row.children, 'td', 'th').map((cell) => cellMarkdown(cell, links)),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`;
  const [head = [], ...body] = rows;
  const captions = elementsOf(table.children, 'caption').map(
    (caption) => `${cellMarkdown(caption, links)}\n`,
  );
  return [
    ...captions,
    line(head),
    line(Array.from({ length: width }, () => '---')),
    ...body.map(line),
  ].join('\n');
}

function cellMarkdown(cell: ElementNode, links: MarkdownLinks): string {
  return inlineMarkdown(cell.children, links)
    .trim()
    .replace(/(?<!\s)\s*\n\s*/g, '<br>')
    .replace(/(?<!\\)\|/g, '\\|');
}

/** How the Markdown of one page writes addresses. */
interface MarkdownLinks {
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

function escapeMarkdown(text: string): string {
  let close = -1;
  return text.replace(
    /[\\`*[]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!])/giu,
    (sign, at: number) => {
      if (sign !== '[') return `\\${sign}`;
      if (close < at) close = text.indexOf(']', at);
      if (close < 0) close = text.length;
      return text[close + 1] === '(' ? '\\[' : '[';
    },
  );
}

/** Returns `code` in as many backticks as its content needs. */
function inlineCode(code: string): string {
  if (code === '') return '';
  let ticks = '`';
  while (code.includes(ticks)) ticks += '`';
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return ticks + space + code.replace(/\n/g, ' ') + space + ticks;
}

/** Renders nodes as inline Markdown; `around` are the enclosing tags. */
function inlineMarkdown(
  nodes: readonly ContentNode[],
  links: MarkdownLinks,
  around: readonly string[] = [],
): string {
  let out = '';
  for (const [index, node] of nodes.entries()) {
    // Buttons look apart also without a space between them.
    if (isButton(node) && isButton(nodes[index - 1])) out += ' ';
    if (node.type === 'text') out += escapeMarkdown(node.value);
    else if (node.type === 'code') out += inlineCode(node.value);
    else if (node.type === 'math') out += node.display ? `$$${node.value}$$` : `$${node.value}$`;
    else if (node.type === 'element') out += inlineElement(node, links, around);
    else if (node.type === 'component') out += inlineMarkdown(markdownForm(node), links, around);
  }
  return out;
}

function isButton(node: ContentNode | undefined): boolean {
  return node?.type === 'element' && node.tag === 'button';
}

function inlineElement(node: ElementNode, links: MarkdownLinks, around: readonly string[]): string {
  const { tag, attributes } = node;
  if (tag === 'svg' || SILENT_TAGS.has(tag)) return '';
  if (tag === 'code') return inlineCode(nodeText(node.children));
  if (tag === 'br') return '\n';
  if (tag === 'img')
    return attributes.src === undefined
      ? ''
      : `![${text(attributes.alt)}](${links.src(text(attributes.src))})`;
  if (tag === 'input')
    return attributes.type === 'checkbox' ? (attributes.checked ? '[x]' : '[ ]') : '';
  if (tag === 'iframe' || tag === 'video' || tag === 'audio') return mediaLink(node, links);
  const mark = MARKS.get(tag);
  const content = inlineMarkdown(
    node.children,
    links,
    mark || tag === 'a' ? [...around, mark ?? tag] : around,
  );
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
  const src =
    text(node.attributes.src) || (source?.type === 'element' ? text(source.attributes.src) : '');
  if (src === '') return '';
  const kind =
    node.tag === 'iframe' ? 'Embedded content' : node.tag === 'video' ? 'Video' : 'Audio';
  return `[${escapeMarkdown(text(node.attributes.title) || kind)}](${links.src(src)})`;
}

/** A heading or a block of a page, in page order. */
export interface Piece {
  markdown: string;
  /** Prose for search, white space not yet normalized. */
  text: string;
  code: string[];
  /** 1–6 of a heading; 0 of a block. */
  level: number;
  /** Of a heading: the node with its id. */
  node?: ElementNode;
  /** A list item: follows another one without an empty line. */
  tight?: boolean;
}

/** Joins pieces to Markdown. */
export function joinPieces(pieces: readonly Piece[]): string {
  return pieces.reduce((out, piece, index) => {
    if (index === 0) return piece.markdown;
    return out + (pieces[index - 1]?.tight && piece.tight ? '\n' : '\n\n') + piece.markdown;
  }, '');
}

/** A block; `nodes` provide its searchable text. */
function block(markdown: string, nodes: readonly ContentNode[]): Piece {
  return { markdown, text: nodeProse(nodes), code: nodeCode(nodes), level: 0 };
}

/** Indents lines after the first one, keeping empty lines empty. */
function indent(text: string, width: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
}

function quote(text: string): string {
  return text.replace(/^(.*)$/gm, (line) => (line === '' ? '>' : `> ${line}`));
}

/** Returns a code fence longer than any in the code. */
function fence(node: Pick<CodeNode, 'type' | 'language' | 'meta' | 'value'>): string {
  let ticks = '```';
  while (node.value.includes(ticks)) ticks += '`';
  const head = [node.language, node.meta].filter((part) => part !== '').join(' ');
  return `${ticks}${head}\n${node.value}\n${ticks}`;
}
