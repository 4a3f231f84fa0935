/** A Markdown block, the smallest unit of quotes. */
export interface MarkdownBlock {
  kind: 'paragraph' | 'list' | 'code' | 'table' | 'heading';
  markdown: string;
}

const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/**
 * Splits Markdown at blank lines, keeping code blocks and lists with blank lines in them together.
 */
export function markdownBlocks(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let lines: string[] = [];
  let fence = '';
  const close = () => {
    const text = lines.join('\n').trimEnd();
    if (text.trim() !== '' && text !== '…') add(blocks, text);
    lines = [];
  };
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== '') {
      lines.push(line);
      if (mark?.startsWith(fence) && line.trim() === mark) {
        fence = '';
        if (!/^\s/.test(lines[0] as string)) close();
      }
      continue;
    }
    if (mark !== undefined) {
      // An indented block belongs to the list item that contains it.
      if (!/^[ \t]{2,}/.test(line)) close();
      fence = mark;
      lines.push(line);
    } else if (line.trim() === '') close();
    else lines.push(line);
  }
  close();
  return blocks;
}

function add(blocks: MarkdownBlock[], text: string): void {
  const kind = kindOf(text);
  const last = blocks.at(-1);
  const continuesList = last?.kind === 'list' && (kind === 'list' || /^[ \t]{2,}/.test(text));
  if (last && continuesList) last.markdown += `\n\n${text}`;
  else blocks.push({ kind, markdown: text });
}

function kindOf(text: string): MarkdownBlock['kind'] {
  if (LIST_ITEM.test(text)) return 'list';
  if (FENCE.test(text)) return 'code';
  if (/^#{1,6}[ \t]/.test(text)) return 'heading';
  return text.startsWith('|') ? 'table' : 'paragraph';
}

/** Returns the items of a list block, each with its indented contents. */
export function listItems(list: string): string[] {
  const items: string[] = [];
  for (const line of list.split('\n')) {
    if (items.length === 0 || /^(?:[-*+]|\d{1,9}[.)])[ \t]+/.test(line)) items.push(line);
    else items[items.length - 1] += `\n${line}`;
  }
  return items.map((item) => item.trimEnd());
}

/**
 * Returns the sentences of a paragraph, approximately: a period inside a name or a number does not
 * end one.
 */
export function sentences(paragraph: string): string[] {
  return paragraph
    .replaceAll('\n', ' ')
    .split(/(?<=[.!?][*_"”)]{0,3}) +(?=[\p{Lu}\p{N}"“*_`[])|(?<=[。！？])/u)
    .filter((sentence) => sentence.trim() !== '');
}

/** Returns how many characters a reader sees, approximately: addresses of links are none. */
export function visibleLength(markdown: string): number {
  let length = markdown.length;
  for (const [target] of markdown.matchAll(LINK_TARGET)) length -= target.length - 1;
  return length;
}

const LINK_TARGET = /\]\([^()\s]*\)/g;

/** Cuts at the end of a line, and closes a code block that the cut would leave open. */
export function cutMarkdown(markdown: string, longest: number): string {
  if (markdown.length <= longest) return markdown;
  const lineEnd = markdown.lastIndexOf('\n', longest);
  const cut = markdown.slice(0, lineEnd > longest / 2 ? lineEnd : longest);
  const fences = cut.match(/^[ \t]*(?:```|~~~)/gm) ?? [];
  return fences.length % 2 === 1 ? `${cut}\n${(fences.at(-1) as string).trim()}\n…` : `${cut}\n…`;
}
