import { nodesIn, type SourceNode } from '../nodes/source-node.ts';
import { mapOutsideFences } from './source-text.ts';

/**
 * Maximum tags between an element and its place in the source: HTML adds and moves few elements.
 */
const MAX_AHEAD = 20;

/**
 * Gives the elements of a tree what they lost when the HTML in a Markdown text was parsed: their
 * positions, and the language and title of code blocks.
 * @param placed the tree of the same text, in which HTML is unparsed
 */
export function copyPositions(placed: SourceNode, tree: SourceNode): void {
  const tags: (Pick<SourceNode, 'position' | 'data'> & { name: string })[] = [];
  for (const node of nodesIn(placed)) {
    if (node.type === 'element')
      tags.push({ name: nameOf(node), position: node.position, data: node.data });
    if (node.type !== 'raw') continue;
    const first = node.position?.start.line ?? 1;
    for (const [index, text] of (node.value ?? '').split('\n').entries()) {
      const point = { line: first + index, column: 1, offset: 0 };
      for (const [, name = ''] of text.matchAll(/<([a-z][\w-]*)/gi))
        tags.push({ name: name.toLowerCase(), position: { start: point, end: point } });
    }
  }
  let at = 0;
  for (const node of nodesIn(tree)) {
    if (node.type !== 'element') continue;
    const ahead = tags.slice(at, at + MAX_AHEAD).findIndex(({ name }) => name === nameOf(node));
    const tag = tags[at + ahead];
    if (ahead < 0 || !tag) continue;
    if (tag.position) node.position = tag.position;
    if (tag.data) node.data = tag.data;
    at += ahead + 1;
  }
}

/**
 * The name of an element; that of code with its language, so that a block of code is not confused
 * with inline code.
 */
function nameOf({ tagName = '', properties }: SourceNode): string {
  return tagName === 'code' ? `code ${properties?.className ?? ''}`.trim() : tagName;
}

interface Definition {
  /** With its brackets: `[^1]`, `[docs]`. */
  mark: string;
  source: string;
}

/** A footnote with its lines, or the address of a reference link. */
const DEFINITION =
  /^ {0,3}(\[\^[^\]\s]+\]):(?:.*(?:\n[ \t]+\S.*|\n(?=\n[ \t]+\S))*)|^ {0,3}(\[[^\]^\n][^\]\n]*\]):[ \t]*\S+.*/gm;

/** The definitions of a text, which apply to all of its parts. */
export function definitionsIn(text: string): Definition[] {
  const definitions: Definition[] = [];
  if (!/^ {0,3}\[[^\]\n]+\]:/m.test(text)) return definitions;
  mapOutsideFences(text, (stretch) => {
    for (const match of stretch.matchAll(DEFINITION))
      definitions.push({ mark: (match[1] ?? match[2]) as string, source: match[0] });
    return '';
  });
  return definitions;
}

/** Returns the definitions from other parts that a part of the text uses, to append to it. */
export function definitionsFor(part: string, definitions: readonly Definition[]): string {
  const used = new Set(
    definitions.length > 0 ? part.toLowerCase().match(/\[[^\][\n]{1,999}\]/g) : [],
  );
  return definitions
    .filter(({ mark, source }) => used.has(mark.toLowerCase()) && !part.includes(source))
    .map(({ source }) => `\n\n${source}`)
    .join('');
}

/** Moves the footnotes of all parts to the end of the text, with continuous numbers. */
export function joinFootnotes(blocks: SourceNode[]): SourceNode[] {
  const sections = blocks.filter(isFootnotes);
  const [first] = sections;
  if (!first || sections.length === 1) return blocks;
  const rest = blocks.filter((block) => !isFootnotes(block));
  const order = numberReferences(rest);
  const items = new Map<string, SourceNode>();
  for (const item of sections.flatMap(itemsOf)) {
    const id = String(item.properties?.id ?? '');
    if (!items.has(id)) items.set(id, item);
  }
  const sorted = [...items]
    .sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    .map(([, item]) => item);
  const list = first.children?.find((child) => child.tagName === 'ol');
  if (list) list.children = sorted;
  return [...rest, first];
}

function isFootnotes(node: SourceNode): boolean {
  return node.tagName === 'section' && node.properties?.dataFootnotes !== undefined;
}

function itemsOf(section: SourceNode): SourceNode[] {
  const list = section.children?.find((child) => child.tagName === 'ol');
  return (list?.children ?? []).filter((child) => child.tagName === 'li');
}

/** Renumbers the references in order. Returns the number of each footnote by its id. */
function numberReferences(nodes: readonly SourceNode[]): Map<string, number> {
  const order = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const node of nodes.flatMap((root) => nodesIn(root))) {
    if (node.tagName !== 'a' || node.properties?.dataFootnoteRef === undefined) continue;
    const target = String(node.properties.href ?? '').slice(1);
    const number = order.get(target) ?? order.size + 1;
    order.set(target, number);
    const count = (counts.get(target) ?? 0) + 1;
    counts.set(target, count);
    node.properties.id =
      target.replace(/^user-content-fn-/, 'user-content-fnref-') + (count > 1 ? `-${count}` : '');
    node.children = [{ type: 'text', value: String(number) }];
  }
  return order;
}
